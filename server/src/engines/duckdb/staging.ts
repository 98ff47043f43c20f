import { randomUUID } from 'node:crypto'
import { quoteIdentifier } from '@boathouse/sql'
import type { ValueType } from '../engine/columns.ts'
import type { UseEngine } from '../engine/engine.ts'
import type { DatabasePlace } from '../engine/names.ts'
import type { Authorize } from '../engine/objects.ts'
import type { FinishedOutcome, Outcome } from '../engine/outcome.ts'
import type { ExecuteOptions } from '../engine/run.ts'
import type { EngineSession } from '../engine/session.ts'
import {
  NotStaged,
  type Staged,
  type StagedColumn,
  type Staging,
  type StagingOrder,
} from '../engine/staging.ts'

const WHOLE: Readonly<Record<number, string>> = { 8: 'TINYINT', 16: 'SMALLINT', 32: 'INTEGER', 64: 'BIGINT' }

/** What its values are read as; null where none of them can be handed over. */
function typeNameOf(type: ValueType): string | null {
  switch (type.kind) {
    case 'boolean':
      return 'BOOLEAN'
    case 'integer':
      return type.isSigned ? (WHOLE[type.bits ?? 0] ?? null) : null
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`
    case 'float':
      return type.bits === 32 ? 'FLOAT' : 'DOUBLE'
    case 'text':
      return 'VARCHAR'
    case 'binary':
      return 'BLOB'
    case 'date':
      return 'DATE'
    case 'uuid':
      return 'UUID'
    case 'time':
      return type.isZoned ? null : 'TIME'
    case 'timestamp':
      return type.isZoned ? 'TIMESTAMPTZ' : 'TIMESTAMP'
    case 'bits':
    case 'enum':
    case 'geometry':
    case 'interval':
    case 'json':
    case 'list':
    case 'map':
    case 'struct':
    case 'union':
    case 'unknown':
    case 'variant':
      return null
  }
}

function columnText({ name, type, isNullable }: StagedColumn): string {
  const typeName = typeNameOf(type)
  if (typeName === null) throw new NotStaged(name)
  return `${quoteIdentifier(name)} ${typeName}${isNullable ? '' : ' NOT NULL'}`
}

const valueText = ({ name, type }: StagedColumn): string =>
  type.kind === 'binary' ? `hex(${quoteIdentifier(name)})` : quoteIdentifier(name)

/** It did not end as it must. */
class Unstaged extends Error {
  constructor(readonly outcome: Exclude<Outcome, FinishedOutcome>) {
    super(outcome.state)
  }
}

/** Where a staged table is: of a session alone, in a transaction that is taken back. */
const TEMPORARY = { catalog: 'temp', database: 'main' }

/** The sender decides on nothing but what expressions read. */
const withoutStage = (authorize: Authorize, name: string): Authorize =>
  authorize === 'all'
    ? 'all'
    : async (uses) => {
        const others = uses.filter(({ object }) => object.name !== name)
        return others.length === 0 ? null : authorize(others)
      }

/** By the engine that has the account's own data. */
export function createStaging(useEngine: UseEngine, home: DatabasePlace): Staging {
  return {
    read: (order) =>
      useEngine(order.accountId, async (engine): Promise<Staged> => {
        const state = { ...home, timeZone: 'UTC', variables: {} }
        const session = await engine.openSession(
          order.user === undefined ? state : { ...state, user: order.user },
        )
        try {
          return await staged(session, order)
        } catch (error) {
          if (error instanceof Unstaged) return { outcome: error.outcome }
          throw error
        } finally {
          await session.close()
        }
      }),
  }
}

async function staged(session: EngineSession, order: StagingOrder): Promise<Staged> {
  const { part, columns, options, mostRows, stop } = order
  const name = `staged_${randomUUID().replaceAll('-', '')}`
  const ours = { authorize: 'all', takenFor: null, maxRows: 0, keep: null, profile: null } as const
  const say = async (sql: string, more: Partial<ExecuteOptions> = {}): Promise<FinishedOutcome> => {
    const run = session.execute(sql, { ...ours, queryId: randomUUID(), ...more })
    const cancel = (): void => void run.cancel()
    stop.addEventListener('abort', cancel, { once: true })
    if (stop.aborted) cancel()
    const outcome = await run.outcome.finally(() => stop.removeEventListener('abort', cancel))
    if (outcome.state !== 'finished') throw new Unstaged(outcome)
    return outcome
  }
  await say('BEGIN')
  await say(`CREATE TEMP TABLE ${name} (${columns.map(columnText).join(', ')})`)
  const table = { ...TEMPORARY, name }
  // With a condition, rows are judged one by one: the transaction in which not all of them fit would be lost.
  const judged = { ...part, table, where: part.where ?? 'true' }
  const loaded = await say('STREAM LOAD', {
    takenFor: 'writes',
    authorize: withoutStage(options.authorize, name),
    ...(options.written && { written: options.written }),
    ...(options.settings && { settings: options.settings }),
    ...(options.roles !== undefined && { roles: options.roles }),
    file: { does: 'stream', reading: part.reading, parts: [judged], isTrial: true },
  })
  const [counts] = loaded.file?.parts ?? []
  if (!counts) throw new Error('The engine does not say what it has read.')
  const { result } = await say(`SELECT ${columns.map(valueText).join(', ')} FROM temp.main.${name}`, {
    maxRows: mostRows,
  })
  return { rows: result.rows, counts, isCut: result.truncated }
}

import { MESSAGES, warehouse, type WarehouseDetails, WarehouseEdit, WarehouseSize } from '@boathouse/contract'
import {
  likeMatcher,
  readAlterWarehouse,
  readCreateWarehouse,
  readDescribeWarehouse,
  readDropWarehouse,
  readResumeWarehouse,
  readShow,
  readSuspendWarehouse,
  type Statement,
  type StatementKind,
  type WarehouseName,
  type WarehouseOption,
} from '@boathouse/sql'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { DidNotFinish, failed } from '../query/running/ending.ts'
import { NO_ROWS, ownRows } from '../query/sessions/own-rows.ts'
import type { Answer, SessionTools } from '../query/sessions/session-tools.ts'
import { readableIn } from '../query/sessions/unreadable.ts'
import type { Warehouses } from './service.ts'
import { missing } from './steps.ts'
import type { WarehouseRow } from './store.ts'

const DONE = { result: NO_ROWS }

const OPTIONS = "SIZE = 'Medium', AUTO_SUSPEND = 10, AUTO_RESUME = true, COMMENT = 'text'"

const ENGINE_STAYS = 'You cannot change the engine of a warehouse. Create another warehouse.'

const FORMS = {
  create: `CREATE WAREHOUSE [IF NOT EXISTS] name [${OPTIONS}]`,
  alter: `ALTER WAREHOUSE [IF EXISTS] name SET ${OPTIONS}, each if wanted, or ALTER WAREHOUSE name RENAME TO other; SUSPEND WAREHOUSE and RESUME WAREHOUSE stop and start one`,
  drop: 'DROP WAREHOUSE [IF EXISTS] name',
  suspend: 'SUSPEND WAREHOUSE [IF EXISTS] name',
  resume: 'RESUME WAREHOUSE [IF EXISTS] name',
  describe: 'DESCRIBE WAREHOUSE [IF EXISTS] name',
  show: "SHOW WAREHOUSES [LIKE 'pattern']",
} as const

const readable = readableIn(FORMS)

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const SWITCH: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  '1': true,
  false: false,
  off: false,
  '0': false,
}

class WrongValue extends Error {}

const refused = (name: string, value: string, expected: string) =>
  new WrongValue(`The option ${name} takes ${expected}, not ${value}.`)

/** Options of a statement as fields of the calls. */
const FIELDS: Readonly<Record<string, (value: string) => Record<string, unknown>>> = {
  size(value) {
    const size = WarehouseSize.options.find((option) => lettersOf(option) === lettersOf(value))
    if (size === undefined) throw refused('size', value, `one of ${WarehouseSize.options.join(', ')}`)
    return { size }
  },
  auto_suspend(value) {
    if (/^(0|off|never)$/i.test(value)) return { idleMinutes: null }
    if (!/^\d{1,7}$/.test(value))
      throw refused('auto_suspend', value, 'a whole number of minutes, or 0 for never')
    return { idleMinutes: Number(value) }
  },
  auto_resume(value) {
    const autoResume = SWITCH[value.toLowerCase()]
    if (autoResume === undefined) throw refused('auto_resume', value, 'true or false')
    return { autoResume }
  },
  engine: (value) => ({ engine: value.toLowerCase() }),
}

const wrongAt = (offset: number, message: string) => new DidNotFinish(failed('QueryFailed', message, offset))

function fieldsOf(options: readonly WarehouseOption[]): Record<string, unknown> {
  const fields = {}
  for (const { name, value, offset } of options) {
    const read = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (!read)
      throw wrongAt(
        offset,
        `The option ${name} does not exist. A warehouse has ${Object.keys(FIELDS).join(', ')}, written as in ${OPTIONS}.`,
      )
    try {
      Object.assign(fields, read(value))
    } catch (error) {
      throw error instanceof WrongValue ? wrongAt(offset, error.message) : error
    }
  }
  return fields
}

/** The rules of the calls hold for statements too. */
function checked<T>(
  schema: { safeParse(value: unknown): { success: true; data: T } | Failure },
  value: unknown,
): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new AppError('QueryFailed', parsed.error.issues[0]?.message ?? MESSAGES.correctValue)
}
interface Failure {
  readonly success: false
  readonly error: { readonly issues: readonly { readonly message: string }[] }
}

const timeText = (at: Date | null): string | null => at && at.toISOString().slice(0, 19).replace('T', ' ')

const COLUMNS = [
  'Id',
  'Name',
  'State',
  'Size',
  'RunningSql',
  'QueuedSql',
  'CreatedOn',
  'ResumedOn',
  'Property',
  'Comment',
  'Engine',
]

/** A line for each thing that is known of one, named as in SHOW WAREHOUSES and in its properties. */
function describedRows(details: WarehouseDetails): (string | null)[][] {
  const { offer, resumedOn } = details
  return [
    ['Id', details.warehouseId],
    ['Name', details.name],
    ['State', details.status],
    ['Size', details.size],
    ['RunningSql', String(details.running)],
    ['QueuedSql', String(details.queued)],
    ['CreatedBy', details.createdBy],
    ['CreatedOn', timeText(new Date(details.createdAt))],
    ['ResumedOn', timeText(resumedOn === null ? null : new Date(resumedOn))],
    ['auto_suspend', String(details.idleMinutes ?? 0)],
    ['auto_resume', String(details.autoResume)],
    ['Slots', String(offer.slots)],
    ['Threads', String(offer.threads)],
    ['MemoryBytes', String(offer.memoryBytes)],
    ['CcuPerHour', offer.pricePerHour.ccu],
    ['UsdPerHour', offer.pricePerHour.usd],
    ['Engine', details.engine.label],
    ['Comment', details.description],
  ]
}

/** The statements about warehouses: the same functions as behind the calls. */
export function warehouseStatements(warehouses: Warehouses): Partial<Record<StatementKind, Answer>> {
  /** Does something with a warehouse that is named; without it, nothing when the statement says so. */
  async function withNamed(
    actor: Actor,
    { name, lenient }: WarehouseName,
    act: (row: WarehouseRow) => Promise<unknown>,
  ) {
    const row = await warehouses.findByName(actor, name)
    if (!row && !lenient) throw missing(name)
    if (row) await act(row)
    return DONE
  }

  const showRow = (row: WarehouseRow): (string | null)[] => {
    const { running, queued } = warehouses.load(row.warehouse_id)
    const property = { auto_suspend: row.auto_suspend_minutes ?? 0, auto_resume: row.auto_resume }
    return [
      row.warehouse_id,
      row.name,
      row.status,
      row.size,
      String(running),
      String(queued),
      timeText(row.created_at),
      timeText(row.resumed_at),
      JSON.stringify(property),
      row.description,
      warehouses.engineOf(row).label,
    ]
  }

  async function create(statement: Statement, { actor, clientIp }: SessionTools) {
    const { name, lenient, comment, options } = readable(readCreateWarehouse(statement), 'create')
    const fields = { name, ...(comment === undefined ? {} : { description: comment }) }
    const draft = checked(warehouse.create.input, { ...fields, ...fieldsOf(options) })
    try {
      await warehouses.create(actor, draft, { clientIp })
    } catch (error) {
      if (!(lenient && error instanceof AppError && error.code === 'NameTaken')) throw error
    }
    return DONE
  }

  async function alter(statement: Statement, { actor, clientIp }: SessionTools) {
    const alteration = readable(readAlterWarehouse(statement), 'alter')
    const engine = alteration.options.find(({ name }) => name === 'engine')
    if (engine) throw wrongAt(engine.offset, ENGINE_STAYS)
    const fields = {
      ...(alteration.rename === undefined ? {} : { name: alteration.rename }),
      ...(alteration.comment === undefined ? {} : { description: alteration.comment }),
      ...fieldsOf(alteration.options),
    }
    const edit = checked(WarehouseEdit, fields)
    return withNamed(actor, alteration, (row) =>
      warehouses.update({ actor, clientIp }, row.warehouse_id, edit),
    )
  }

  async function describe(statement: Statement, { actor }: SessionTools) {
    const { name, lenient } = readable(readDescribeWarehouse(statement), 'describe')
    const row = await warehouses.findByName(actor, name)
    if (!row && !lenient) throw missing(name)
    const rows = row ? describedRows(await warehouses.describe(actor, row.warehouse_id)) : []
    return { result: ownRows(['Field', 'Value'], rows) }
  }

  return {
    'create-warehouse': create,
    'alter-warehouse': alter,
    'drop-warehouse': async (statement, { actor, clientIp }) =>
      withNamed(actor, readable(readDropWarehouse(statement), 'drop'), (row) =>
        warehouses.delete(actor, row.warehouse_id, { clientIp }),
      ),
    'suspend-warehouse': async (statement, { actor }) =>
      withNamed(actor, readable(readSuspendWarehouse(statement), 'suspend'), (row) =>
        warehouses.suspend(actor, row.warehouse_id),
      ),
    'resume-warehouse': async (statement, { actor }) =>
      withNamed(actor, readable(readResumeWarehouse(statement), 'resume'), (row) =>
        warehouses.resume(actor, row.warehouse_id),
      ),
    'describe-warehouse': describe,
    'show-warehouses': async (statement, { actor }) => {
      const isLike = likeMatcher(readable(readShow(statement), 'show').like)
      const rows = (await warehouses.list(actor)).filter(({ name }) => isLike(name))
      return { result: ownRows(COLUMNS, rows.map(showRow)) }
    },
  }
}

import { readKill, readShow, type StatementKind } from '@boathouse/sql'
import { type Column, TEXT, type ValueType, columnOf } from '../../../engines/engine/columns.ts'
import type { SystemRow } from '../../../engines/engine/system-tables.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { unreadable } from '../sessions/unreadable.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Answer } from '../sessions/session-tools.ts'
import type { Activity, Killer, RunningRow } from './activity.ts'

/** Of a text, unless the list is asked for in FULL. */
const INFO_LENGTH = 100

const VALUES = {
  VARCHAR: TEXT,
  BIGINT: { kind: 'integer', bits: 64, isSigned: true },
  BOOLEAN: { kind: 'boolean' },
} as const satisfies Record<string, ValueType>

const COLUMNS: readonly Column[] = (
  [
    ['Id', 'BIGINT'],
    ['User', 'VARCHAR'],
    ['Host', 'VARCHAR'],
    ['Db', 'VARCHAR'],
    ['Command', 'VARCHAR'],
    ['Time', 'BIGINT'],
    ['State', 'VARCHAR'],
    ['Info', 'VARCHAR'],
    ['IsPending', 'BOOLEAN'],
    ['Warehouse', 'VARCHAR'],
    ['Catalog', 'VARCHAR'],
    ['QueryId', 'VARCHAR'],
    ['Client', 'VARCHAR'],
  ] as const
).map(([name, type]) => columnOf(name, type, VALUES[type]))

function stateOf({ waitsFor, queuePlace }: RunningRow['entry']): string {
  if (waitsFor === 'slot') return `queued, place ${queuePlace}`
  if (waitsFor === 'warehouse') return 'waiting for its warehouse to start'
  return waitsFor === 'statement' ? 'waiting for the statement before it' : 'running'
}

/** The key that it was sent with, and what its program calls itself. */
const clientOf = ({ key, program }: RunningRow['entry']): string =>
  [key && `key ${key}`, program].filter(Boolean).join(', ')

const secondsOf = (ms: number): string => String(Math.max(0, Math.floor(ms / 1000)))

const rowOf = (
  { entry: row, connectionId }: RunningRow,
  { full, now }: { full: boolean; now: Date },
): (string | null)[] => [
  String(connectionId),
  row.user,
  row.clientIp,
  row.database,
  'Query',
  // Of one whose turn has not come, since it was sent.
  secondsOf(row.durationMs ?? now.getTime() - Date.parse(row.acceptedAt)),
  stateOf(row),
  full ? row.sql : row.sql.slice(0, INFO_LENGTH),
  String(row.queuePlace !== null || row.state === 'accepted'),
  row.warehouse,
  row.catalog,
  row.queryId,
  clientOf(row),
]

/** As `information_schema.processlist` has them. */
export async function processRows(
  activity: Pick<Activity, 'running'>,
  { actor, now }: { readonly actor: Actor; readonly now: Date },
): Promise<readonly SystemRow<'processes'>[]> {
  return (await activity.running(actor)).map(({ entry, connectionId }) => ({
    id: connectionId,
    user: entry.user,
    host: entry.clientIp,
    db: entry.database,
    command: 'Query',
    time: Number(secondsOf(entry.durationMs ?? now.getTime() - Date.parse(entry.acceptedAt))),
    state: stateOf(entry),
    info: entry.sql,
  }))
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NUMBER = /^\d{1,15}$/

export interface ProcessParts {
  readonly activity: () => Pick<Activity, 'running' | 'kill' | 'killConnection' | 'stopBeside'>
  readonly clock: Clock
}

/** SHOW PROCESSLIST and KILL: the same functions as behind the calls. */
export function processStatements({ activity, clock }: ProcessParts): Partial<Record<StatementKind, Answer>> {
  /** What runs on a connection now. */
  const runningOn = async (actor: Actor, connection: number): Promise<RunningRow[]> =>
    (await activity().running(actor)).filter((row) => row.connectionId === connection)

  async function killQuery(killer: Killer, id: string): Promise<void> {
    const queryIds = UUID.test(id)
      ? [id]
      : (await runningOn(killer.actor, Number(id))).map(({ entry }) => entry.queryId)
    const [first] = queryIds
    if (first === undefined) {
      // A file that it loads, or nothing: what a client wants to stop has often just ended.
      if (await activity().stopBeside(killer.actor, Number(id))) return
      throw missing(id)
    }
    // Those behind it on the connection are of other texts, and run.
    await activity().kill(killer, first)
  }

  return {
    'show-processlist': async (statement, { actor }) => {
      const show = readShow(statement)
      if (!show || show.from || show.like !== undefined || show.grantee)
        throw unreadable('SHOW [FULL] PROCESSLIST')
      const now = clock.now()
      const rows = (await activity().running(actor)).map((row) => rowOf(row, { full: show.full, now }))
      return { result: { columns: COLUMNS, rows, truncated: false, rowsChanged: null } }
    },
    kill: async (statement, { actor, clientIp, connection }) => {
      const kill = readKill(statement)
      const isKnown = kill && (NUMBER.test(kill.id) || UUID.test(kill.id))
      if (!isKnown)
        throw unreadable('KILL [CONNECTION | QUERY] id, with an Id or a QueryId of SHOW PROCESSLIST')
      if (kill.id === String(connection.id))
        throw new AppError('QueryFailed', 'You cannot kill your own connection.')
      if (kill.what === 'query' || UUID.test(kill.id)) await killQuery({ actor, clientIp }, kill.id)
      else if (!(await activity().killConnection({ actor, clientIp }, Number(kill.id))))
        throw missing(kill.id)
      return { result: { columns: [], rows: [], truncated: false, rowsChanged: null } }
    },
  }
}

const missing = (id: string) =>
  new AppError(
    'QueryFailed',
    `There is no connection or statement ${id}, or you may not see it. SHOW PROCESSLIST lists those that you may.`,
    { detail: 'missing-connection' },
  )

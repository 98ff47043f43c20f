import { type BuiltInRole, withInherited } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { SystemRow } from './engines/engine/system-tables.ts'
import type { Actor } from './kernel/actor.ts'
import { AppError } from './kernel/app-error.ts'
import type { AccessStore } from './modules/access/store.ts'
import { newestAudit } from './modules/audit/newest.ts'
import type { LoadList } from './modules/load/load-list.ts'
import { pipeFilesOf, pipesOf } from './modules/load/pipes/pipe-listing.ts'
import type { Pipes } from './modules/load/pipes/service.ts'
import type { History } from './modules/query/history/history.ts'
import { withoutChoices } from './modules/query/sessions/door-variables.ts'
import { variablesOf } from './modules/query/sessions/session-variables.ts'
import { MOST_SYSTEM_ROWS, type SystemSources } from './modules/query/system-tables.ts'
import type { Warehouses } from './modules/warehouse/service.ts'
import type { Schema } from './store/schema.ts'

/** As many as one call answers. */
const ACTIVITY_OF_EACH = 100

export interface SystemTableParts {
  readonly db: Kysely<Schema>
  readonly history: Pick<History, 'list'>
  readonly warehouses: Pick<Warehouses, 'activity' | 'describeAll' | 'usage'>
  readonly accessStore: Pick<AccessStore, 'newestGrants'>
  readonly loads: () => Pick<LoadList, 'list'>
  /** What runs now, of what somebody may see. */
  readonly processes: (actor: Actor) => Promise<readonly SystemRow<'processes'>[]>
  readonly pipes: () => Pipes
}

const holds = ({ activeRoles }: Actor, role: BuiltInRole): boolean =>
  withInherited(activeRoles).includes(role)

const decimalOf = (value: number | null): string | null => (value === null ? null : value.toFixed(3))

/** Null where the service says that the requester may not. */
const unlessRefused = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof AppError) return null
    throw error
  })

const textOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

type HistoryEntry = Awaited<ReturnType<History['list']>>['entries'][number]

const queryRow = (entry: HistoryEntry): SystemRow<'queries'> => ({
  query_id: entry.queryId,
  request_id: entry.requestId,
  user_name: entry.user,
  door: entry.door,
  client_ip: entry.clientIp,
  warehouse: entry.warehouse,
  catalog: entry.catalog,
  database: entry.database,
  sql_text: entry.sql,
  kind: entry.kind,
  state: entry.state,
  accepted_at: entry.acceptedAt,
  started_at: entry.startedAt,
  ended_at: entry.endedAt,
  duration_ms: decimalOf(entry.durationMs),
  row_count: entry.rows,
  bytes: entry.bytes,
  peak_memory_bytes: entry.peakMemoryBytes,
  peak_spill_bytes: entry.peakSpillBytes,
  compile_ms: decimalOf(entry.compileMs),
  fetch_ms: decimalOf(entry.fetchMs),
  cost_ccu: entry.cost?.ccu ?? null,
  cost_usd: entry.cost?.usd ?? null,
  cost_is_final: entry.endedAt !== null && entry.cost?.isFinal !== false,
  error: entry.error,
  program: entry.program,
  key_name: entry.key,
})

async function queriesOf(
  history: SystemTableParts['history'],
  actor: Actor,
): Promise<SystemRow<'queries'>[]> {
  const rows: SystemRow<'queries'>[] = []
  let after: string | undefined
  do {
    const page = await history.list(actor, { limit: 200, after, endedOnly: false })
    rows.push(...page.entries.map(queryRow))
    after = page.next ?? undefined
  } while (after !== undefined && rows.length < MOST_SYSTEM_ROWS)
  return rows
}

function createWarehouseSources(
  warehouses: SystemTableParts['warehouses'],
): Pick<SystemSources, 'usage' | 'warehouse_activity' | 'warehouses'> {
  return {
    /** Of the last seven days, of each warehouse whose usage they may see. */
    async usage(actor) {
      const rows: SystemRow<'usage'>[] = []
      for (const { warehouseId, name } of await warehouses.describeAll(actor)) {
        const used = await unlessRefused(warehouses.usage(actor, warehouseId))
        for (const { date, ccu, usd, idle } of used?.days ?? [])
          rows.push({ warehouse: name, day: date, ccu, usd, idle_usd: idle.usd })
      }
      return rows
    },

    /** The newest of each warehouse that they may change. */
    async warehouse_activity(actor) {
      const rows: SystemRow<'warehouse_activity'>[] = []
      for (const { warehouseId } of await warehouses.describeAll(actor)) {
        const page = await unlessRefused(
          warehouses.activity(actor, { warehouseId, cursor: null, limit: ACTIVITY_OF_EACH }),
        )
        for (const { warehouseName, action, detail, result, actor: by, at } of page?.activities ?? [])
          rows.push({ warehouse: warehouseName, action, detail, result, actor: by, at })
      }
      return rows
    },

    async warehouses(actor) {
      const found = await warehouses.describeAll(actor)
      return found.map((one) => ({
        warehouse_id: one.warehouseId,
        name: one.name,
        size: one.size,
        state: one.status,
        running: one.running,
        queued: one.queued,
        auto_suspend_minutes: one.idleMinutes,
        auto_resume: one.autoResume,
        description: one.description,
      }))
    },
  }
}

function createAccessSources({
  db,
  accessStore,
}: Pick<SystemTableParts, 'db' | 'accessStore'>): Pick<SystemSources, 'audit' | 'grants'> {
  return {
    /** Everyone's for user administrators, else what reaches the requester. */
    async grants(actor) {
      const { accountId, userId, activeRoles } = actor
      const holder = holds(actor, 'user_admin') ? null : { userId, roles: [...activeRoles, 'public'] }
      const found = await accessStore.newestGrants(accountId, holder, MOST_SYSTEM_ROWS)
      return found.flatMap(
        ({ role, user, type, catalog, database, name, privileges, grantable, grantedAt }) =>
          privileges.map((privilege) => ({
            grantee_type: role === null ? 'user' : 'role',
            grantee: role ?? user,
            object_type: type,
            catalog,
            database,
            name,
            privilege,
            grantable: grantable.includes(privilege),
            granted_at: grantedAt.toISOString(),
          })),
      )
    },

    /** For administrators of the account or of its security. */
    async audit(actor) {
      if (!holds(actor, 'security_admin'))
        throw new AppError(
          'NoPermission',
          'sys.audit is for security administrators: activate the role security_admin, or ask for it.',
        )
      const entries = await newestAudit(db, actor.accountId, MOST_SYSTEM_ROWS)
      return entries.map(({ number, at, by, action, object, before, after }) => ({
        number,
        at,
        user_name: by.name,
        client_ip: by.clientIp,
        action,
        object_type: object.type,
        object_name: object.name,
        before: textOf(before),
        after: textOf(after),
        key_name: by.key ?? '',
      }))
    },
  }
}

/** The role of everyone is always active. */
const isActive = (active: readonly string[], role: string): boolean =>
  role === 'public' || active.includes(role)

/** `sys`: the same services that answer the calls, under the same privileges. */
export function createSystemSources(parts: SystemTableParts): SystemSources {
  return {
    queries: (actor) => queriesOf(parts.history, actor),
    ...createWarehouseSources(parts.warehouses),
    ...createAccessSources(parts),
    loads: (actor) => parts.loads().list(actor, {}),
    processes: (actor) => parts.processes(actor),
    variables: async (_, { connection }) => {
      const global = variablesOf({ ...connection, variables: withoutChoices(connection) })
      return Object.entries(variablesOf(connection)).map(([name, value]) => ({
        name,
        session_value: value,
        global_value: global[name] ?? value,
      }))
    },
    /** Those of the user: what SET ROLE leaves to the connection is enabled. */
    roles: async ({ user, heldRoles, activeRoles }, { wholeActor }) =>
      [...new Set([...heldRoles, 'public'])].map((role) => ({
        user_name: user,
        role_name: role,
        is_default: isActive(wholeActor.activeRoles, role),
        enabled: isActive(activeRoles, role),
      })),
    pipes: (actor) => pipesOf(parts.pipes(), actor),
    pipe_files: (actor) => pipeFilesOf(parts.pipes(), actor, MOST_SYSTEM_ROWS),
  }
}

import type { RunningStatement } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Progress } from '../../../engines/engine/run.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Schema } from '../../../store/schema.ts'
import { userAuthor } from '../../audit/author.ts'
import { type AuditEvent, recordAudit } from '../../audit/record.ts'
import { createHistoryStore } from './history-store.ts'
import { presentEntry } from './present-entry.ts'
import { seenBy, seesAll } from './seen-by.ts'

/** More than run at the same time in any account: each of its requests has a statement that runs or waits. */
const MOST_RUNNING = 1_000

/** What is known of a statement while it runs or waits. */
export interface Underway {
  /** Since its turn came. */
  readonly timeUsedMs: number
  readonly progress: Progress | null
  readonly queuePlace: number | null
}

export interface ActivityParts {
  readonly db: Kysely<Schema>
  /** Resolves when what has begun or ended by now is in the history. */
  readonly endsWritten: () => Promise<void>
  readonly queries: {
    /** Of those of the account that this server runs, by their query ids. */
    underway(accountId: string): ReadonlyMap<string, Underway>
    /** False when it has ended. */
    stop(accountId: string, queryId: string, by: Actor): Promise<boolean>
    hasConnection(actor: Actor, id: number): Promise<boolean>
    readonly connections: {
      /** Of the same user alone. */
      stopBeside(actor: Actor, id: number): void
    }
    killConnection(actor: Actor, id: number): Promise<boolean>
    killAnyConnection(accountId: string, id: number): Promise<boolean>
  }
  /** Users who may suspend a warehouse may see and stop what runs in it. */
  readonly warehouses: {
    isOperated(actor: Actor, warehouseId: string): Promise<boolean>
    isRunning(warehouseId: string): boolean
  }
  readonly clock: Clock
}

/** Who asks, and from where as far as that is known. */
export interface Killer {
  readonly actor: Actor
  readonly clientIp: string | null
}

export interface RunningRow {
  readonly entry: RunningStatement
  readonly connectionId: number
  readonly warehouseId: string | null
  readonly userId: string
}

const missing = () => new AppError('NotFound', 'There is no such statement, or you may not see it.')

/** Why it does not run yet. */
function reasonOf(
  row: { readonly state: string; readonly warehouse_id: string | null },
  queuePlace: number | null,
  isUp: (warehouseId: string) => boolean,
): RunningStatement['waitsFor'] {
  if (queuePlace !== null) return 'slot'
  if (row.state === 'accepted') return 'statement'
  return row.warehouse_id !== null && !isUp(row.warehouse_id) ? 'warehouse' : null
}

/** What runs now: those who may see it may stop it. */
export function createActivity({ db, endsWritten, queries, warehouses, clock }: ActivityParts) {
  const store = createHistoryStore(db)

  const record = ({ actor, clientIp }: Killer, event: Pick<AuditEvent, 'action' | 'object' | 'before'>) =>
    db.transaction().execute((trx) =>
      recordAudit(trx, {
        accountId: actor.accountId,
        at: clock.now(),
        by: userAuthor({ actor, clientIp: clientIp ?? '' }),
        after: null,
        ...event,
      }),
    )

  /** What somebody else sent is never stopped without a trace: that is written down first. */
  async function stop(
    killer: Killer,
    of: { queryId: string; userId: string; user: string },
  ): Promise<boolean> {
    const { actor } = killer
    if (of.userId !== actor.userId)
      await record(killer, {
        action: 'statement.kill',
        object: { type: 'statement', id: of.queryId },
        before: { user: of.user },
      })
    return queries.stop(actor.accountId, of.queryId, actor)
  }

  async function listed(actor: Actor, whose = seenBy(actor)): Promise<RunningRow[]> {
    await endsWritten()
    const underway = queries.underway(actor.accountId)
    const rows = await store.unfinished(whose, MOST_RUNNING)
    return rows.map((row) => {
      const known = underway.get(row.query_id)
      const entry = {
        ...presentEntry(row),
        durationMs: known?.timeUsedMs ?? null,
        progress: known?.progress?.percentage ?? null,
        progressRows: known?.progress?.rows ?? null,
        queuePlace: known?.queuePlace ?? null,
        waitsFor: reasonOf(row, known?.queuePlace ?? null, warehouses.isRunning),
      }
      return {
        entry,
        connectionId: row.connection_id ?? 0,
        warehouseId: row.warehouse_id,
        userId: row.user_id,
      }
    })
  }

  return {
    /** Oldest first. */
    running: listed,

    /** Those of everyone, for who could stop them all by suspending it; else the own ones. */
    async runningIn(actor: Actor, warehouseId: string): Promise<RunningRow[]> {
      if (!(await warehouses.isOperated(actor, warehouseId))) throw missing()
      const all = await listed(actor, { accountId: actor.accountId, user: null })
      return all.filter((row) => row.warehouseId === warehouseId)
    },

    /** False when it had ended already. */
    async kill(killer: Killer, queryId: string): Promise<boolean> {
      const { actor } = killer
      await endsWritten()
      const row = await store.detail({ accountId: actor.accountId, user: null }, queryId)
      if (!row) throw missing()
      const isAllowed =
        row.user_id === actor.userId ||
        seesAll(actor) ||
        (row.warehouse_id !== null && (await warehouses.isOperated(actor, row.warehouse_id)))
      if (!isAllowed) throw missing()
      return row.ended_at === null && stop(killer, { queryId, userId: row.user_id, user: row.user_name })
    },

    /** Stops what a connection of this user does beside statements. False when there is none. */
    async stopBeside(actor: Actor, id: number): Promise<boolean> {
      queries.connections.stopBeside(actor, id)
      return queries.hasConnection(actor, id)
    },

    /** Stops what runs on it, then ends it. False when there is none that this user may see. */
    async killConnection(killer: Killer, id: number): Promise<boolean> {
      const { actor } = killer
      const on = (await listed(actor)).filter(({ connectionId }) => connectionId === id)
      for (const { entry, userId } of on)
        await stop(killer, { queryId: entry.queryId, userId, user: entry.user })
      if (await queries.killConnection(actor, id)) return true
      if (!seesAll(actor) || !(await queries.killAnyConnection(actor.accountId, id))) return false
      const object = { type: 'connection', id: String(id) }
      await record(killer, { action: 'connection.kill', object, before: null })
      return true
    },
  }
}

export type Activity = ReturnType<typeof createActivity>

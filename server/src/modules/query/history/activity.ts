import type { RunningStatement } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Progress } from '../../../engines/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Schema } from '../../../store/schema.ts'
import { createHistoryStore } from './history-store.ts'
import { presentEntry } from './present-entry.ts'
import { seenBy, seesAll } from './seen-by.ts'

/** More than run at the same time in any account: each of its requests has a statement that runs or waits. */
const MOST_RUNNING = 1_000

/** What is known of a statement while it goes on. */
export interface Underway {
  readonly progress: Progress | null
  readonly queuePlace: number | null
}

export interface ActivityParts {
  readonly db: Kysely<Schema>
  readonly queries: {
    /** Of those of the account that this server runs, by their query ids. */
    underway(accountId: string): ReadonlyMap<string, Underway>
    /** False when it has ended. */
    stop(accountId: string, queryId: string, by: Actor): Promise<boolean>
    killConnection(actor: Actor, id: number): Promise<boolean>
    killAnyConnection(accountId: string, id: number): Promise<boolean>
  }
  /** Whoever may suspend a warehouse may see and stop what runs in it. */
  readonly warehouses: { isOperated(actor: Actor, warehouseId: string): Promise<boolean> }
}

export interface RunningRow {
  readonly entry: RunningStatement
  readonly connectionId: number
  readonly warehouseId: string | null
}

const missing = () => new AppError('NotFound', 'There is no such statement, or you may not see it.')

/** What goes on now: who may see it may stop it. */
export function createActivity({ db, queries, warehouses }: ActivityParts) {
  const store = createHistoryStore(db)

  async function listed(actor: Actor, whose = seenBy(actor)): Promise<RunningRow[]> {
    const underway = queries.underway(actor.accountId)
    const rows = await store.unfinished(whose, MOST_RUNNING)
    return rows.map((row) => {
      const known = underway.get(row.query_id)
      const entry = {
        ...presentEntry(row),
        progress: known?.progress?.percentage ?? null,
        progressRows: known?.progress?.rows ?? null,
        queuePlace: known?.queuePlace ?? null,
      }
      return { entry, connectionId: row.connection_id ?? 0, warehouseId: row.warehouse_id }
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
    async kill(actor: Actor, queryId: string): Promise<boolean> {
      const { accountId } = actor
      const row = await store.detail({ accountId, user: null }, queryId)
      if (!row) throw missing()
      const isAllowed =
        row.user_id === actor.userId ||
        seesAll(actor) ||
        (row.warehouse_id !== null && (await warehouses.isOperated(actor, row.warehouse_id)))
      if (!isAllowed) throw missing()
      return row.ended_at === null && queries.stop(accountId, queryId, actor)
    },

    /** Stops what runs on it, then ends it. False when there is none that this user may see. */
    async killConnection(actor: Actor, id: number): Promise<boolean> {
      const { accountId } = actor
      const on = (await listed(actor)).filter(({ connectionId }) => connectionId === id)
      await Promise.all(on.map(({ entry }) => queries.stop(accountId, entry.queryId, actor)))
      return seesAll(actor) ? queries.killAnyConnection(accountId, id) : queries.killConnection(actor, id)
    },
  }
}

export type Activity = ReturnType<typeof createActivity>

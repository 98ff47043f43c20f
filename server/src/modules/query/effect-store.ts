import { type Kysely, sql } from 'kysely'
import type { EngineOf } from '../../engines/engine/engine.ts'
import type { Schema } from '../../store/schema.ts'
import { moveAllRunning } from './journal-store.ts'

/** What is known of statements that were cut off, and whether they took effect. */
export const createEffectStore = (db: Kysely<Schema>) => ({
  enginesThatWrote: (since: Date): Promise<EngineOf[]> =>
    db
      .selectFrom('statements')
      .select(['account_id as accountId', 'engine'])
      .distinct()
      .where('writes', '=', true)
      .where('accepted_at', '>=', since)
      .execute(),

  /**
   * At start nothing runs yet: all that is unfinished was cut off when the last server ended. Of what wrote it is not
   * known yet whether it took effect.
   */
  interruptUnfinished: (at: Date): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await moveAllRunning(trx)
      const unfinished = trx.selectFrom('statements').where('state', 'in', ['accepted', 'running'])
      // What became of a transaction is said with its COMMIT, and not as lost with the next statement.
      await trx
        .updateTable('connections')
        .set({ in_transaction: false })
        .where(
          'connection_id',
          'in',
          unfinished.select('connection_id').where('state', '=', 'running').where('kind', '=', 'commit'),
        )
        .execute()
      await trx
        .updateTable('statements')
        .set({
          state: 'interrupted',
          ended_at: at,
          effect: sql<
            string | null
          >`case when writes then case when state = 'running' then 'unknown' else 'not taken' end end`,
        })
        .where('state', 'in', ['accepted', 'running'])
        .execute()
    }),

  /** Of one engine, so that those of another that cannot be asked do not take their places. */
  unknownEffects: async ({ accountId, engine }: EngineOf): Promise<string[]> => {
    const rows = await db
      .selectFrom('statements')
      .select('query_id')
      .where('account_id', '=', accountId)
      .where('engine', 'is not distinct from', engine)
      .where('effect', '=', 'unknown')
      .limit(1000)
      .execute()
    return rows.map((row) => row.query_id)
  },

  /** Of one account, or of all. */
  enginesWithUnknownEffects: (accountId?: string): Promise<EngineOf[]> =>
    db
      .selectFrom('statements')
      .select(['account_id as accountId', 'engine'])
      .distinct()
      .where('effect', '=', 'unknown')
      .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
      .execute(),

  /** Their engine does not remember, so that nobody can ever say it. */
  leaveUntold: (queryIds: readonly string[]) =>
    db
      .updateTable('statements')
      .set({ effect: null })
      .where('query_id', 'in', [...queryIds])
      .where('effect', '=', 'unknown')
      .execute(),

  /** The truth about a statement that was cut off: what took effect is finished, though nobody got that answer. */
  settle: (queryId: string, effect: { rowsChanged: number | null } | null) =>
    db
      .updateTable('statements')
      .set(
        effect
          ? { effect: 'taken', state: 'finished', row_count: effect.rowsChanged, error: null }
          : { effect: 'not taken' },
      )
      .where('query_id', '=', queryId)
      .where('effect', '=', 'unknown')
      .execute(),
})

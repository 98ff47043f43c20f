import { LIMITS } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

const HOUR_MS = 3_600_000

/** Which results are kept, how large they are, and which have expired. */
export function createResultRetentionStore(db: Kysely<Schema>) {
  const kept = (accountId: string) =>
    db.selectFrom('statements').where('account_id', '=', accountId).where('result_state', '=', 'kept')

  return {
    /** Nobody sees them any more, also those they were shared with. */
    expire: (queryIds: readonly string[]) =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('statements')
          .set({ result_state: 'expired' })
          .where('query_id', 'in', [...queryIds])
          .execute()
        await trx
          .deleteFrom('shared_results')
          .where('query_id', 'in', [...queryIds])
          .execute()
      }),

    async expiredBefore(at: Date): Promise<{ accountId: string; queryIds: string[] }[]> {
      const rows = await db
        .selectFrom('statements')
        .select(['account_id', 'query_id'])
        .where('result_state', '=', 'kept')
        .where('result_expires_at', '<=', at)
        .limit(1000)
        .execute()
      const accounts = [...new Set(rows.map((row) => row.account_id))]
      return accounts.map((accountId) => ({
        accountId,
        queryIds: rows.filter((row) => row.account_id === accountId).map((row) => row.query_id),
      }))
    },

    async accountsKeepingSince(at: Date): Promise<string[]> {
      const rows = await db
        .selectFrom('statements')
        .select('account_id')
        .distinct()
        .where('result_state', '=', 'kept')
        .where('result_expires_at', '>', new Date(at.getTime() + LIMITS.keptHours * HOUR_MS))
        .execute()
      return rows.map((row) => row.account_id)
    },

    /** Those whose size is not written down yet. Their files may still be on their way to the disk. */
    async unmeasured(accountId: string): Promise<string[]> {
      const rows = await kept(accountId).select('query_id').where('result_bytes', 'is', null).execute()
      return rows.map((row) => row.query_id)
    },

    async measured(sizes: readonly { queryId: string; bytes: number }[]): Promise<void> {
      if (sizes.length === 0) return
      const ids = sizes.map((size) => size.queryId)
      const bytes = sizes.map((size) => size.bytes)
      await sql`update statements set result_bytes = sizes.bytes
        from unnest(${ids}::uuid[], ${bytes}::bigint[]) as sizes (query_id, bytes)
        where statements.query_id = sizes.query_id`.execute(db)
    },

    async keptBytes(accountId: string): Promise<number> {
      const { bytes } = await kept(accountId)
        .select(sql<number>`coalesce(sum(result_bytes), 0)::bigint`.as('bytes'))
        .executeTakeFirstOrThrow()
      return bytes
    },

    async newestFirst(accountId: string): Promise<{ queryId: string; userId: string; bytes: number }[]> {
      const rows = await kept(accountId)
        .select(['query_id', 'user_id', 'result_bytes'])
        .where('result_bytes', 'is not', null)
        .orderBy('result_expires_at', 'desc')
        .orderBy('query_id', 'desc')
        .execute()
      return rows.map(({ query_id, user_id, result_bytes }) => ({
        queryId: query_id,
        userId: user_id ?? '',
        bytes: result_bytes ?? 0,
      }))
    },

    /** Which of these are kept. */
    async keptOf(accountId: string, queryIds: readonly string[]): Promise<Set<string>> {
      const rows = await kept(accountId)
        .select('query_id')
        .where(sql<boolean>`query_id = any(${[...queryIds]}::uuid[])`)
        .execute()
      return new Set(rows.map((row) => row.query_id))
    },
  }
}

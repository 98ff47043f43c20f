import { LIMITS, SHELL_STATES } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

const HOUR_MS = 3_600_000

/** What the database knows of kept results; their rows are files. */
export function createResultStore(db: Kysely<Schema>) {
  return {
    find: (accountId: string, queryId: string) =>
      db
        .selectFrom('statements')
        .select(['user_id', 'sql', 'result_state', 'result_expires_at', 'needed'])
        .where('account_id', '=', accountId)
        .where('query_id', '=', queryId)
        .executeTakeFirst(),

    /** What was run, where. */
    findRun: (accountId: string, queryId: string) =>
      db
        .selectFrom('statements')
        .select([
          'user_id',
          'sql',
          'kind',
          'connection_id',
          'catalog',
          'database_name',
          'warehouse_id',
          'client_ip',
        ])
        .where('account_id', '=', accountId)
        .where('query_id', '=', queryId)
        .executeTakeFirst(),

    expire: (queryIds: readonly string[]) =>
      db
        .updateTable('statements')
        .set({ result_state: 'expired' })
        .where('query_id', 'in', [...queryIds])
        .execute(),

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

    /** Writes down the sizes of what is on disk and answers those that are kept, newest first. */
    async measure(
      accountId: string,
      files: readonly { queryId: string; bytes: number }[],
    ): Promise<{ queryId: string; bytes: number }[]> {
      if (files.length === 0) return []
      const rows = await db
        .updateTable('statements')
        .from(
          sql<{
            query_id: string
            bytes: number
          }>`(select * from unnest(${files.map((file) => file.queryId)}::uuid[],
            ${files.map((file) => file.bytes)}::bigint[]) as f (query_id, bytes))`.as('files'),
        )
        .set({ result_bytes: sql<number>`files.bytes` })
        .whereRef('statements.query_id', '=', sql.ref('files.query_id'))
        .where('statements.account_id', '=', accountId)
        .where('statements.result_state', '=', 'kept')
        .returning(['statements.query_id', 'statements.result_bytes', 'statements.accepted_at'])
        .execute()
      return rows
        .sort((a, b) => b.accepted_at.getTime() - a.accepted_at.getTime())
        .map((row) => ({ queryId: row.query_id, bytes: row.result_bytes ?? 0 }))
    },

    accountStateOf: async (accountId: string): Promise<number> => {
      const row = await db
        .selectFrom('accounts')
        .select('shell_state')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row?.shell_state ?? SHELL_STATES.Closed
    },
  }
}

export type ResultStore = ReturnType<typeof createResultStore>

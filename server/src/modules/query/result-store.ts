import { LIMITS } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

const HOUR_MS = 3_600_000

/** What the database knows of kept results; their rows are the engine's. */
export function createResultStore(db: Kysely<Schema>) {
  return {
    find: (accountId: string, queryId: string) =>
      db
        .selectFrom('statements')
        .select(['user_id', 'sql', 'result_state', 'result_expires_at'])
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

    /** Writes down the sizes of what is on disk and answers them, newest first. */
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
        .returning(['statements.query_id', 'statements.result_bytes', 'statements.accepted_at'])
        .execute()
      return rows
        .sort((a, b) => b.accepted_at.getTime() - a.accepted_at.getTime())
        .map((row) => ({ queryId: row.query_id, bytes: row.result_bytes ?? 0 }))
    },

    insertDownload: (row: {
      code_hash: Buffer
      account_id: string
      user_id: string
      query_id: string
      format: string
      file: string
      file_name: string
      expires_at: Date
    }) => db.insertInto('downloads').values(row).execute(),

    /** Good once: whoever takes it first has it. */
    takeDownload: (codeHash: Buffer) =>
      db.deleteFrom('downloads').where('code_hash', '=', codeHash).returningAll().executeTakeFirst(),

    activeRolesOf: async (userId: string): Promise<string[]> => {
      const rows = await db
        .selectFrom('user_roles')
        .select('role')
        .where('user_id', '=', userId)
        .where('active', '=', true)
        .execute()
      return rows.map(({ role }) => role)
    },

    takeExpiredDownloads: (at: Date) =>
      db.deleteFrom('downloads').where('expires_at', '<=', at).returning(['account_id', 'file']).execute(),
  }
}

export type ResultStore = ReturnType<typeof createResultStore>

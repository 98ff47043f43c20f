import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Of a task that may still need its file. */
const UNFINISHED = ['queued', 'running', 'paused'] as const

/** Which uploads are still needed, and which can go. */
export function createUploadExpiryStore(db: Kysely<Schema>) {
  return {
    /** Whether a task needs the file, or may. */
    async isNeeded(uploadId: string): Promise<boolean> {
      const row = await db
        .selectFrom('load_tasks')
        .select('task_id')
        .where('upload_id', '=', uploadId)
        .where('state', 'in', UNFINISHED)
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** What is too old, unless it is being loaded. */
    expired: (now: Date, most: number) =>
      db
        .selectFrom('uploads')
        .select(['upload_id', 'account_id'])
        .where('expires_at', '<=', now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('load_tasks')
                .select('task_id')
                .whereRef('load_tasks.upload_id', '=', 'uploads.upload_id')
                .where('state', 'in', ['queued', 'running']),
            ),
          ),
        )
        .limit(most)
        .execute(),

    /** Uploads, and parts of transactions that are not over. */
    async idsOf(accountId: string): Promise<Set<string>> {
      const uploads = await db
        .selectFrom('uploads')
        .select('upload_id as name')
        .where('account_id', '=', accountId)
        .execute()
      const parts = await db
        .selectFrom('load_parts')
        .select('file as name')
        .where('account_id', '=', accountId)
        .execute()
      return new Set([...uploads, ...parts].map(({ name }) => name))
    },
  }
}

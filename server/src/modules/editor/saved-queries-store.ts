import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { SavedQueryDraft } from '../samples/saved-queries.ts'

/** Queries over the sample data, in folders of one user. */
export async function insertSavedQueries(
  trx: Transaction<Schema>,
  { accountId, userId, at }: { accountId: string; userId: string; at: Date },
  drafts: readonly SavedQueryDraft[],
): Promise<void> {
  const folders = new Map(
    [...new Set(drafts.map((query) => query.folder))].map((name) => [name, randomUUID()]),
  )
  const owner = { account_id: accountId, user_id: userId, created_at: at }
  for (const [name, folderId] of folders)
    await trx
      .insertInto('editor_folders')
      .values({ ...owner, folder_id: folderId, name })
      .execute()
  for (const [position, query] of drafts.entries())
    await trx
      .insertInto('editor_tabs')
      .values({
        ...owner,
        tab_id: randomUUID(),
        folder_id: folders.get(query.folder) ?? null,
        name: query.name,
        catalog_id: 'default_catalog',
        database_name: query.database,
        sql: query.sql,
        sample: true,
        // The first one is open, the others wait in their folder.
        hidden: position > 0,
        position,
        updated_at: at,
      })
      .execute()
}

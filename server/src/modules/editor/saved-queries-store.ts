import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { SAVED_QUERIES, type SavedQueryDraft } from '../samples/saved-queries.ts'

interface Owner {
  readonly accountId: string
  readonly userId: string
  readonly at: Date
}

/** Whether the account was made with samples, or somebody in it has some. */
async function hasSamples(trx: Transaction<Schema>, accountId: string): Promise<boolean> {
  const found = await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('wants_samples', '=', true),
        exists(
          selectFrom('editor_tabs')
            .select('tab_id')
            .whereRef('editor_tabs.account_id', '=', 'accounts.account_id')
            .where('sample', '=', true),
        ),
      ]),
    )
    .executeTakeFirst()
  return found !== undefined
}

/** A user who is added later finds the same samples in the editor as the first one. */
export async function giveSamples(trx: Transaction<Schema>, owner: Owner): Promise<void> {
  if (await hasSamples(trx, owner.accountId)) await insertSavedQueries(trx, owner, SAVED_QUERIES)
}

/** Queries over the sample data, in folders of one user. */
export async function insertSavedQueries(
  trx: Transaction<Schema>,
  { accountId, userId, at }: Owner,
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

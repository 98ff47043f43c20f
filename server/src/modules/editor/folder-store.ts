import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Folders of saved queries. */
export function folderQueries(db: Kysely<Schema>) {
  return {
    folders: (userId: string) =>
      db
        .selectFrom('editor_folders')
        .select(['folder_id', 'parent_id', 'name'])
        .where('user_id', '=', userId)
        .orderBy('name')
        .orderBy('folder_id')
        .execute(),

    insertFolder: (folder: {
      folder_id: string
      account_id: string
      user_id: string
      parent_id: string | null
      name: string
      created_at: Date
    }) => db.insertInto('editor_folders').values(folder).execute(),

    changeFolder: (userId: string, folderId: string, set: { name?: string; parent_id?: string | null }) =>
      db
        .updateTable('editor_folders')
        .set(set)
        .where('user_id', '=', userId)
        .where('folder_id', '=', folderId)
        .execute(),

    /** Those in it go with it. */
    deleteFolder: (userId: string, folderId: string) =>
      db
        .deleteFrom('editor_folders')
        .where('user_id', '=', userId)
        .where('folder_id', '=', folderId)
        .execute(),
  }
}

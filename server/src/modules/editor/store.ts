import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Every query names the user: a tab is never reached by its id alone. */
export function createEditorStore(db: Kysely<Schema>) {
  return {
    folders: (userId: string) =>
      db.selectFrom('editor_folders').selectAll().where('user_id', '=', userId).orderBy('name').execute(),

    /** Without texts: a list of saved queries can be long, and each text up to a megabyte. */
    tabs: (userId: string) =>
      db
        .selectFrom('editor_tabs')
        .select(['tab_id', 'folder_id', 'name', 'hidden', 'active'])
        .where('user_id', '=', userId)
        .orderBy('position')
        .orderBy('created_at')
        .execute(),

    countTabs: async (userId: string): Promise<number> => {
      const { count } = await db
        .selectFrom('editor_tabs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return count
    },

    find: (userId: string, tabId: string) =>
      db
        .selectFrom('editor_tabs')
        .leftJoin('editor_folders', 'editor_folders.folder_id', 'editor_tabs.folder_id')
        .selectAll('editor_tabs')
        .select('editor_folders.name as folder_name')
        .where('editor_tabs.user_id', '=', userId)
        .where('editor_tabs.tab_id', '=', tabId)
        .executeTakeFirst(),

    insert: (tab: {
      tab_id: string
      account_id: string
      user_id: string
      name: string
      sql: string
      at: Date
    }) => {
      const { at, ...columns } = tab
      return db
        .insertInto('editor_tabs')
        .values({ ...columns, position: 0, created_at: at, updated_at: at })
        .execute()
    },

    /** False when there is no such tab of this user. */
    updatePlace: async (
      userId: string,
      tabId: string,
      { catalog, database }: { catalog: string | null; database: string | null },
    ): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('editor_tabs')
        .set({ catalog, database_name: database })
        .where('user_id', '=', userId)
        .where('tab_id', '=', tabId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Writes only over the revision the client has seen; answers the new one, or undefined. */
    updateSql: (change: { userId: string; tabId: string; sql: string; revision: number; at: Date }) =>
      db
        .updateTable('editor_tabs')
        .set({ sql: change.sql, revision: change.revision + 1, updated_at: change.at })
        .where('user_id', '=', change.userId)
        .where('tab_id', '=', change.tabId)
        .where('revision', '=', change.revision)
        .returning('revision')
        .executeTakeFirst(),

    activate: (userId: string, tabId: string) =>
      db
        .updateTable('editor_tabs')
        .set({
          active: sql<boolean>`tab_id = ${tabId}`,
          hidden: sql<boolean>`hidden and tab_id <> ${tabId}`,
        })
        .where('user_id', '=', userId)
        .execute(),
  }
}

export type EditorStore = ReturnType<typeof createEditorStore>

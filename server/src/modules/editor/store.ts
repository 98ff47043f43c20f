import type { ChartSettings } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { accountIdOf, catalogIdOf, catalogName } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { requireKeptRoom } from '../quota/room.ts'

interface NewTab {
  readonly tab_id: string
  readonly account_id: string
  readonly user_id: string
  readonly folder_id: string | null
  readonly name: string
  readonly catalog: string | null
  readonly database_name: string | null
  readonly sql: string
  readonly at: Date
}

/** Of a text in the list of the bin. */
const LISTED_TEXT = 200

/** Behind all others. */
const lastPosition = (userId: string) =>
  sql<number>`(select coalesce(max(position), 0) + 1 from editor_tabs where user_id = ${userId})`

/** Every query names the user: a tab is never reached by its id alone. What is in the bin is reached by nothing else. */
function editorQueries(db: Kysely<Schema>) {
  const tabsOf = (userId: string) =>
    db.selectFrom('editor_tabs').where('user_id', '=', userId).where('deleted_at', 'is', null)
  const change = (userId: string, tabIds: readonly string[]) =>
    db
      .updateTable('editor_tabs')
      .where('user_id', '=', userId)
      .where('tab_id', 'in', [...tabIds])
      .where('deleted_at', 'is', null)

  return {
    folders: (userId: string) =>
      db
        .selectFrom('editor_folders')
        .select(['folder_id', 'parent_id', 'name'])
        .where('user_id', '=', userId)
        .orderBy('name')
        .orderBy('folder_id')
        .execute(),

    /** Without texts: a list of saved queries can be long, and each text up to a megabyte. */
    tabs: (userId: string) =>
      tabsOf(userId)
        .select(['tab_id', 'folder_id', 'name', 'hidden', 'active', 'sample', 'position', 'closed_at'])
        .orderBy('name')
        .orderBy('created_at')
        .execute(),

    countTabs: async (userId: string): Promise<number> => {
      const { count } = await tabsOf(userId)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },

    find: (userId: string, tabId: string) =>
      db
        .selectFrom('editor_tabs')
        .leftJoin('editor_folders', 'editor_folders.folder_id', 'editor_tabs.folder_id')
        .selectAll('editor_tabs')
        .select([
          'editor_folders.name as folder_name',
          catalogName('editor_tabs').$castTo<string | null>().as('catalog'),
        ])
        .where('editor_tabs.user_id', '=', userId)
        .where('editor_tabs.tab_id', '=', tabId)
        .where('editor_tabs.deleted_at', 'is', null)
        .executeTakeFirst(),

    /** Nothing when there is a tab with this id already, whosever it is. */
    insert: ({ at, catalog, ...columns }: NewTab) =>
      db
        .insertInto('editor_tabs')
        .values({
          ...columns,
          catalog_id: catalogIdOf(columns.account_id, catalog),
          position: lastPosition(columns.user_id),
          created_at: at,
          updated_at: at,
        })
        .onConflict((conflict) => conflict.column('tab_id').doNothing())
        .execute(),

    /** False when there is no such tab of this user. So are those below. */
    updatePlace: async (
      userId: string,
      tabId: string,
      { catalog, database }: { catalog: string | null; database: string | null },
    ): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId])
        .set({ catalog_id: catalogIdOf(accountIdOf('editor_tabs'), catalog), database_name: database })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** A sample stays as it is. */
    updateChart: async (userId: string, tabId: string, chart: ChartSettings): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId])
        .set({ chart: JSON.stringify(chart) })
        .where('sample', '=', false)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    rename: async (userId: string, tabId: string, name: string): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId]).set({ name }).executeTakeFirst()
      return numUpdatedRows > 0n
    },

    move: async (userId: string, tabId: string, folderId: string | null): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId]).set({ folder_id: folderId }).executeTakeFirst()
      return numUpdatedRows > 0n
    },

    hide: async (userId: string, tabId: string, at: Date): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId])
        .set({ hidden: true, active: false, closed_at: at })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** How much of it is kept: its text, name and chart. */
    bytesOf: async (userId: string, tabId: string): Promise<number> => {
      const row = await tabsOf(userId)
        .select(sql<number>`saved_query_bytes(editor_tabs)`.as('bytes'))
        .where('tab_id', '=', tabId)
        .forUpdate()
        .executeTakeFirst()
      return row?.bytes ?? 0
    },

    /** Writes only over the revision the client has seen; answers the new one, or undefined. */
    updateSql: (text: { userId: string; tabId: string; sql: string; revision: number; at: Date }) =>
      change(text.userId, [text.tabId])
        .set({ sql: text.sql, revision: text.revision + 1, updated_at: text.at })
        .where('revision', '=', text.revision)
        .where('sample', '=', false)
        .returning('revision')
        .executeTakeFirst(),

    /** One that was hidden is shown again, behind the others. */
    activate: (userId: string, tabId: string) =>
      db
        .updateTable('editor_tabs')
        .set({
          active: sql<boolean>`tab_id = ${tabId}`,
          hidden: sql<boolean>`hidden and tab_id <> ${tabId}`,
          position: sql<number>`case when hidden and tab_id = ${tabId} then ${lastPosition(userId)} else position end`,
        })
        .where('user_id', '=', userId)
        .where((eb) => eb.or([eb('active', '=', true), eb('tab_id', '=', tabId)]))
        .where('deleted_at', 'is', null)
        .execute(),

    order: (userId: string, tabIds: readonly string[]) =>
      change(userId, tabIds)
        .set({ position: sql<number>`array_position(${[...tabIds]}::uuid[], tab_id)` })
        .execute(),

    /** How many there were. */
    throwAway: async (userId: string, tabIds: readonly string[], at: Date): Promise<number> => {
      if (tabIds.length === 0) return 0
      const { numUpdatedRows } = await change(userId, tabIds)
        .set({ deleted_at: at, hidden: true, active: false, closed_at: at })
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    deleted: (userId: string, { offset, limit }: { offset: number; limit: number }) =>
      db
        .selectFrom('editor_tabs')
        .select(['tab_id', 'name', sql<string>`left(sql, ${LISTED_TEXT})`.as('sql'), 'deleted_at'])
        .where('user_id', '=', userId)
        .where('deleted_at', 'is not', null)
        .orderBy('deleted_at', 'desc')
        .orderBy('tab_id')
        .offset(offset)
        .limit(limit)
        .execute(),

    countDeleted: async (userId: string): Promise<number> => {
      const { count } = await db
        .selectFrom('editor_tabs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirstOrThrow()
      return count
    },

    restore: async (userId: string, tabId: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('editor_tabs')
        .set({ deleted_at: null, hidden: false, position: lastPosition(userId) })
        .where('user_id', '=', userId)
        .where('tab_id', '=', tabId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** All that is in the bin, or these of it; how many there were. */
    emptyBin: async (userId: string, tabIds?: readonly string[]): Promise<number> => {
      const { numDeletedRows } = await db
        .deleteFrom('editor_tabs')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is not', null)
        .$if(tabIds !== undefined, (all) =>
          all.where(sql<boolean>`tab_id = any(${[...(tabIds ?? [])]}::uuid[])`),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    /** Beyond so many the oldest go first. */
    forgetBeyond: (userId: string, most: number) =>
      db
        .deleteFrom('editor_tabs')
        .where('tab_id', 'in', (eb) =>
          eb
            .selectFrom('editor_tabs')
            .select('tab_id')
            .where('user_id', '=', userId)
            .where('deleted_at', 'is not', null)
            .orderBy('deleted_at', 'desc')
            .orderBy('tab_id')
            .offset(most),
        )
        .execute(),

    forgetDeletedBefore: async (before: Date, most: number): Promise<number> => {
      const old = db
        .selectFrom('editor_tabs')
        .select('tab_id')
        .where('deleted_at', '<', before)
        .orderBy('deleted_at')
        .limit(most)
      const { numDeletedRows } = await db
        .deleteFrom('editor_tabs')
        .where('tab_id', 'in', old)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

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

export type EditorQueries = ReturnType<typeof editorQueries>

const ownQueries = (trx: Transaction<Schema>) => ({
  ...editorQueries(trx),
  /** Behind a write that adds something. */
  requireQuota: (owner: { accountId: string; userId: string }) => requireKeptRoom(trx, owner, 'queries'),
})

type OwnQueries = ReturnType<typeof ownQueries>

export const createEditorStore = (db: Kysely<Schema>) => ({
  ...editorQueries(db),

  /** What counts and then changes is done by one at a time of a user. */
  alone: <T>(userId: string, work: (queries: OwnQueries) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`editor ${userId}`}, 0))`.execute(trx)
      return work(ownQueries(trx))
    }),

  /** Of a transaction, so that what is refused behind a write undoes it. */
  together: <T>(work: (queries: OwnQueries) => Promise<T>): Promise<T> =>
    db.transaction().execute((trx) => work(ownQueries(trx))),
})

export type EditorStore = ReturnType<typeof createEditorStore>

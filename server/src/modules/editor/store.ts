import type { ChartSettings, Parameter } from '@boathouse/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import { accountIdOf, catalogIdOf, catalogName } from '../../store/catalog-ids.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import { requireKeptRoom } from '../quota/room.ts'
import { lastPosition, tabsToChange } from './tab-rows-store.ts'
import { folderQueries } from './folder-store.ts'
import { binQueries } from './bin-store.ts'
import { versionQueries } from './version-store.ts'
import { openTabQueries } from './open-tabs-store.ts'

interface NewTab {
  readonly tab_id: string
  readonly account_id: string
  readonly user_id: string
  readonly folder_id: string | null
  readonly name: string
  readonly catalog: string | null
  readonly database_name: string | null
  readonly sql: string
  /** JSON. */
  readonly parameters: string | null
  readonly at: Date
}

/** Every query names the user: a tab is never reached by its id alone. What is in the bin is reached by nothing else. */
function editorQueries(db: Kysely<Schema>) {
  const tabsOf = (userId: string) =>
    db.selectFrom('editor_tabs').where('user_id', '=', userId).where('deleted_at', 'is', null)
  const change = tabsToChange(db)
  /** A sample stays as it is. */
  const changeUnlessSample = async (
    userId: string,
    tabId: string,
    values: { readonly chart: string } | { readonly parameters: ReturnType<typeof jsonText> },
  ): Promise<boolean> => {
    const { numUpdatedRows } = await change(userId, [tabId])
      .set(values)
      .where('sample', '=', false)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return {
    ...folderQueries(db),
    ...binQueries(db),
    ...openTabQueries(db),
    ...versionQueries(db),

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

    /** Does nothing if a tab with this id exists, of any user. */
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

    updateChart: (userId: string, tabId: string, chart: ChartSettings) =>
      changeUnlessSample(userId, tabId, { chart: JSON.stringify(chart) }),

    updateParameters: (userId: string, tabId: string, parameters: readonly Parameter[]) =>
      changeUnlessSample(userId, tabId, { parameters: jsonText(parameters) }),

    rename: async (userId: string, tabId: string, name: string): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId]).set({ name }).executeTakeFirst()
      return numUpdatedRows > 0n
    },

    move: async (userId: string, tabId: string, folderId: string | null): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId]).set({ folder_id: folderId }).executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Behind it, one at a time changes the text and its versions. */
    lockTab: (userId: string, tabId: string) =>
      tabsOf(userId).selectAll().where('tab_id', '=', tabId).forUpdate().executeTakeFirst(),

    /** How much of it is kept: its text, name, chart and parameters. */
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

import { type Kysely, sql, type Transaction } from 'kysely'
import { accountIdOf, catalogIdOf, catalogName } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import { requireKeptRoom } from '../quota/room.ts'
import { lastPosition, tabsToChange } from './tab-rows-store.ts'
import { folderQueries } from './folder-store.ts'
import { binQueries } from './bin-store.ts'
import { commentQueries } from './comment-store.ts'
import { snippetQueries } from './snippet-store.ts'
import { versionQueries } from './version-store.ts'
import { liveQueries } from './live-store.ts'
import { openTabQueries } from './open-tabs-store.ts'
import { shareQueries } from './share-store.ts'
import { sharePartnerQueries } from './share-partner-store.ts'
import { sharedListQueries } from './shared-list-store.ts'
import { sharedTabQueries } from './shared-tabs-store.ts'
import { tabTextQueries } from './tab-text-store.ts'

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

/**
 * Every query names the user whose tab it is, or who it is shared with: a tab is never reached by its id alone. What is in
 * the bin is reached by nothing else.
 */
function editorQueries(db: Kysely<Schema>) {
  const tabsOf = (userId: string) =>
    db.selectFrom('editor_tabs').where('user_id', '=', userId).where('deleted_at', 'is', null)
  const change = tabsToChange(db)
  return {
    ...folderQueries(db),
    ...tabTextQueries(db),
    ...sharePartnerQueries(db),
    ...sharedListQueries(db),
    ...binQueries(db),
    ...openTabQueries(db),
    ...versionQueries(db),
    ...liveQueries(db),
    ...commentQueries(db),
    ...snippetQueries(db),
    ...shareQueries(db),
    ...sharedTabQueries(db),

    /** Without texts: a list of saved queries can be long, and each text up to a megabyte. */
    tabs: (userId: string) =>
      tabsOf(userId)
        .select(['tab_id', 'folder_id', 'name', 'hidden', 'active', 'sample', 'position', 'closed_at'])
        .orderBy('name')
        .orderBy('created_at')
        .orderBy('tab_id')
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

    rename: async (userId: string, tabId: string, name: string): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId]).set({ name }).executeTakeFirst()
      return numUpdatedRows > 0n
    },

    move: async (userId: string, tabId: string, folderId: string | null): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId]).set({ folder_id: folderId }).executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}

export type EditorQueries = ReturnType<typeof editorQueries>

const ownQueries = (trx: Transaction<Schema>) => ({
  ...editorQueries(trx),
  /** Behind a write that adds something. */
  requireQuota: (owner: { accountId: string; userId: string }) => requireKeptRoom(trx, owner, 'queries'),
  /** Last, since it locks the log of the account. */
  recordAudit: (event: AuditEvent) => recordAudit(trx, event),
})

export type OwnQueries = ReturnType<typeof ownQueries>

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

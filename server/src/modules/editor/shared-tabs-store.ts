import { type Kysely, sql } from 'kysely'
import { catalogName } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { lastPosition } from './tab-rows-store.ts'

/** Whose access is asked about. */
export interface Reader {
  readonly accountId: string
  readonly userId: string
  /** Active ones, with those that they inherit. */
  readonly roles: readonly string[]
}

const levelFor = ({ userId, roles }: Reader) =>
  sql<number | null>`shared_level(editor_tabs, ${userId}::uuid, ${[...roles]}::text[])`

/** Queries of others, and which of them a user has open as tabs of their own. */
export function sharedTabQueries(db: Kysely<Schema>) {
  const openOf = (userId: string) => db.updateTable('editor_shared_tabs').where('user_id', '=', userId)

  return {
    findShared: (reader: Reader, tabId: string) =>
      db
        .selectFrom('editor_tabs')
        .innerJoin('users', 'users.user_id', 'editor_tabs.user_id')
        .leftJoin('editor_shared_tabs', (join) =>
          join
            .onRef('editor_shared_tabs.tab_id', '=', 'editor_tabs.tab_id')
            .on('editor_shared_tabs.user_id', '=', reader.userId),
        )
        .selectAll('editor_tabs')
        .select([
          'users.name as owner',
          levelFor(reader).as('level'),
          catalogName('editor_tabs').$castTo<string | null>().as('catalog'),
          sql<boolean>`coalesce(editor_shared_tabs.hidden, true)`.as('hidden'),
          sql<boolean>`coalesce(editor_shared_tabs.active, false)`.as('active'),
          // The folders of others are shown where these are shared, and nowhere else.
          sql<null>`null`.as('folder_name'),
        ])
        .where('editor_tabs.account_id', '=', reader.accountId)
        .where('editor_tabs.tab_id', '=', tabId)
        .where('editor_tabs.deleted_at', 'is', null)
        .executeTakeFirst(),

    openShared: (reader: Reader, most: number) =>
      db
        .selectFrom('editor_shared_tabs')
        .innerJoin('editor_tabs', 'editor_tabs.tab_id', 'editor_shared_tabs.tab_id')
        .select([
          'editor_tabs.tab_id',
          'editor_tabs.name',
          'editor_tabs.sample',
          'editor_shared_tabs.hidden',
          'editor_shared_tabs.active',
          'editor_shared_tabs.position',
          'editor_shared_tabs.closed_at',
        ])
        .where('editor_shared_tabs.user_id', '=', reader.userId)
        .where('editor_shared_tabs.hidden', '=', false)
        .where('editor_tabs.deleted_at', 'is', null)
        .where(levelFor(reader), 'is not', null)
        .orderBy('editor_shared_tabs.position')
        .limit(most)
        .execute(),

    countOpenShared: async (userId: string): Promise<number> => {
      const { count } = await db
        .selectFrom('editor_shared_tabs')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .where('hidden', '=', false)
        .executeTakeFirstOrThrow()
      return count
    },

    /** Shows it among the user's tabs, behind the others if it was not there. */
    openSharedTab: (userId: string, tabId: string) =>
      db
        .insertInto('editor_shared_tabs')
        .values({ user_id: userId, tab_id: tabId, position: lastPosition(userId) })
        .onConflict((conflict) =>
          conflict.columns(['user_id', 'tab_id']).doUpdateSet({
            hidden: false,
            position: sql<number>`case when editor_shared_tabs.hidden then excluded.position else editor_shared_tabs.position end`,
          }),
        )
        .execute(),

    /** Of the shared ones, this alone, or none of them. */
    activateShared: (userId: string, tabId: string) =>
      openOf(userId)
        .set({ active: sql<boolean>`tab_id = ${tabId}` })
        .where((eb) => eb.or([eb('active', '=', true), eb('tab_id', '=', tabId)]))
        .execute(),

    hideShared: async (userId: string, tabId: string, at: Date): Promise<boolean> => {
      const { numUpdatedRows } = await openOf(userId)
        .set({ hidden: true, active: false, closed_at: at })
        .where('tab_id', '=', tabId)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    orderShared: (userId: string, tabIds: readonly string[]) =>
      openOf(userId)
        .set({ position: sql<number>`array_position(${[...tabIds]}::uuid[], tab_id)` })
        .where('tab_id', 'in', [...tabIds])
        .execute(),

    /** Users other than the owner who have these open. */
    async readersOf(of: { tabId: string } | { folderId: string }, most: number): Promise<string[]> {
      const { rows } = await sql<{ user_id: string }>`
        ${
          'tabId' in of
            ? sql`with tabs as (select ${of.tabId}::uuid as tab_id)`
            : sql`with recursive folders as (
                select ${of.folderId}::uuid as folder_id
                union select below.folder_id from editor_folders below join folders on below.parent_id = folders.folder_id
              ), tabs as (select tab_id from editor_tabs join folders using (folder_id))`
        }
        select distinct user_id from editor_shared_tabs join tabs using (tab_id)
        where not hidden limit ${most}`.execute(db)
      return rows.map(({ user_id }) => user_id)
    },
  }
}

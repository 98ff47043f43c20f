import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import { catalogName } from '../../store/catalog-ids.ts'
import { containsText } from '../../store/contains-text.ts'
import type { Schema } from '../../store/schema.ts'
import { lastPosition, tabsToChange } from './tab-rows-store.ts'

/** In characters, and so many of them. */
const LONGEST_READ = 10_000
const MOST_READ = 20

/** Which saved queries are open as tabs, and in which order. */
export function openTabQueries(db: Kysely<Schema>) {
  const change = tabsToChange(db)

  return {
    hide: async (userId: string, tabId: string, at: Date): Promise<boolean> => {
      const { numUpdatedRows } = await change(userId, [tabId])
        .set({ hidden: true, active: false, closed_at: at })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

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

    /** Of one's own making, those last written first. There are at most so many of a user that no index is needed for it. */
    recentTabs: (userId: string, most: number) =>
      db
        .selectFrom('editor_tabs')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .where('sample', '=', false)
        .select(['tab_id', 'name', 'updated_at'])
        .orderBy('updated_at', 'desc')
        .orderBy('tab_id')
        .limit(most)
        .execute(),

    /** Not samples, and not what is so long that reading it takes time. */
    tabsNaming: async (userId: string, name: string) => {
      const rows = await db
        .selectFrom('editor_tabs')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .where(sql<boolean>`length(sql) <= ${sql.lit(LONGEST_READ)}`)
        .where(containsText(sql`sql`, name))
        .select(['tab_id as tabId', 'name', 'sql', 'database_name', catalogName('editor_tabs').as('catalog')])
        .orderBy('updated_at', 'desc')
        .orderBy('tab_id')
        .limit(MOST_READ)
        .execute()
      // One that was never given a place begins in the first one.
      return rows.map(({ tabId, name: tabName, sql: text, catalog, database_name }) => ({
        tabId,
        name: tabName,
        sql: text,
        catalog: (catalog as string | null) ?? DEFAULT_CATALOG,
        database: database_name ?? DEFAULT_DATABASE,
      }))
    },

    order: (userId: string, tabIds: readonly string[]) =>
      change(userId, tabIds)
        .set({ position: sql<number>`array_position(${[...tabIds]}::uuid[], tab_id)` })
        .execute(),
  }
}

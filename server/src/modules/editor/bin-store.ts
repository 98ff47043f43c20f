import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { lastPosition, tabsToChange } from './tab-rows-store.ts'

/** Of a text in the list of the bin. */
const LISTED_TEXT = 200

/** Deleted queries, which can be restored for a while. */
export function binQueries(db: Kysely<Schema>) {
  const change = tabsToChange(db)

  return {
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

    /** Beyond this number the oldest are removed first. */
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
  }
}

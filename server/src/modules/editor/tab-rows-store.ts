import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Behind all others. */
export const lastPosition = (userId: string) =>
  sql<number>`(select coalesce(max(position), 0) + 1 from editor_tabs where user_id = ${userId})`

/** Tabs of this user that are not in the bin. */
export const tabsToChange = (db: Kysely<Schema>) => (userId: string, tabIds: readonly string[]) =>
  db
    .updateTable('editor_tabs')
    .where('user_id', '=', userId)
    .where('tab_id', 'in', [...tabIds])
    .where('deleted_at', 'is', null)

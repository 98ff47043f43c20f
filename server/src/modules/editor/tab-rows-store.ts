import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Behind all others, those of other users included. */
export const lastPosition = (userId: string) =>
  sql<number>`(1 + greatest(
    (select coalesce(max(position), 0) from editor_tabs where user_id = ${userId}),
    (select coalesce(max(position), 0) from editor_shared_tabs where user_id = ${userId})))`

/** Tabs of this user that are not in the bin. */
export const tabsToChange = (db: Kysely<Schema>) => (userId: string, tabIds: readonly string[]) =>
  db
    .updateTable('editor_tabs')
    .where('user_id', '=', userId)
    .where('tab_id', 'in', [...tabIds])
    .where('deleted_at', 'is', null)

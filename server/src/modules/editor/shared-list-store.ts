import { type Kysely, sql } from 'kysely'
import { likeText } from '../../store/page.ts'
import type { Schema } from '../../store/schema.ts'
import type { Reader } from './shared-tabs-store.ts'

/**
 * All queries of others that the reader has access to: those that are shared themselves, and those in shared folders and in
 * the folders of these.
 */
const reachedBy = ({ accountId, userId, roles }: Reader) => sql`
  with recursive given as (
    select tab_id, folder_id, level from editor_shares
    where account_id = ${accountId} and (user_id = ${userId}::uuid
      or made_role = any(${[...roles]}::text[]) or built_in_role = any(${[...roles]}::text[]))
  ), folders as (
    select folder_id, level, name as path from given join editor_folders using (folder_id)
    union
    select below.folder_id, level, path || ' / ' || below.name
    from editor_folders below join folders on below.parent_id = folders.folder_id
  ), reached as (
    select tab_id, level, null as path from given where tab_id is not null
    union all
    select tab_id, level, path from editor_tabs join folders using (folder_id)
  ), queries as (
    select tab_id, max(level) as level, min(path) as path from reached group by tab_id
  )`

const isListed = ({ userId }: Reader, search: string) => sql`
  editor_tabs.user_id <> ${userId} and editor_tabs.deleted_at is null
  and lower(editor_tabs.name) like ${likeText(search)}`

/** What others share with a user. */
export function sharedListQueries(db: Kysely<Schema>) {
  return {
    sharedWith: async (reader: Reader, page: { search: string; offset: number; limit: number }) => {
      const { rows } = await sql<{
        tab_id: string
        name: string
        owner: string
        path: string | null
        level: number
        updated_at: Date
      }>`
        ${reachedBy(reader)}
        select tab_id, editor_tabs.name, users.name as owner, path, level, updated_at
        from queries join editor_tabs using (tab_id) join users on users.user_id = editor_tabs.user_id
        where ${isListed(reader, page.search)}
        order by lower(editor_tabs.name), tab_id offset ${page.offset} limit ${page.limit}`.execute(db)
      return rows
    },

    async countSharedWith(reader: Reader, search: string): Promise<number> {
      const { rows } = await sql<{ count: number }>`
        ${reachedBy(reader)}
        select count(*) from queries join editor_tabs using (tab_id)
        where ${isListed(reader, search)}`.execute(db)
      return rows[0]?.count ?? 0
    },
  }
}

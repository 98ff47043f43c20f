import type { SharedObject } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Who a query is shared with, as it is kept: one of the three. */
export interface PartnerColumns {
  readonly user_id: string | null
  readonly made_role: string | null
  readonly built_in_role: string | null
}

const columnsOf = ({ kind, id }: SharedObject) =>
  kind === 'query' ? { tab_id: id, folder_id: null } : { tab_id: null, folder_id: id }

const shareWith = (of: SharedObject, partner: PartnerColumns) =>
  sql<boolean>`(tab_id, folder_id, user_id, made_role, built_in_role) is not distinct from
    (${columnsOf(of).tab_id}::uuid, ${columnsOf(of).folder_id}::uuid, ${partner.user_id}::uuid, ${partner.made_role}::text, ${partner.built_in_role}::text)`

/** Who else has access to saved queries and folders. */
export function shareQueries(db: Kysely<Schema>) {
  const sharesOf = (of: SharedObject) =>
    db.selectFrom('editor_shares').where(of.kind === 'query' ? 'tab_id' : 'folder_id', '=', of.id)

  return {
    /** Of this user; undefined: they have no such query or folder, or it is in the bin. */
    ownName: async (userId: string, { kind, id }: SharedObject): Promise<string | undefined> => {
      const found =
        kind === 'query'
          ? await db
              .selectFrom('editor_tabs')
              .select('name')
              .where('user_id', '=', userId)
              .where('tab_id', '=', id)
              .where('deleted_at', 'is', null)
              .executeTakeFirst()
          : await db
              .selectFrom('editor_folders')
              .select('name')
              .where('user_id', '=', userId)
              .where('folder_id', '=', id)
              .executeTakeFirst()
      return found?.name
    },

    countShares: async (of: SharedObject): Promise<number> => {
      const { count } = await sharesOf(of)
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
    },

    findShare: (of: SharedObject, partner: PartnerColumns) =>
      sharesOf(of).select(['share_id', 'level']).where(shareWith(of, partner)).executeTakeFirst(),

    insertShare: (
      of: SharedObject,
      share: PartnerColumns & { share_id: string; account_id: string; level: number; created_at: Date },
    ) =>
      db
        .insertInto('editor_shares')
        .values({ ...share, ...columnsOf(of) })
        .execute(),

    changeShare: (shareId: string, level: number) =>
      db.updateTable('editor_shares').set({ level }).where('share_id', '=', shareId).execute(),

    deleteShare: (shareId: string) =>
      db.deleteFrom('editor_shares').where('share_id', '=', shareId).execute(),

    /** Of the object itself first, then of the folders above it. There are at most so many of each that all are listed. */
    shares: async (of: SharedObject) => {
      const { rows } = await sql<{
        user_name: string | null
        role: string | null
        level: number
        folder_name: string | null
      }>`
        with recursive above as (
          select folder_id, parent_id, name, 1 as distance from editor_folders
          where folder_id = ${
            of.kind === 'folder'
              ? sql`(select parent_id from editor_folders where folder_id = ${of.id})`
              : sql`(select folder_id from editor_tabs where tab_id = ${of.id})`
          }
          union all
          select up.folder_id, up.parent_id, up.name, distance + 1
          from editor_folders up join above on up.folder_id = above.parent_id
        ), shared as (
          select *, 0 as distance, null::text as folder_name from editor_shares
          where ${of.kind === 'folder' ? sql`folder_id` : sql`tab_id`} = ${of.id}
          union all
          select editor_shares.*, distance, above.name from editor_shares join above using (folder_id)
        )
        select users.name as user_name, coalesce(made_role, built_in_role) as role, level, folder_name
        from shared left join users using (user_id)
        order by distance, users.name, role`.execute(db)
      return rows
    },

    /** Which of a user's own are shared with anybody. */
    sharedIds: async (userId: string): Promise<Set<string>> => {
      const { rows } = await sql<{ id: string }>`
        select tab_id as id from editor_tabs where user_id = ${userId}
          and exists (select from editor_shares where editor_shares.tab_id = editor_tabs.tab_id)
        union all
        select folder_id from editor_folders where user_id = ${userId}
          and exists (select from editor_shares where editor_shares.folder_id = editor_folders.folder_id)`.execute(
        db,
      )
      return new Set(rows.map(({ id }) => id))
    },
  }
}

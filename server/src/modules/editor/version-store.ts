import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface VersionText {
  readonly tabId: string
  readonly userId: string
  readonly revision: number
  readonly sql: string
  readonly at: Date
}

/** Reached through a tab that is known to be the user's. */
export function versionQueries(db: Kysely<Schema>) {
  const versionsOf = (tabId: string) => db.selectFrom('editor_versions').where('tab_id', '=', tabId)

  return {
    latestVersion: (tabId: string) =>
      versionsOf(tabId)
        .select(['version_id', 'user_id', 'revision', 'name', 'begun_at', 'ran_at'])
        .orderBy('place', 'desc')
        .limit(1)
        .executeTakeFirst(),

    insertVersion: ({ tabId, userId, revision, sql: text, at }: VersionText) =>
      db
        .insertInto('editor_versions')
        .values({
          version_id: randomUUID(),
          tab_id: tabId,
          user_id: userId,
          revision,
          sql: text,
          begun_at: at,
          saved_at: at,
        })
        .execute(),

    /** Somebody else than who began it is remembered beside them. */
    continueVersion: (versionId: string, { userId, revision, sql: text, at }: VersionText) =>
      db
        .updateTable('editor_versions')
        .set({
          revision,
          sql: text,
          saved_at: at,
          others: sql<string[]>`case when user_id = ${userId} or ${userId} = any(others) then others
            else others || ${userId}::uuid end`,
        })
        .where('version_id', '=', versionId)
        .execute(),

    markVersion: (tabId: string, revision: number, at: Date) =>
      db
        .updateTable('editor_versions')
        .set({ ran_at: at })
        .where('tab_id', '=', tabId)
        .where('revision', '=', revision)
        .execute(),

    /** Without texts, each of which can have a megabyte. */
    versions: (tabId: string, { offset, limit }: { offset: number; limit: number }) =>
      versionsOf(tabId)
        .leftJoin('users', 'users.user_id', 'editor_versions.user_id')
        .select([
          'editor_versions.version_id',
          'editor_versions.name',
          sql<string | null>`concat_ws(', ', users.name, (select string_agg(name, ', ' order by name)
            from users as other where other.user_id = any(editor_versions.others)))`.as('user_name'),
          'editor_versions.saved_at',
          'editor_versions.ran_at',
          sql<number>`length(editor_versions.sql)`.as('characters'),
        ])
        .orderBy('place', 'desc')
        .offset(offset)
        .limit(limit)
        .execute(),

    countVersions: async (tabId: string): Promise<{ all: number; named: number }> =>
      versionsOf(tabId)
        .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('name').as('named')])
        .executeTakeFirstOrThrow(),

    versionText: (tabId: string, versionId: string) =>
      versionsOf(tabId).select(['sql', 'name']).where('version_id', '=', versionId).executeTakeFirst(),

    nameVersion: (versionId: string, name: string | null) =>
      db.updateTable('editor_versions').set({ name }).where('version_id', '=', versionId).execute(),

    /**
     * Of one query, or of all of a user, the oldest without a name that are beyond the number and the bytes. Those with a
     * name count, and stay.
     */
    forgetVersions: (of: { tabId: string } | { userId: string }, most: { count: number; bytes: number }) => {
      const isOf = 'tabId' in of ? sql`tab_id = ${of.tabId}` : sql`user_id = ${of.userId}`
      return sql`
        delete from editor_versions where version_id in (
          select version_id from (
            select version_id, name,
              row_number() over newest as number,
              sum(octet_length(sql)) over newest as bytes
            from editor_versions where ${isOf}
            window newest as (order by (name is not null) desc, place desc)
          ) counted
          where name is null and number > 1 and (number > ${most.count} or bytes > ${most.bytes})
        )`.execute(db)
    },
  }
}

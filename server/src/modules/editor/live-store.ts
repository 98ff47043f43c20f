import type { TextUpdate } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Changes of texts that several people have open. Reached through a tab that is known to be open to the user. */
export function liveQueries(db: Kysely<Schema>) {
  return {
    /** Somebody may have to catch up with its changes. */
    isLive: async (tabId: string): Promise<boolean> => {
      const found = await db
        .selectFrom('editor_updates')
        .select('revision')
        .where('tab_id', '=', tabId)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },

    /** One revision each, from this one on. */
    insertUpdates: (tabId: string, from: number, updates: readonly TextUpdate[]) =>
      db
        .insertInto('editor_updates')
        .values(
          updates.map(({ clientId, changes }, at) => {
            const json = JSON.stringify(changes)
            return {
              tab_id: tabId,
              revision: from + at,
              client_id: clientId,
              changes: json,
              bytes: json.length,
            }
          }),
        )
        .execute(),

    updatesSince: (tabId: string, revision: number, most: number) =>
      db
        .selectFrom('editor_updates')
        .select(['revision', 'client_id', 'changes'])
        .where('tab_id', '=', tabId)
        .where('revision', '>', revision)
        .orderBy('revision')
        .limit(most)
        .execute(),

    /** The oldest beyond the number and the bytes. */
    forgetUpdates: (tabId: string, most: { count: number; bytes: number }) =>
      sql`
        delete from editor_updates where tab_id = ${tabId} and revision <= (
          select max(revision) from (
            select revision, row_number() over newest as number, sum(bytes) over newest as bytes
            from editor_updates where tab_id = ${tabId}
            window newest as (order by revision desc)
          ) counted
          where number > ${most.count} or bytes > ${most.bytes}
        )`.execute(db),
  }
}

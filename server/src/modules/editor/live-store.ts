import { LIMITS, type TextUpdate } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Old ones are looked for whenever so many revisions, or so many bytes at once, have come. */
const FORGETS_EVERY = 100
const FORGETS_FROM_BYTES = 16 * 1024

/** Changes of texts that several people have open. Reached through a tab that is known to be open to the user. */
export function liveQueries(db: Kysely<Schema>) {
  /** The oldest beyond the number and the bytes. */
  const forgetUpdates = (tabId: string, most: { count: number; bytes: number }) =>
    sql`
      delete from editor_updates where tab_id = ${tabId} and revision <= (
        select max(revision) from (
          select revision, row_number() over newest as number, sum(bytes) over newest as bytes
          from editor_updates where tab_id = ${tabId}
          window newest as (order by revision desc)
        ) counted
        where number > ${most.count} or bytes > ${most.bytes}
      )`.execute(db)

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

    /** One revision each, from this one on. The oldest beyond what is kept go. */
    async insertUpdates(tabId: string, from: number, updates: readonly TextUpdate[]): Promise<void> {
      const rows = updates.map(({ clientId, changes }, at) => {
        const json = JSON.stringify(changes)
        return {
          tab_id: tabId,
          revision: from + at,
          client_id: clientId,
          changes: json,
          bytes: json.length,
        }
      })
      await db.insertInto('editor_updates').values(rows).execute()
      const isHundred =
        Math.floor((from + rows.length - 1) / FORGETS_EVERY) > Math.floor((from - 1) / FORGETS_EVERY)
      if (isHundred || rows.reduce((sum, { bytes }) => sum + bytes, 0) > FORGETS_FROM_BYTES)
        await forgetUpdates(tabId, { count: LIMITS.liveKept, bytes: LIMITS.liveKeptBytes })
    },

    updatesSince: (tabId: string, revision: number, most: number) =>
      db
        .selectFrom('editor_updates')
        .select(['revision', 'client_id', 'changes'])
        .where('tab_id', '=', tabId)
        .where('revision', '>', revision)
        .orderBy('revision')
        .limit(most)
        .execute(),
  }
}

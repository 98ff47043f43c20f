import type { Parameter, ResultLook } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import { tabsToChange } from './tab-rows-store.ts'

/** What a saved query says: its text, parameters and chart. Each names the user whose query it is. */
export function tabTextQueries(db: Kysely<Schema>) {
  const tabsOf = (userId: string) =>
    db.selectFrom('editor_tabs').where('user_id', '=', userId).where('deleted_at', 'is', null)
  const change = tabsToChange(db)
  /** A sample stays as it is. */
  const changeUnlessSample = async (
    userId: string,
    tabId: string,
    values:
      | { readonly chart: string }
      | { readonly parameters: ReturnType<typeof jsonText>; readonly changed_by_others: boolean },
  ): Promise<boolean> => {
    const { numUpdatedRows } = await change(userId, [tabId])
      .set(values)
      .where('sample', '=', false)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return {
    updateChart: (userId: string, tabId: string, chart: ResultLook) =>
      changeUnlessSample(userId, tabId, { chart: JSON.stringify(chart) }),

    /** Of the owner's query, by them or by somebody else. */
    updateParameters: (
      tab: { userId: string; tabId: string; isByOthers: boolean },
      parameters: readonly Parameter[],
    ) =>
      changeUnlessSample(tab.userId, tab.tabId, {
        parameters: jsonText(parameters),
        changed_by_others: tab.isByOthers,
      }),

    /** The owner has run what others changed. */
    confirmChanges: (userId: string, tabId: string) =>
      change(userId, [tabId]).set({ changed_by_others: false }).execute(),

    /** Behind it, one at a time changes the text and its versions. */
    lockTab: (userId: string, tabId: string) =>
      tabsOf(userId).selectAll().where('tab_id', '=', tabId).forUpdate().executeTakeFirst(),

    /** How much of it is kept: its text, name, chart and parameters. */
    bytesOf: async (userId: string, tabId: string): Promise<number> => {
      const row = await tabsOf(userId)
        .select(sql<number>`saved_query_bytes(editor_tabs)`.as('bytes'))
        .where('tab_id', '=', tabId)
        .forUpdate()
        .executeTakeFirst()
      return row?.bytes ?? 0
    },

    /** Writes only over the revision the client has seen; answers the new one, or undefined. Each change is one. */
    updateSql: (
      ownerId: string,
      text: { userId: string; tabId: string; sql: string; revision: number; at: Date },
      changes = 1,
    ) =>
      change(ownerId, [text.tabId])
        .set({
          sql: text.sql,
          revision: text.revision + changes,
          updated_at: text.at,
          changed_by_others: text.userId !== ownerId,
        })
        .where('revision', '=', text.revision)
        .where('sample', '=', false)
        .returning('revision')
        .executeTakeFirst(),
  }
}

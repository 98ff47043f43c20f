import { LIMITS } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import { warehouseNameNow } from '../sessions/warehouse-name-store.ts'

/** Everything but the plan and the columns of its result, of which a page could hold hundreds of megabytes. */
const LISTED = [
  'query_id',
  'request_id',
  'user_name',
  'door',
  'client_ip',
  'catalog',
  'database_name',
  'kind',
  'state',
  'effect',
  'writes',
  'accepted_at',
  'started_at',
  'ended_at',
  'row_count',
  'shown_bytes',
  'peak_memory_bytes',
  'cost_ccu',
  'engine',
  'error',
  'result_state',
] as const

/** Whose statements: one user's, or with null those of all in the account. */
export interface Seen {
  readonly accountId: string
  readonly userId: string | null
}

/** Behind the statement at which the page before ended: time and id, because times repeat. */
interface Page {
  readonly behind: { readonly at: Date; readonly id: string } | null
  readonly limit: number
}

export function createHistoryStore(db: Kysely<Schema>) {
  const seen = ({ accountId, userId }: Seen) => {
    const all = db
      .selectFrom('statements')
      .select(LISTED)
      // As it is called now, or as it was called when it is gone.
      .select(sql<string | null>`coalesce(${warehouseNameNow('statements')}, warehouse)`.as('warehouse'))
      .where('account_id', '=', accountId)
    return userId === null ? all : all.where('user_id', '=', userId)
  }

  return {
    /** Newest first, with the beginnings of their texts. */
    list(whose: Seen, { behind, limit }: Page) {
      let rows = seen(whose).where('visible', '=', true)
      if (behind) {
        const { at, id } = behind
        rows = rows.where((eb) =>
          eb.or([eb('accepted_at', '<', at), eb.and([eb('accepted_at', '=', at), eb('query_id', '<', id)])]),
        )
      }
      return rows
        .select([
          sql<string>`left(sql, ${LIMITS.listedSqlLength})`.as('sql'),
          sql<boolean>`char_length(sql) > ${LIMITS.listedSqlLength}`.as('sql_cut'),
        ])
        .orderBy('accepted_at', 'desc')
        .orderBy('query_id', 'desc')
        .limit(limit)
        .execute()
    },

    detail: (whose: Seen, queryId: string) =>
      seen(whose).select(['sql', 'profile']).where('query_id', '=', queryId).executeTakeFirst(),
  }
}

export type HistoryStore = ReturnType<typeof createHistoryStore>
export type ListedRow = Awaited<ReturnType<HistoryStore['list']>>[number]

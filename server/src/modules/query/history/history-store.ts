import { LIMITS } from '@boathouse/contract'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { statementCatalogName } from '../../../store/catalog-ids.ts'
import type { Schema } from '../../../store/schema.ts'
import { warehouseNameNow } from '../sessions/warehouse-name-store.ts'
import { tookMicros } from './duration-store.ts'
import type { ReadFilter } from './history-filter-store.ts'
import { newestFirst } from './newest-first-store.ts'
import { sameTextRuns } from './same-text-store.ts'
import type { Seen } from './seen-by.ts'

/** Everything but the plan and the columns of its result, of which a page could hold hundreds of megabytes. */
const LISTED = [
  'query_id',
  'request_id',
  'user_name',
  'door',
  'client_ip',
  'private_endpoint',
  'program',
  'key_name',
  'warehouse_id',
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
  'compile_us',
  'fetch_us',
  'peak_spill_bytes',
  'engine',
  'error',
  'result_state',
  'bound_values',
  'sql_bytes',
  'sql_hash',
] as const

/** As its warehouse is called now, or as it was called when it is gone. */
const warehouseName = () =>
  sql<string | null>`coalesce(${warehouseNameNow('statements')}, warehouse)`.as('warehouse')

/** The names in place of those that were written, and what it took. */
const namesNow = () =>
  [warehouseName(), statementCatalogName().as('catalog'), tookMicros().as('took_us')] as const

const beginning = () =>
  [
    sql<string>`left(sql, ${sql.lit(LIMITS.listedSqlLength)})`.as('sql'),
    sql<boolean>`char_length(sql) > ${sql.lit(LIMITS.listedSqlLength)}`.as('sql_cut'),
  ] as const

/** Where a page ends: time and id, because times repeat. */
export interface Place {
  readonly at: Date
  readonly id: string
}

interface Page extends ReadFilter {
  /** Behind the statement at which the page before ended. */
  readonly behind: Place | null
  readonly limit: number
  readonly endedOnly: boolean
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** More statements than a request can have. */
const MOST_OF_REQUEST = 10_000

type Statements = SelectQueryBuilder<Schema, 'statements', object>

const ended = (rows: Statements, { endedOnly }: Page): Statements =>
  endedOnly ? rows.where('ended_at', 'is not', null) : rows

const present = (rows: Statements, limit: number) =>
  newestFirst(rows.select(LISTED).select([...namesNow(), ...beginning()]))
    .limit(limit)
    .execute()

export function createHistoryStore(db: Kysely<Schema>) {
  const all = ({ accountId, user }: Seen): Statements => {
    const ofAccount = db.selectFrom('statements').where('account_id', '=', accountId)
    // By name there is an index; the id says who it is.
    return user ? ofAccount.where('user_name', '=', user.name).where('user_id', '=', user.id) : ofAccount
  }

  /** What the indexes lead to. */
  function reached(whose: Seen, { indexed, behind }: Page): Statements {
    let rows = all(whose).where(sql<boolean>`visible`)
    for (const condition of indexed) rows = rows.where(condition)
    return behind ? rows.where(sql<boolean>`(accepted_at, query_id) < (${behind.at}, ${behind.id})`) : rows
  }

  /**
   * Places alone, so that an index which has all that is looked at is read and nothing else. The limit inside keeps the
   * database from looking any further.
   */
  function looked(whose: Seen, page: Page) {
    const within = newestFirst(reached(whose, page).selectAll()).limit(page.looks)
    let found: Statements = db.selectFrom(within.as('statements'))
    for (const condition of page.looked) found = found.where(condition)
    return newestFirst(ended(found, page).select(['query_id', 'accepted_at']))
      .limit(page.limit)
      .execute()
  }

  return {
    sameText: sameTextRuns(db),

    /** Newest first, with the beginnings of their texts. */
    async list(whose: Seen, page: Page) {
      if (page.looked.length === 0) return present(ended(reached(whose, page), page), page.limit)
      const found = await looked(whose, page)
      const [newest, oldest] = [found[0], found.at(-1)]
      if (!newest || !oldest) return []
      const these = all(whose)
        .where(
          'query_id',
          'in',
          found.map(({ query_id }) => query_id),
        )
        // So that no other months are asked for them.
        .where('accepted_at', '>=', oldest.accepted_at)
        .where('accepted_at', '<=', newest.accepted_at)
      return present(these, page.limit)
    },

    /** These, as far as they are listed. */
    these: (whose: Seen, places: readonly Place[]) => {
      const times = places.map(({ at }) => at.getTime())
      const found = all(whose)
        .where(sql<boolean>`visible`)
        .where(
          'query_id',
          'in',
          places.map(({ id }) => id),
        )
        // So that no other months are asked for them.
        .where('accepted_at', '>=', new Date(Math.min(...times)))
        .where('accepted_at', '<=', new Date(Math.max(...times)))
      return present(found, places.length)
    },

    /** Statements of which this is the id, or the id of their request. */
    idsOf: async (whose: Seen, text: string): Promise<string[]> => {
      const rows = await all(whose)
        .select('query_id')
        .where((eb) =>
          UUID.test(text)
            ? eb.or([eb('request_id', '=', text), eb('query_id', '=', text)])
            : eb('request_id', '=', text),
        )
        .limit(MOST_OF_REQUEST)
        .execute()
      return rows.map(({ query_id }) => query_id)
    },

    /** Where `list` stopped looking; undefined when it has looked through all. */
    lookedTo: (whose: Seen, page: Page) =>
      newestFirst(reached(whose, page).select(['accepted_at', 'query_id']))
        .offset(page.looks - 1)
        .limit(1)
        .executeTakeFirst(),

    /** What has not ended, of the account or of one user in it, oldest first; `most` bounds a page, not what runs. */
    unfinished: (whose: Seen, most: number) =>
      all(whose)
        .where('visible', '=', true)
        .where('state', 'in', ['accepted', 'running'])
        .select([...LISTED, 'user_id', 'connection_id'])
        .select([...namesNow(), ...beginning()])
        .orderBy('accepted_at')
        .orderBy('query_id')
        .limit(most)
        .execute(),

    detail: (whose: Seen, queryId: string) =>
      all(whose)
        .select([
          ...LISTED,
          'user_id',
          'sql',
          'profile',
          'plan',
          'result_rows',
          'result_complete',
          'result_columns',
        ])
        .select(['result_expires_at', ...namesNow()])
        .where('query_id', '=', queryId)
        .executeTakeFirst(),

    plan: (whose: Seen, queryId: string) =>
      all(whose).select(['profile', 'peak_spill_bytes']).where('query_id', '=', queryId).executeTakeFirst(),
  }
}

export type HistoryStore = ReturnType<typeof createHistoryStore>
export type ListedRow = Awaited<ReturnType<HistoryStore['list']>>[number]

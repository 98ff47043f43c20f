import type { AuditFilter } from '@boathouse/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { containsText } from '../../store/contains-text.ts'
import type { Schema } from '../../store/schema.ts'

/** Where a page ends: time and number, because times repeat. */
export interface Place {
  readonly at: string
  readonly number: number
}

interface Page {
  readonly filter: AuditFilter
  readonly behind: Place | null
  readonly limit: number
}

/** How far is looked in one go for what no index has, in entries: some milliseconds. */
const LOOKS = 2_000
/** Of longer entries the list is not given what changed. */
const LISTED_BYTES = 16 * 1024

type Condition = RawBuilder<boolean>

const isoOf = (moment: string): string => new Date(moment).toISOString()

/** Everything that people read, without what only links the chain. */
const readable = sql`(entry::jsonb - '{account,number,previous}'::text[])::text`

/** An index has `indexed` in the order of the list; `looked` is looked for in what that leaves. */
function conditionsOf(accountId: string, { filter, behind }: Omit<Page, 'limit'>) {
  const { actor, objectType, from, until, text } = filter
  const indexed: Condition[] = [sql`account_id = ${accountId}`]
  const looked: Condition[] = []
  if (actor !== undefined) indexed.push(sql`author = ${actor}`)
  if (objectType !== undefined)
    (actor === undefined ? indexed : looked).push(sql`object_type = ${objectType}`)
  if (from !== undefined) indexed.push(sql`at >= ${isoOf(from)}`)
  if (until !== undefined) indexed.push(sql`at < ${isoOf(until)}`)
  if (behind) indexed.push(sql`(at, number) < (${behind.at}, ${behind.number})`)
  // As it is written in JSON.
  if (text !== undefined) looked.push(containsText(readable, JSON.stringify(text).slice(1, -1)))
  return { indexed: sql.join(indexed, sql` and `), looked }
}

export interface ListedRow extends Place {
  /** Without what changed, where that is long. */
  readonly shown: string
  readonly is_long: boolean
}

const newestFirst = sql`order by at desc, number desc`

export function createAuditListStore(db: Kysely<Schema>) {
  return {
    async page(accountId: string, page: Page): Promise<ListedRow[]> {
      const { indexed, looked } = conditionsOf(accountId, page)
      const reads = looked.length > 0 ? LOOKS : page.limit
      const matching = looked.length > 0 ? sql`where ${sql.join(looked, sql` and `)}` : sql``
      const { rows } = await sql<ListedRow>`
        select at, number, octet_length(entry) > ${LISTED_BYTES} as is_long,
          case when octet_length(entry) > ${LISTED_BYTES}
            then (entry::jsonb - '{after,before}'::text[])::text else entry end as shown
        from (
          select at, number, object_type, entry from audit_entries
          where ${indexed} ${newestFirst} limit ${reads}
        ) newest ${matching} ${newestFirst} limit ${page.limit}`.execute(db)
      return rows
    },

    /** The last entry that was looked at, when there may be more behind it. */
    async lookedTo(accountId: string, page: Omit<Page, 'limit'>): Promise<Place | undefined> {
      const { indexed, looked } = conditionsOf(accountId, page)
      if (looked.length === 0) return undefined
      const { rows } = await sql<Place>`
        select at, number from audit_entries where ${indexed} ${newestFirst}
        limit 1 offset ${LOOKS - 1}`.execute(db)
      return rows[0]
    },

    /** From one type to the next by the index, however many entries there are of each. */
    async objectTypes(accountId: string): Promise<string[]> {
      const { rows } = await sql<{ type: string }>`
        with recursive types (type) as (
          select min(object_type) from audit_entries where account_id = ${accountId}
          union all
          select (select min(object_type) from audit_entries
            where account_id = ${accountId} and object_type > type)
          from types where type is not null
        ) select type from types where type is not null`.execute(db)
      return rows.map(({ type }) => type)
    },

    entry: (accountId: string, number: number) =>
      db
        .selectFrom('audit_entries')
        .select('entry')
        .where('account_id', '=', accountId)
        .where('number', '=', number)
        .executeTakeFirst(),
  }
}

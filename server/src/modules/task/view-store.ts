import { LIMITS, type RefreshTrigger, type TaskState, foldedName } from '@boathouse/contract'
import type { IntervalUnit } from '@boathouse/sql'
import { type Kysely, sql } from 'kysely'
import type { Seen } from '../../engines/engine/names.ts'
import { catalogName } from '../../store/catalog-ids.ts'
import { likeText } from '../../store/page.ts'
import type { Schema } from '../../store/schema.ts'
import type { BoundName } from '../query/gate/bound-definitions.ts'
import { folded, sourceNames, catalogNames, viewsIn, inDatabase, toRow } from './view-rows-store.ts'
import { createViewLifeStore } from './view-life-store.ts'
import { createViewRefreshStore } from './view-refresh-store.ts'

/** By its full name. */
export interface ViewPlace {
  readonly catalog: string
  readonly database: string
  readonly name: string
}

/** The current name of the catalog, and the other names as of when it was read. */
export type SourceName = readonly [catalog: string, database: string, name: string]

export interface ViewRow extends ViewPlace {
  readonly view_id: string
  readonly account_id: string
  readonly state: 'making' | 'there' | 'renaming' | 'dropping'
  /** The name that it is being given. */
  readonly renaming_to: string | null
  readonly owner_id: string
  readonly query: string
  readonly home_catalog: string
  readonly home_database: string | null
  readonly comment: string
  readonly warehouse_id: string | null
  readonly trigger: RefreshTrigger
  readonly every_count: number | null
  readonly every_unit: IntervalUnit | null
  readonly starts_at: Date
  readonly paused: boolean
  readonly deferred: boolean
  readonly sources: readonly SourceName[]
  /** What its query uses, as of its creation or last confirmation; null: recorded with the next refresh. */
  readonly bound: readonly BoundName[] | null
  readonly refreshed_at: Date | null
  readonly changed_at: Date | null
  readonly being_written: boolean
  readonly next_refresh_at: Date | null
  readonly failures: number
  readonly created_at: Date
}

export interface ChangedMacro {
  readonly macro: ViewPlace
  readonly userId: string
  /** The user who changed it has all privileges, and can confirm the definitions of others. */
  readonly mayAll: boolean
}

export interface RenamedView extends ViewRow {
  readonly renaming_to: string
}

/** What every statement may have to know of it. */
export type KnownView = ViewPlace & Pick<ViewRow, 'view_id' | 'state' | 'renaming_to' | 'trigger' | 'sources'>

export type ViewTimes = Pick<ViewRow, 'trigger' | 'every_count' | 'every_unit' | 'starts_at'>

/** With how its last refresh went. */
export interface ListedView extends ViewRow {
  readonly last_state: TaskState | null
  readonly last_ended_at: Date | null
}

export type RefreshEnd = Partial<
  Pick<ViewRow, 'sources' | 'bound' | 'refreshed_at' | 'changed_at' | 'next_refresh_at' | 'failures'>
>

const lastRun = (column: 'state' | 'ended_at') =>
  sql`(select ${sql.ref(`task_runs.${column}`)} from task_runs
    where task_runs.view_id = materialized_views.view_id order by created_at desc, run_id desc limit 1)`

/** Definitions of materialized views. */
export function createViewStore(db: Kysely<Schema>) {
  return {
    ...createViewLifeStore(db),
    ...createViewRefreshStore(db),

    /** All of an account, whatever their state: each has its name for itself. */
    async ofAccount(accountId: string): Promise<KnownView[]> {
      const rows = await db
        .selectFrom('materialized_views')
        .select(['view_id', 'database', 'name', 'state', 'renaming_to', 'trigger'])
        .select([catalogName('materialized_views').as('catalog'), sourceNames()])
        .where('account_id', '=', accountId)
        .limit(LIMITS.materializedViewsPerAccount)
        .execute()
      return rows as KnownView[]
    },

    async find(accountId: string, place: ViewPlace): Promise<ViewRow | undefined> {
      const row = await viewsIn(db)
        .where(inDatabase(accountId, place))
        .where(folded('name'), '=', foldedName(place.name))
        .executeTakeFirst()
      return row && toRow(row)
    },

    async byId(viewId: string): Promise<ViewRow | undefined> {
      const row = await viewsIn(db).where('view_id', '=', viewId).executeTakeFirst()
      return row && toRow(row)
    },

    /** Those of a database that are there, by their names. */
    async page(
      accountId: string,
      place: Omit<ViewPlace, 'name'>,
      asked: { search: string; descending: boolean; offset: number; limit: number; seen: Seen },
    ): Promise<{ list: ListedView[]; total: number }> {
      const { search, descending, offset, limit, seen } = asked
      const matching = db
        .selectFrom('materialized_views')
        .where(inDatabase(accountId, place))
        .where('state', '=', 'there')
        .where(sql<string>`lower(name)`, 'like', likeText(search))
        .$if(seen !== 'all', (all) =>
          all.where(sql<boolean>`${folded('name')} = any(${seen === 'all' ? [] : [...seen]}::text[])`),
        )
      const { total } = await matching
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await matching
        .selectAll('materialized_views')
        .select(catalogNames())
        .select([lastRun('state').as('last_state'), lastRun('ended_at').as('last_ended_at')])
        .orderBy('name', descending ? 'desc' : 'asc')
        .offset(offset)
        .limit(limit)
        .execute()
      return { list: rows as unknown as ListedView[], total }
    },

    /** Those whose query may name a catalog. */
    async naming(accountId: string, catalog: string): Promise<ViewPlace[]> {
      return db
        .selectFrom('materialized_views')
        .select(['database', 'name', catalogName('materialized_views').as('catalog')])
        .where('account_id', '=', accountId)
        .where(sql<boolean>`query ~* ${`(^|[^a-z0-9_])"?${catalog}"?\\s*\\.`}`)
        .orderBy('database')
        .orderBy('name')
        .execute()
    },
  }
}

export type ViewStore = ReturnType<typeof createViewStore>

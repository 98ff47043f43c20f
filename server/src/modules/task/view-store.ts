import { LIMITS, type RefreshTrigger, type TaskState, foldedName } from '@boathouse/contract'
import type { IntervalUnit } from '@boathouse/sql'
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely'
import type { Seen } from '../../engines/engine/names.ts'
import type { Held } from '../../kernel/share.ts'
import { accountIdOf, catalogIdOf, catalogKeyOf, catalogName } from '../../store/catalog-ids.ts'
import { jsonText } from '../../store/json-text.ts'
import { likeText } from '../../store/page.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import { heldBy } from '../../store/held.ts'
import type { Schema } from '../../store/schema.ts'
import type { BoundName } from '../query/gate/bound-definitions.ts'

/** By its full name. */
export interface ViewPlace {
  readonly catalog: string
  readonly database: string
  readonly name: string
}

/** The catalog as it is called now, the rest as it was named when it was read. */
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
  /** What its query uses, as it was when it was made or confirmed; null: to be looked at with the next refresh. */
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
  /** Whoever made it may do everything, and may confirm what others have. */
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

export type ViewFilter = (eb: ExpressionBuilder<Schema, 'materialized_views'>) => ReturnType<typeof eb.and>

const folded = (column: 'catalog_id' | 'database' | 'name') => foldedColumn(`materialized_views.${column}`)

/** The place of the catalog in a `SourceName`. */
const IN_SOURCE = sql`'{0}'`

const sourceNames = () =>
  sql<SourceName[]>`catalog_names_in(materialized_views.sources, ${IN_SOURCE})`.as('sources')

/** As they are kept. */
const sourceIds = (accountId: string | ReturnType<typeof accountIdOf>, sources: readonly SourceName[]) =>
  sql<string>`catalog_ids_in(${accountId}, ${jsonText(sources)}::jsonb, ${IN_SOURCE})`

const boundIds = (accountId: ReturnType<typeof accountIdOf>, bound: readonly BoundName[]) =>
  sql<string>`catalog_ids_in(${accountId}, ${jsonText(bound)}::jsonb, ${IN_SOURCE})`

/** The names of catalogs, in place of their ids. */
const catalogNames = () =>
  [
    catalogName('materialized_views').as('catalog'),
    catalogName('materialized_views', 'home_catalog_id').as('home_catalog'),
    sourceNames(),
    sql<BoundName[] | null>`catalog_names_in(materialized_views.bound, ${IN_SOURCE})`.as('bound'),
  ] as const

export const viewsIn = (db: Kysely<Schema>) =>
  db.selectFrom('materialized_views').selectAll('materialized_views').select(catalogNames())

export const inDatabase =
  (accountId: string, { catalog, database }: Omit<ViewPlace, 'name'>): ViewFilter =>
  (eb) =>
    eb.and([
      eb('materialized_views.account_id', '=', accountId),
      eb(folded('catalog_id'), '=', catalogKeyOf(accountId, catalog)),
      eb(folded('database'), '=', foldedName(database)),
    ])

const amongIds = (ids: readonly string[]) => sql<boolean>`view_id = any(${ids}::uuid[])`

export const toRow = (row: object): ViewRow => row as ViewRow

const lastRun = (column: 'state' | 'ended_at') =>
  sql`(select ${sql.ref(`task_runs.${column}`)} from task_runs
    where task_runs.view_id = materialized_views.view_id order by created_at desc limit 1)`

/** Definitions of materialized views. */
export function createViewStore(db: Kysely<Schema>) {
  return {
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

    /** One after the other for an account, so that two at the same moment cannot both be the last that there may be. */
    async countAlone(trx: Transaction<Schema>, accountId: string, ownerId: string): Promise<Held> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`materialized_views ${accountId}`}, 0))`.execute(
        trx,
      )
      return trx
        .selectFrom('materialized_views')
        .select(heldBy(ownerId, 'owner_id'))
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
    },

    /** False when the name is taken. */
    async insert(trx: Transaction<Schema>, row: ViewRow): Promise<boolean> {
      const promised = await trx
        .selectFrom('materialized_views')
        .select('view_id')
        .where(inDatabase(row.account_id, row))
        .where(sql<boolean>`${foldedColumn('materialized_views.renaming_to')} = ${foldedName(row.name)}`)
        .limit(1)
        .executeTakeFirst()
      if (promised) return false
      const { catalog, home_catalog, sources, bound: _, ...kept } = row
      const inserted = await trx
        .insertInto('materialized_views')
        .values({
          ...kept,
          catalog_id: catalogIdOf(row.account_id, catalog),
          home_catalog_id: catalogIdOf(row.account_id, home_catalog),
          sources: sourceIds(row.account_id, sources),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('view_id')
        .executeTakeFirst()
      return inserted !== undefined
    },

    async remove(viewId: string, executor: Kysely<Schema> = db): Promise<void> {
      await executor.deleteFrom('materialized_views').where('view_id', '=', viewId).execute()
    },

    /** The database is gone with everything in it. */
    async removeIn(accountId: string, place: Omit<ViewPlace, 'name'>): Promise<void> {
      await db.deleteFrom('materialized_views').where(inDatabase(accountId, place)).execute()
    },

    async removeInCatalog(trx: Transaction<Schema>, accountId: string, catalog: string): Promise<void> {
      await trx
        .deleteFrom('materialized_views')
        .where('account_id', '=', accountId)
        .where(folded('catalog_id'), '=', catalogKeyOf(accountId, catalog))
        .execute()
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

    async setState(viewId: string, state: ViewRow['state'], executor: Kysely<Schema> = db): Promise<void> {
      await executor.updateTable('materialized_views').set({ state }).where('view_id', '=', viewId).execute()
    },

    /** False when somebody else drops or renames it. */
    async beginDrop(viewId: string): Promise<boolean> {
      const begun = await db
        .updateTable('materialized_views')
        .set({ state: 'dropping' })
        .where('view_id', '=', viewId)
        .where('state', '=', 'there')
        .returning('view_id')
        .executeTakeFirst()
      return begun !== undefined
    },

    /** What somebody changes of it. */
    async change(
      executor: Kysely<Schema>,
      viewId: string,
      change: Partial<Pick<ViewRow, 'paused' | 'comment' | 'next_refresh_at'> & ViewTimes>,
    ): Promise<void> {
      await executor.updateTable('materialized_views').set(change).where('view_id', '=', viewId).execute()
    },

    /** What it uses is right as it is with its next refresh. */
    async confirm(executor: Kysely<Schema>, viewId: string): Promise<void> {
      await executor
        .updateTable('materialized_views')
        .set({ bound: null })
        .where('view_id', '=', viewId)
        .execute()
    },

    /** Somebody has made a macro: to the views of those who trust them it is right as it is. */
    async macroChanged(accountId: string, { macro, userId, mayAll }: ChangedMacro): Promise<void> {
      const catalog = catalogIdOf(accountId, macro.catalog)
      await db
        .updateTable('materialized_views')
        .set({
          bound: sql<string>`coalesce(bound_after_change(bound, ${catalog}, ${macro.database}, ${macro.name},
            ${mayAll}::boolean or owner_id = ${userId}), bound)`,
        })
        .where('account_id', '=', accountId)
        .where('bound', 'is not', null)
        .execute()
    },

    async refreshed(executor: Kysely<Schema>, viewId: string, end: RefreshEnd): Promise<void> {
      const { sources, bound, ...rest } = end
      await executor
        .updateTable('materialized_views')
        .set({
          ...rest,
          ...(sources ? { sources: sourceIds(accountIdOf('materialized_views'), sources) } : {}),
          ...(bound ? { bound: boundIds(accountIdOf('materialized_views'), bound) } : {}),
        })
        .where('view_id', '=', viewId)
        .execute()
    },

    async due(now: Date, most: number): Promise<ViewRow[]> {
      const rows = await viewsIn(db)
        .where('state', '=', 'there')
        .where('paused', '=', false)
        .where('next_refresh_at', '<=', now)
        // Accounts in turn: one with many does not hold up the others.
        .orderBy(sql`row_number() over (partition by account_id order by next_refresh_at)`)
        .orderBy('next_refresh_at')
        .limit(most)
        .execute()
      return rows.map(toRow)
    },

    /** False when somebody else has it, or it is not due any more. */
    async claim(trx: Transaction<Schema>, { view_id, next_refresh_at }: ViewRow, next: Date | null) {
      const claimed = await trx
        .updateTable('materialized_views')
        .set({ next_refresh_at: next })
        .where('view_id', '=', view_id)
        .where('state', '=', 'there')
        .where('next_refresh_at', '=', next_refresh_at)
        .returning('view_id')
        .executeTakeFirst()
      return claimed !== undefined
    },

    async beingWritten(ids: readonly string[]): Promise<void> {
      await db
        .updateTable('materialized_views')
        .set({ being_written: true })
        .where(amongIds(ids))
        .where('being_written', '=', false)
        .execute()
    },

    /** What wrote to what these read has ended; `next`: when they are refreshed, unless they are sooner. */
    async written(
      ids: readonly string[],
      { still, changedAt, gapMs }: { still: readonly string[]; changedAt: Date | null; gapMs: number },
    ): Promise<void> {
      const next = sql<Date>`coalesce(next_refresh_at, greatest(${changedAt}::timestamptz,
        refreshed_at + ${gapMs} * interval '1 millisecond'))`
      await db
        .updateTable('materialized_views')
        .set({
          being_written: sql<boolean>`view_id = any(${still}::uuid[])`,
          ...(changedAt ? { changed_at: changedAt, next_refresh_at: next } : {}),
        })
        .where(amongIds(ids))
        .execute()
    },

    /** At start: nobody knows whether what was being written is. */
    async assumeWritten(now: Date): Promise<void> {
      await db
        .updateTable('materialized_views')
        .set({
          being_written: false,
          changed_at: now,
          next_refresh_at: sql<Date>`coalesce(next_refresh_at, ${now}::timestamptz)`,
        })
        .where('being_written', '=', true)
        .execute()
    },

    /** Whose drop was not finished. */
    async dropping(most: number): Promise<ViewRow[]> {
      const rows = await viewsIn(db).where('state', '=', 'dropping').limit(most).execute()
      return rows.map(toRow)
    },
  }
}

export type ViewStore = ReturnType<typeof createViewStore>

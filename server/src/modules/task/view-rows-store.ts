import { foldedName } from '@boathouse/contract'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { type accountIdOf, catalogKeyOf, catalogName } from '../../store/catalog-ids.ts'
import { jsonText } from '../../store/json-text.ts'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'
import type { BoundName } from '../query/gate/bound-definitions.ts'
import type { ViewPlace, SourceName, ViewRow } from './view-store.ts'

export type ViewFilter = (eb: ExpressionBuilder<Schema, 'materialized_views'>) => ReturnType<typeof eb.and>

export const folded = (column: 'catalog_id' | 'database' | 'name') =>
  foldedColumn(`materialized_views.${column}`)

/** The place of the catalog in a `SourceName`. */
const IN_SOURCE = sql`'{0}'`

export const sourceNames = () =>
  sql<SourceName[]>`catalog_names_in(materialized_views.sources, ${IN_SOURCE})`.as('sources')

/** As they are kept. */
export const sourceIds = (
  accountId: string | ReturnType<typeof accountIdOf>,
  sources: readonly SourceName[],
) => sql<string>`catalog_ids_in(${accountId}, ${jsonText(sources)}::jsonb, ${IN_SOURCE})`

export const boundIds = (accountId: ReturnType<typeof accountIdOf>, bound: readonly BoundName[]) =>
  sql<string>`catalog_ids_in(${accountId}, ${jsonText(bound)}::jsonb, ${IN_SOURCE})`

/** The names of catalogs, in place of their ids. */
export const catalogNames = () =>
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

export const amongIds = (ids: readonly string[]) => sql<boolean>`view_id = any(${ids}::uuid[])`

export const toRow = (row: object): ViewRow => row as ViewRow

import { foldedName } from '../kernel/same-name.ts'
import { type Expression, type RawBuilder, sql } from 'kysely'

/** The tables that keep a catalog by its id: what it is called is known when it is read. */
export type CatalogKeeper =
  | 'connections'
  | 'editor_tabs'
  | 'grants'
  | 'load_tasks'
  | 'materialized_views'
  | 'pipes'
  | 'scheduled_tasks'
  | 'task_runs'
  | 'view_owners'

const FIRST = 'default_catalog'

/** As a value, or as the column of the row that is written. */
type AccountId = string | Expression<string>

/** The same for every account: nobody need be asked, and the database plans with the value. */
const standsForItself = (name: string | null): boolean =>
  name === '' || (typeof name === 'string' && foldedName(name) === FIRST)

/** By which a catalog of the account is kept; the name itself where none is called so. */
export const catalogIdOf = <Name extends string | null>(
  accountId: AccountId,
  name: Name,
): RawBuilder<Name extends null ? string | null : string> => sql`catalog_id_of(${accountId}, ${name})`

/** The same as it is compared: names of catalogs that are gone are compared as all names are. */
export const catalogKeyOf = (accountId: string, name: string): RawBuilder<string> =>
  standsForItself(name)
    ? sql`${foldedName(name)}`
    : sql`lower(catalog_id_of(${accountId}, ${name}) collate "C")`

export const accountIdOf = (table: CatalogKeeper): RawBuilder<string> => sql.ref(`${table}.account_id`)

/** What the catalog of a row is called now. */
export const catalogName = (of: CatalogKeeper, column = 'catalog_id'): RawBuilder<string> => {
  const id = sql.ref(`${of}.${column}`)
  return sql`coalesce(catalog_name_of(${id}), ${id})`
}

/** What the catalog of a statement is called now, or was called when it is gone. */
export const statementCatalogName = (): RawBuilder<string | null> =>
  sql`coalesce(catalog_name_of(statements.catalog_id), statements.catalog)`

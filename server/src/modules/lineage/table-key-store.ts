import { foldedName, isSameName } from '@boathouse/contract'
import { type RawBuilder, sql } from 'kysely'
import { catalogKeyOf } from '../../store/catalog-ids.ts'

/** A table, view or materialized view, in any letters. */
export interface TablePlace {
  readonly catalog: string
  readonly database: string
  readonly name: string
}

export const isSameTable = (a: TablePlace, b: TablePlace): boolean =>
  isSameName(a.catalog, b.catalog) && isSameName(a.database, b.database) && isSameName(a.name, b.name)

/** The row of a table, or of one that was joined to another under this name. */
export const isTable = (
  accountId: string,
  { catalog, database, name }: TablePlace,
  of = 'of_table',
): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${of}.account_id`)} = ${accountId} and ${sql.ref(`${of}.catalog_id`)} = ${catalogKeyOf(accountId, catalog)}
    and ${sql.ref(`${of}.database`)} = ${foldedName(database)} and ${sql.ref(`${of}.name`)} = ${foldedName(name)}`

import type { TableLike } from '@boathouse/contract/schema-objects'
import { type CatalogParams, stringifyCatalog } from './catalog-segment.ts'
import { pagePath } from './paths.ts'
import type { Place } from './paths.ts'

const DATABASE = 'database-'
const PREFIXES: Readonly<Record<TableLike, string>> = {
  table: 'table-',
  view: 'view-',
  materialized_view: 'mv-',
}

export interface ObjectSegment {
  readonly type: TableLike
  readonly name: string
}

const segment = (text: string): string => `/${encodeURIComponent(text)}`

/** What is in a catalog: a database, or a table or view in one. */
export interface InCatalog {
  readonly database: string
  readonly object?: ObjectSegment
}

/** One catalog, a database in it, or what is in that. */
export function catalogPath(place: Place, of: CatalogParams, inside?: InCatalog): string {
  const database = inside ? segment(`${DATABASE}${inside.database}`) : ''
  const object = inside?.object ? segment(`${PREFIXES[inside.object.type]}${inside.object.name}`) : ''
  return pagePath(place, `catalog${segment(stringifyCatalog(of))}${database}${object}`)
}

/** Where files are loaded into a database, or a table in it. */
export function loadPath(place: Place, of: CatalogParams, { database, object }: InCatalog): string {
  const table = object ? `?table=${encodeURIComponent(object.name)}` : ''
  return `${catalogPath(place, of, { database })}/load${table}`
}

/** One pipe of a database. */
export const pipePath = (place: Place, of: CatalogParams, at: { database: string; pipe: string }): string =>
  `${catalogPath(place, of, at)}/pipe${segment(at.pipe)}`

/** Of a segment of an address; null when it names none. */
export const databaseOf = (text: string): string | null =>
  text.startsWith(DATABASE) && text.length > DATABASE.length ? text.slice(DATABASE.length) : null

/** A table, view or materialized view, by the same rule. */
export function objectOf(text: string): ObjectSegment | null {
  for (const [type, prefix] of Object.entries(PREFIXES) as [TableLike, string][])
    if (text.startsWith(prefix) && text.length > prefix.length)
      return { type, name: text.slice(prefix.length) }
  return null
}

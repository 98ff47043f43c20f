import { likeMatcher, quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Asking } from '../engine/asking.ts'
import type {
  CatalogReader,
  Catalogs,
  DatabaseStatements,
  ListedTables,
  TableList,
} from '../engine/catalogs.ts'
import type { DatabasePlace, NamedObject, NamePage, NamesFound, Seen, TableType } from '../engine/names.ts'

import { FIRST_DATABASE, placeIn } from './places.ts'

/** Of one list. */
const MOST_NAMES = 100_000
const OWN = 'information_schema'

const pathOf = ({ catalog, database }: DatabasePlace): string =>
  `${quoteIdentifier(catalog)}.${quoteIdentifier(database)}`

const listIn = (catalog: string, list: 'schemata' | 'tables'): string =>
  `${quoteIdentifier(catalog)}.${OWN}.${list}`

/** Names are in small letters here, whatever they were written in. */
const literal = (name: string): string => quoteString(name.toLowerCase())

const isSeen = (seen: Seen, name: string): boolean => seen === 'all' || seen.has(name)

const TYPES: Readonly<Record<TableType, string>> = { table: 'BASE TABLE', view: 'VIEW' }
const typeOf = (type: string | null | undefined): TableType => (type === TYPES.view ? 'view' : 'table')

function pageOf(names: readonly string[], page: NamePage): { total: number; shown: string[] } {
  const { descending, offset, limit, seen, search, except } = page
  const part = search.toLowerCase()
  const found = names.filter((name) => isSeen(seen, name) && name.includes(part) && !except?.has(name))
  const inOrder = descending ? found.toReversed() : found
  return { total: found.length, shown: inOrder.slice(offset, offset + limit) }
}

async function namesIn({ read }: Asking, sql: string): Promise<string[]> {
  const { rows } = await read(sql, MOST_NAMES)
  return rows.flatMap(([name]) => name ?? [])
}

const databases = (asking: Asking, catalog: string): Promise<string[]> =>
  namesIn(
    asking,
    `SELECT schema_name FROM ${listIn(catalog, 'schemata')} WHERE schema_name <> '${OWN}' ORDER BY 1`,
  )

const tablesOf = (asking: Asking, { catalog, database }: DatabasePlace, type: TableType): Promise<string[]> =>
  namesIn(
    asking,
    `SELECT table_name FROM ${listIn(catalog, 'tables')}
     WHERE table_schema = ${literal(database)} AND table_type = '${TYPES[type]}' ORDER BY 1`,
  )

async function databasePage(asking: Asking, catalog: string, page: NamePage): Promise<NamesFound> {
  const { total, shown } = pageOf(await databases(asking, catalog), page)
  if (shown.length === 0) return { total, list: [] }
  const { rows } = await asking.read(
    `SELECT table_schema, count(*) FROM ${listIn(catalog, 'tables')}
     WHERE table_schema IN (${shown.map(literal).join(', ')}) GROUP BY 1`,
    shown.length,
  )
  const counts = new Map(rows.map(([name, count]) => [name, Number(count)]))
  return { total, list: shown.map((name) => ({ name, tables: counts.get(name) ?? 0 })) }
}

async function tables(asking: Asking, place: DatabasePlace, list: TableList): Promise<ListedTables> {
  const { seen, like, limit } = list
  const { rows, truncated } = await asking.read(
    `SELECT table_name, table_type FROM ${listIn(place.catalog, 'tables')}
     WHERE table_schema = ${literal(place.database)} ORDER BY 1`,
    MOST_NAMES,
  )
  const names = rows
    .flatMap(([name, type]) => (name != null && isSeen(seen[typeOf(type)], name) ? [name] : []))
    .filter(likeMatcher(like))
  return { names: names.slice(0, limit), isCut: truncated || names.length > limit }
}

async function objectNamed(
  asking: Asking,
  { catalog, database }: DatabasePlace,
  { type, name }: NamedObject,
): Promise<string | null> {
  if (type === 'function') return null
  const found = await namesIn(
    asking,
    `SELECT table_name FROM ${listIn(catalog, 'tables')}
     WHERE table_schema = ${literal(database)} AND table_name = ${literal(name)} AND table_type = '${TYPES[type]}'`,
  )
  return found[0] ?? null
}

function readerIn(asking: Asking): CatalogReader {
  return {
    databases: async (catalog, seen) =>
      (await databases(asking, catalog)).filter((name) => isSeen(seen, name)),
    databasePage: (catalog, page) => databasePage(asking, catalog, page),
    databaseNamed: async ({ catalog, database }) => {
      const sql = `SELECT schema_name FROM ${listIn(catalog, 'schemata')} WHERE schema_name = ${literal(database)}`
      return (await namesIn(asking, sql))[0] ?? null
    },
    tables: (place, list) => tables(asking, place, list),
    tablePage: async (place, type, page) => {
      const { total, shown } = pageOf(await tablesOf(asking, place, type), page)
      return { total, list: shown.map((name) => ({ name })) }
    },
    objectNamed: (place, object) => objectNamed(asking, place, object),
    allTables: async (catalog, most = MOST_NAMES) => {
      const sql = `SELECT table_schema, table_name, table_type FROM ${listIn(catalog, 'tables')}
        WHERE table_schema <> '${OWN}' ORDER BY 1, 2`
      const { rows } = await asking.read(sql, most)
      return rows.map(([database, name, type]) => ({
        database: database ?? '',
        name: name ?? '',
        type: typeOf(type),
      }))
    },
  }
}

const STATEMENTS: DatabaseStatements = {
  createDatabase: (place, { ifNotExists }) =>
    `CREATE SCHEMA ${ifNotExists ? 'IF NOT EXISTS ' : ''}${pathOf(place)}`,
  dropDatabase: (place, { ifExists, cascade }) =>
    `DROP SCHEMA ${ifExists ? 'IF EXISTS ' : ''}${pathOf(place)}${cascade ? ' CASCADE' : ''}`,
  enter: (place) => `USE ${pathOf(place)}`,
}

/** Those of a cluster with these catalogs. */
export const catalogsOf = (names: readonly string[]): Catalogs => ({
  in: readerIn,
  statements: { ...STATEMENTS, enter: (place) => STATEMENTS.enter(placeIn(names, place)) },
  permanent: new Set([FIRST_DATABASE]),
  own: new Set(names),
  reserved: new Set([OWN]),
})

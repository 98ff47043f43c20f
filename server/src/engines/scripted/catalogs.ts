import { likeMatcher, quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Asking } from '../engine/asking.ts'
import type {
  CatalogReader,
  Catalogs,
  DatabaseStatements,
  ListedTables,
  TableList,
} from '../engine/catalogs.ts'
import type { DatabasePlace, NamePage, NamesFound, Seen, TableType } from '../engine/names.ts'
import type { ResultRows } from '../engine/rows.ts'
import { FIRST_DATABASE } from './world.ts'

const pathOf = ({ catalog, database }: DatabasePlace): string =>
  `${quoteIdentifier(catalog)}.${quoteIdentifier(database)}`

const among = (seen: Seen): string =>
  seen === 'all' ? 'AMONG ALL' : `AMONG (${[...seen].map(quoteString).join(', ')})`

const pageOf = ({ descending, offset, limit, seen, search, except = new Set() }: NamePage): string =>
  `PAGE ${descending ? 'BACKWARDS ' : ''}${offset} ${limit} WITH ${quoteString(search)} ${among(seen)}
   WITHOUT (${[...except].map(quoteString).join(', ')})`

const firstColumn = ({ rows }: ResultRows): string[] => rows.flatMap(([name]) => name ?? [])

/** Of rows with how many there are in all, a name, and how many tables a database has. */
function namesOfPage({ rows }: ResultRows): NamesFound {
  const list = rows.flatMap(([, name, tables]) =>
    name == null ? [] : [tables == null ? { name } : { name, tables: Number(tables) }],
  )
  return { total: Number(rows[0]?.[0] ?? 0), list }
}

async function tables({ read }: Asking, place: DatabasePlace, list: TableList): Promise<ListedTables> {
  const { seen, like, limit } = list
  const listed = await read(
    `LIST BOTH ${pathOf(place)} TABLES ${among(seen.table)} VIEWS ${among(seen.view)}`,
  )
  const names = firstColumn(listed).filter(likeMatcher(like))
  return { names: names.slice(0, limit), isCut: listed.truncated || names.length > limit }
}

function readerIn(asking: Asking): CatalogReader {
  const { read } = asking
  return {
    databases: async (catalog, seen) =>
      firstColumn(await read(`LIST DATABASES ${quoteIdentifier(catalog)} ${among(seen)}`)),
    databasePage: async (catalog, page) =>
      namesOfPage(await read(`LIST DATABASES ${quoteIdentifier(catalog)} ${pageOf(page)}`, page.limit)),
    databaseNamed: async (place) => firstColumn(await read(`FIND ${pathOf(place)}`, 1))[0] ?? null,
    tables: (place, list) => tables(asking, place, list),
    tablePage: async (place, type, page) => {
      const what = type === 'view' ? 'VIEWS' : 'TABLES'
      return namesOfPage(await read(`LIST ${what} ${pathOf(place)} ${pageOf(page)}`, page.limit))
    },
    objectNamed: async (place, { type, name }) => {
      const found = `FIND ${type.toUpperCase()} IN ${pathOf(place)}.${quoteIdentifier(name)}`
      return firstColumn(await read(found, 1))[0] ?? null
    },
    allTables: async (catalog, most) =>
      (await read(`LIST EVERYTHING ${quoteIdentifier(catalog)}`, most)).rows.map(
        ([database, name, type]) => ({
          database: database ?? '',
          name: name ?? '',
          type: type as TableType,
        }),
      ),
  }
}

const STATEMENTS: DatabaseStatements = {
  createDatabase: (place, { ifNotExists }) => `MAKE ${ifNotExists ? 'PERHAPS ' : ''}${pathOf(place)}`,
  dropDatabase: (place, { ifExists, cascade }) =>
    `UNMAKE ${ifExists ? 'PERHAPS ' : ''}${pathOf(place)}${cascade ? ' WHOLLY' : ''}`,
  enter: (place) => `ENTER ${pathOf(place)}`,
}

export const SCRIPTED_CATALOGS: Catalogs = {
  in: readerIn,
  statements: STATEMENTS,
  permanent: new Set([FIRST_DATABASE]),
  reserved: new Set(),
}

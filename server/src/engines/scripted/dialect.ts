import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Catalogs } from '../engine/catalogs.ts'
import type { DatabasePlace, NamePage, Seen } from '../engine/names.ts'
import type { Dialect } from '../engine/dialect.ts'
import { FIRST_DATABASE } from './world.ts'

const pathOf = ({ catalog, database }: DatabasePlace): string =>
  `${quoteIdentifier(catalog)}.${quoteIdentifier(database)}`

const among = (seen: Seen): string =>
  seen === 'all' ? 'AMONG ALL' : `AMONG (${[...seen].map(quoteString).join(', ')})`

const pageOf = ({ descending, offset, limit, seen, search }: NamePage): string =>
  `PAGE ${descending ? 'BACKWARDS ' : ''}${offset} ${limit} WITH ${quoteString(search)} ${among(seen)}`

/** Words of its own on purpose: nothing in the service may count on those of another engine. */
export const SCRIPTED_CATALOGS: Catalogs = {
  databases: (catalog, seen) => `LIST DATABASES ${quoteIdentifier(catalog)} ${among(seen)}`,
  databasePage: (catalog, page) => `LIST DATABASES ${quoteIdentifier(catalog)} ${pageOf(page)}`,
  databaseNamed: (place) => `FIND ${pathOf(place)}`,
  objectNamed: (place, { type, name }) =>
    `FIND ${type.toUpperCase()} IN ${pathOf(place)}.${quoteIdentifier(name)}`,
  tableTold: (place, name) => `FIND TABLE IN ${pathOf(place)}.${quoteIdentifier(name)}`,
  tables: (place, { table, view }, limit) =>
    `LIST BOTH ${pathOf(place)} TABLES ${among(table)} VIEWS ${among(view)}${limit === undefined ? '' : ` FIRST ${limit}`}`,
  tablePage: (place, type, page) =>
    `LIST ${type === 'VIEW' ? 'VIEWS' : 'TABLES'} ${pathOf(place)} ${pageOf(page)}`,
  allTables: (catalog) => `LIST EVERYTHING ${quoteIdentifier(catalog)}`,
  createDatabase: (place, { ifNotExists }) => `MAKE ${ifNotExists ? 'PERHAPS ' : ''}${pathOf(place)}`,
  dropDatabase: (place, { ifExists, cascade }) =>
    `UNMAKE ${ifExists ? 'PERHAPS ' : ''}${pathOf(place)}${cascade ? ' WHOLLY' : ''}`,
  enter: (place) => `ENTER ${pathOf(place)}`,
  permanent: new Set([FIRST_DATABASE]),
  reserved: new Set(),
}

export const SCRIPTED_DIALECT: Dialect = {
  setTimeZone: (zone) => `ZONE ${quoteString(zone)}`,
  settings: new Set(),
  valueAndType: { before: '', after: '' },
  valueOf: ({ text }) => `SELECT ${text === null ? 'NULL' : quoteString(text)}`,
  useCollation: (name) => `SELECT ${quoteString(name)}`,
  sampleData: null,
}

import type { Asking } from '../../engine/asking.ts'
import type {
  ColumnRange,
  DescribedColumn,
  DescribedColumns,
  DescribedKey,
  DescribedTable,
  DescriptionReader,
  Descriptions,
  ObjectFacts,
} from '../../engine/descriptions.ts'
import type { ObjectPlace } from '../../engine/names.ts'
import type { Cell } from '../../engine/rows.ts'
import { columnNamesOf, unpackedNames } from './all-names.ts'
import * as queries from './description-queries.ts'
import { namesOfPage } from './name-lists.ts'
import { TABLE_STATEMENTS } from './statements.ts'

/** Of one table. */
const MOST_KEYS = 10_000

const numberOf = (cell: Cell | undefined): number | null => (cell == null ? null : Number(cell))

interface Known extends ObjectFacts {
  /** DuckDB found it by the name of the table alone, and finds its columns likewise. */
  readonly isBound: boolean
}

const factsIn = ([comment, columnCount]: readonly Cell[]): ObjectFacts => ({
  comment: comment ?? '',
  columnCount: numberOf(columnCount) ?? 0,
})

async function knownOf({ read }: Asking, place: ObjectPlace): Promise<Known | null> {
  if (place.type === 'table') {
    const [bound] = (await read(queries.boundObject(place), 1)).rows
    if (bound) return { ...factsIn(bound), isBound: true }
  }
  const [listed] = (await read(queries.listedObject(place), 1)).rows
  return listed ? { ...factsIn(listed), isBound: false } : null
}

function columnIn(row: readonly Cell[]): DescribedColumn {
  const [name, type, nullable, key, value, length, precision, scale, comment] = row
  return {
    name: name ?? '',
    type: type ?? '',
    nullable: nullable === 'true',
    key: (key ?? '') as DescribedColumn['key'],
    default: value ?? null,
    length: numberOf(length),
    precision: numberOf(precision),
    scale: numberOf(scale),
    comment: comment ?? '',
  }
}

const namesIn = (cell: Cell | undefined): readonly string[] =>
  cell == null ? [] : (JSON.parse(cell) as readonly string[])

const keyIn = ([kind, name, columns, table, referred]: readonly Cell[]): DescribedKey => ({
  kind: (kind ?? 'index') as DescribedKey['kind'],
  name: name ?? '',
  columns: namesIn(columns),
  references: kind === 'foreign' ? { table: table ?? '', columns: namesIn(referred) } : null,
})

const tableIn = ([name, type, rows, comment]: readonly Cell[]): DescribedTable => ({
  name: name ?? '',
  type: type === 'view' ? 'view' : 'table',
  rows: numberOf(rows),
  comment: comment ?? '',
})

async function columns(asking: Asking, place: ObjectPlace, page: ColumnRange): Promise<DescribedColumns> {
  const known = await knownOf(asking, place)
  if (!known) return { total: 0, columns: [] }
  const query =
    known.isBound && queries.canBeBound(place)
      ? queries.boundColumns(place, page)
      : queries.listedColumns(place, page)
  const { rows } = await asking.read(query, page.limit)
  return { total: known.columnCount, columns: rows.map(columnIn) }
}

function readerIn(asking: Asking): DescriptionReader {
  const { read } = asking
  const rowsOf = async (sql: string, most: number) => (await read(sql, most)).rows
  const cellOf = async (sql: string) => (await rowsOf(sql, 1))[0]?.[0] ?? null
  return {
    names: async (catalog, most) => unpackedNames(await rowsOf(queries.names(catalog, most), 1)),
    columnNames: async (catalog, most) =>
      columnNamesOf(await rowsOf(queries.columnNames(catalog, most), most)),
    functionPage: async (place, page) =>
      namesOfPage(await read(queries.functionPage(place, page), page.limit)),
    object: async (place) => {
      const known = await knownOf(asking, place)
      return known && { comment: known.comment, columnCount: known.columnCount }
    },
    estimate: async (place) => numberOf(await cellOf(queries.estimate(place))),
    columns: (place, page) => columns(asking, place, page),
    keys: async (place) =>
      place.type === 'view' ? [] : (await rowsOf(queries.keys(place), MOST_KEYS)).map(keyIn),
    tables: async (place, { most, isWanted }) =>
      (await rowsOf(queries.tables(place, most), most))
        .map(tableIn)
        .filter(({ name, type }) => isWanted(name, type)),
    definition: (place) => cellOf(queries.definition(place)),
    countRows: async (place) => Number(await cellOf(queries.countRows(place))),
    // One more, by which it is known that there are more.
    sample: (place, rows) => read(queries.sample(place, rows + 1), rows),
    mayNameCatalog: async (catalog, limit) =>
      (await rowsOf(queries.mayNameCatalog(catalog, limit), limit)).map(([inCatalog, database, name]) => ({
        catalog: inCatalog ?? '',
        database: database ?? '',
        name: name ?? '',
      })),
    mayUse: async (place, limit) =>
      (await rowsOf(queries.mayUse(place, limit), limit)).map(([database, name, type]) => ({
        type: type === 'table' ? 'table' : 'view',
        catalog: place.catalog,
        database: database ?? '',
        name: name ?? '',
      })),
  }
}

export const DUCKDB_DESCRIPTIONS: Descriptions = { in: readerIn, statements: TABLE_STATEMENTS }

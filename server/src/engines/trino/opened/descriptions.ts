import { quoteIdentifier, quoteString } from '@boathouse/sql'
import { definitionOf, pathOf } from '../../beside/definition.ts'
import type { Asking } from '../../engine/asking.ts'
import type { DescribedColumn, DescriptionReader } from '../../engine/descriptions.ts'
import type { DatabasePlace, NamedObject, ObjectPlace } from '../../engine/names.ts'
import { catalogsOf } from '../catalogs.ts'
import { runInCluster } from './statements.ts'

/** Of one table. */
const MOST_COLUMNS = 10_000

const listIn = (catalog: string, list: 'columns' | 'views'): string =>
  `${quoteIdentifier(catalog)}.information_schema.${list}`

const isNamed = ({ database, name }: DatabasePlace & Pick<NamedObject, 'name'>): string =>
  `table_schema = ${quoteString(database)} AND table_name = ${quoteString(name)}`

async function columnsOf({ read }: Asking, place: ObjectPlace): Promise<DescribedColumn[]> {
  const { rows } = await read(
    `SELECT column_name, data_type, is_nullable FROM ${listIn(place.catalog, 'columns')}
     WHERE ${isNamed(place)} ORDER BY ordinal_position`,
    MOST_COLUMNS,
  )
  return rows.map(([name, type, nullable]) => ({
    name: name ?? '',
    type: type ?? '',
    nullable: nullable !== 'NO',
    key: '',
    default: null,
    length: null,
    precision: null,
    scale: null,
    comment: '',
  }))
}

async function queryOf({ read }: Asking, place: ObjectPlace): Promise<string | null> {
  if (place.type !== 'view') return null
  const sql = `SELECT view_definition FROM ${listIn(place.catalog, 'views')} WHERE ${isNamed(place)}`
  return (await read(sql, 1)).rows[0]?.[0] ?? null
}

/**
 * Tables and views of the cluster. Their names and columns it says at any time (`lists`); rows are read by a warehouse that
 * runs (`rows`).
 */
export function openedDescriptions({
  lists,
  rows,
}: {
  readonly lists: Asking
  readonly rows: Asking
}): DescriptionReader {
  // Which catalog is asked for was decided before.
  const reader = catalogsOf([]).in(lists)
  const isThere = async (place: ObjectPlace): Promise<boolean> =>
    (await reader.objectNamed(place, place)) !== null
  return {
    async names(catalog, most) {
      const databases = (await reader.databases(catalog, 'all')).slice(0, most)
      const tables = await reader.allTables(catalog, most)
      const all = [
        ...databases.map((name) => ({ type: 'database' as const, id: null, database: name, name })),
        ...tables.map(({ type, database, name }) => ({ type, id: `${database}.${name}`, database, name })),
      ]
      return all.slice(0, most)
    },
    // Every table of every database would have to be asked for.
    columnNames: async () => [],
    functionPage: async () => ({ total: 0, list: [] }),
    async object(place) {
      if (!(await isThere(place))) return null
      return { comment: '', columnCount: (await columnsOf(lists, place)).length }
    },
    estimate: async () => null,
    async columns(place, { offset, limit }) {
      const all = await columnsOf(lists, place)
      return { total: all.length, columns: all.slice(offset, offset + limit) }
    },
    keys: async () => [],
    async tables(place, { most, isWanted }) {
      const found: { name: string; type: 'table' | 'view'; rows: null; comment: string }[] = []
      for (const type of ['table', 'view'] as const) {
        const page = { descending: false, offset: 0, limit: most, seen: 'all', search: '' } as const
        const { list } = await reader.tablePage(place, type, page)
        for (const { name } of list)
          if (isWanted(name, type)) found.push({ name, type, rows: null, comment: '' })
      }
      return found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, most)
    },
    async definition(place) {
      if (!(await isThere(place))) return null
      const [columns, query] = [await columnsOf(lists, place), await queryOf(lists, place)]
      return definitionOf(place, { columns, query })
    },
    async countRows(place) {
      const counted = await rows.read(runInCluster(`SELECT count(*) FROM ${pathOf(place)}`), 1)
      return Number(counted.rows[0]?.[0] ?? 0)
    },
    sample: (place, most) => rows.read(runInCluster(`SELECT * FROM ${pathOf(place)}`), most),
    mayNameCatalog: async () => [],
    mayUse: async () => [],
  }
}

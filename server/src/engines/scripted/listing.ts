import type { DatabasePlace, Seen } from '../engine/names.ts'
import type { Selected } from './select.ts'
import type { Listed, Statement, Type } from './statements.ts'
import { checkCatalog, databaseOf, keyOf, type Row, type Table, type World } from './world.ts'

type Listing = Extract<
  Statement,
  {
    kind: 'list databases' | 'find database' | 'find object' | 'list tables' | 'list both' | 'list all tables'
  }
>

const columnsOf = (...columns: (readonly [name: string, type: Type])[]) =>
  columns.map(([name, type]) => ({ name, type }))

function listed(columns: Selected['columns'], rows: readonly Row[]): Selected {
  return {
    columns,
    async *rows() {
      yield* rows
    },
  }
}

const among = (found: readonly string[], seen: Seen): string[] =>
  found.filter((name) => seen === 'all' || seen.has(keyOf(name))).toSorted()

const inOneColumn = (found: readonly string[]): Selected =>
  listed(
    columnsOf(['name', 'TEXT']),
    found.map((name) => [name]),
  )

function names(all: readonly string[], page: Listed, sizeOf?: (name: string) => number): Selected {
  const seen = among(all, page.seen)
  if (!('limit' in page)) return inOneColumn(seen)
  const found = seen.filter(
    (name) => keyOf(name).includes(keyOf(page.search)) && !page.except?.has(keyOf(name)),
  )
  const inOrder = page.descending ? found.toReversed() : found
  const shown = inOrder.slice(page.offset, page.offset + page.limit)
  const rows = shown.length > 0 ? shown : [null]
  const sizes = (name: string | null) => (sizeOf ? [name === null ? null : BigInt(sizeOf(name))] : [])
  return listed(
    columnsOf(['total', 'BIGINT'], ['name', 'TEXT'], ...(sizeOf ? [['size', 'BIGINT'] as const] : [])),
    rows.map((name) => [BigInt(found.length), name, ...sizes(name)]),
  )
}

function tablesIn(world: World, place: DatabasePlace, type: 'table' | 'view'): string[] {
  const database = world.databases.get(keyOf(place.database))
  const tables = database ? [...databaseOf(world, place).tables.values()] : []
  return tables.filter(({ view }) => (view ? 'view' : 'table') === type).map(({ name }) => name)
}

const typeOf = ({ view }: Table): string => (view ? 'view' : 'table')

/** What there is, as the service asks for it. */
export function list(statement: Listing, world: World): Selected {
  switch (statement.kind) {
    case 'list databases':
      checkCatalog(statement.catalog)
      return names(
        [...world.databases.values()].map(({ name }) => name),
        statement.page,
        (name) => world.databases.get(keyOf(name))?.tables.size ?? 0,
      )
    case 'find database': {
      checkCatalog(statement.place.catalog)
      const found = world.databases.get(keyOf(statement.place.database))
      return inOneColumn(found ? [found.name] : [])
    }
    case 'find object': {
      const { place, object } = statement
      const found = world.databases.get(keyOf(place.database))?.tables.get(keyOf(object.name))
      const isWanted = found && (found.view ? 'view' : 'table') === object.type
      return inOneColumn(isWanted ? [found.name] : [])
    }
    case 'list tables': {
      const { place, type, page } = statement
      return names(tablesIn(world, place, type), page)
    }
    case 'list both': {
      const { place, seen } = statement
      const found = (['table', 'view'] as const).flatMap((type) =>
        among(tablesIn(world, place, type), seen[type]),
      )
      return inOneColumn(found.toSorted())
    }
    case 'list all tables': {
      checkCatalog(statement.catalog)
      const rows = [...world.databases.values()].flatMap((database) =>
        [...database.tables.values()].map((table) => [database.name, table.name, typeOf(table)]),
      )
      return listed(
        columnsOf(['database', 'TEXT'], ['name', 'TEXT'], ['type', 'TEXT']),
        rows.toSorted((a, b) => (`${a[0]}\0${a[1]}` < `${b[0]}\0${b[1]}` ? -1 : 1)),
      )
    }
  }
}

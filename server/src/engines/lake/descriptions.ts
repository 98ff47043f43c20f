import { definitionOf, pathOf } from '../beside/definition.ts'
import type { Asking } from '../engine/asking.ts'
import type { DescribedColumn, DescriptionReader } from '../engine/descriptions.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import type { AccountLake, LakeTable } from '../engine/lake.ts'
import type { ObjectPlace } from '../engine/names.ts'
import { tableNamed } from './lists.ts'
import { type LakeColumn, type LakeDescription, readTable, readView } from './metadata.ts'
import { runInCluster } from './statements.ts'

const described = ({ name, type, nullable, comment }: LakeColumn): DescribedColumn => ({
  name,
  type,
  nullable,
  key: '',
  default: null,
  length: null,
  precision: null,
  scale: null,
  comment,
})

async function describe(lake: AccountLake, table: LakeTable): Promise<LakeDescription> {
  const file = await lake.metadata(table)
  const read = table.type === 'view' ? readView(file) : readTable(file)
  if (read) return read
  throw new EngineUnavailable(
    `The file that describes ${table.database}.${table.name} cannot be read. Query it in a warehouse that is a cluster, which says why.`,
  )
}

/** Tables and views of a lake, by the files that describe them. Only a sample needs a cluster that runs. */
export function lakeDescriptions(lake: AccountLake, { read }: Asking): DescriptionReader {
  async function of(place: ObjectPlace): Promise<LakeDescription | null> {
    const table = await tableNamed(lake, place)
    return table && table.type === place.type ? describe(lake, table) : null
  }
  const rowsOf = async (place: ObjectPlace): Promise<number | null> => (await of(place))?.rows ?? null

  return {
    async names(_catalog, most) {
      const databases = (await lake.databases()).slice(0, most)
      const tables = await lake.tables({ most })
      const all = [
        ...databases.map((name) => ({ type: 'database' as const, id: null, database: name, name })),
        ...tables.map(({ type, database, name }) => ({ type, id: `${database}.${name}`, database, name })),
      ]
      return all.slice(0, most)
    },
    // To know them, the file of every table would have to be read.
    columnNames: async () => [],
    functionPage: async () => ({ total: 0, list: [] }),
    async object(place) {
      const found = await of(place)
      return found && { comment: found.comment, columnCount: found.columns.length }
    },
    estimate: rowsOf,
    async columns(place, { offset, limit }) {
      const all = (await of(place))?.columns ?? []
      return { total: all.length, columns: all.slice(offset, offset + limit).map(described) }
    },
    keys: async () => [],
    async tables({ database }, { most, isWanted }) {
      const found = await lake.tables({ database, most })
      return found
        .filter(({ name, type }) => isWanted(name, type))
        .map(({ name, type }) => ({ name, type, rows: null, comment: '' }))
    },
    async definition(place) {
      const found = await of(place)
      return found && definitionOf(place, found)
    },
    countRows: async (place) => (await rowsOf(place)) ?? countedBy(read, place),
    sample: (place, rows) => read(runInCluster(`SELECT * FROM ${pathOf(place)}`), rows),
    mayNameCatalog: async () => [],
    mayUse: async () => [],
  }
}

async function countedBy(read: Asking['read'], place: ObjectPlace): Promise<number> {
  const { rows } = await read(runInCluster(`SELECT count(*) FROM ${pathOf(place)}`), 1)
  return Number(rows[0]?.[0] ?? 0)
}

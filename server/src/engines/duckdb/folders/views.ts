import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import { OF_FILES, readMark } from '../guard/internal-schema.ts'
import type { BrokenTable, FileFormat, TableFiles, WrittenTable } from './layout.ts'

// With their place before them: the guard has them refused to users.
const READERS: Readonly<Record<FileFormat, string>> = {
  parquet: 'system.main.read_parquet',
  csv: 'system.main.read_csv',
  json: 'system.main.read_json',
}

export const isBroken = (table: TableFiles | WrittenTable | BrokenTable): table is BrokenTable =>
  'problem' in table

const pathOf = (catalog: string, { database, table }: Pick<TableFiles, 'database' | 'table'>): string =>
  [catalog, database, table].map(quotedIdentifier).join('.')

/** All rows of its files. These are named one by one: nothing that appears later is read before it was looked at. */
export function readingOf(table: TableFiles | WrittenTable): string {
  if ('select' in table) return table.select
  const { format, files, isPartitioned } = table
  const list = `[${files.map(quotedString).join(', ')}]`
  return `SELECT * FROM ${READERS[format]}(${list}, hive_partitioning = ${isPartitioned}) AS ${OF_FILES}`
}

export const viewOf = (catalog: string, table: TableFiles | WrittenTable): string =>
  `CREATE OR REPLACE VIEW ${pathOf(catalog, table)} AS ${readingOf(table)}`

/**
 * It is listed, and users who may read it get the problem as an error, whether they ask for its column or only count rows.
 * Nothing is scanned: a mark shows that it is read.
 */
export function brokenView(catalog: string, { database, table, problem }: BrokenTable): string {
  const why = quotedString(
    `The table ${database}.${table} of the catalog ${catalog} cannot be read: ${problem}.`,
  )
  const mark = quotedString(readMark({ catalog, schema: database, name: table }))
  return `CREATE OR REPLACE VIEW ${pathOf(catalog, { database, table })} AS
    SELECT CAST(error(${why}) AS VARCHAR) AS problem FROM (SELECT ${mark}) AS ${OF_FILES}
    WHERE CAST(error(${why}) AS BOOLEAN)`
}

export const dropView = (catalog: string, table: Pick<TableFiles, 'database' | 'table'>): string =>
  `DROP VIEW IF EXISTS ${pathOf(catalog, table)}`

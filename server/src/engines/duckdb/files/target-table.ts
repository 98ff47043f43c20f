import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { StreamPart } from '../../engine/files.ts'
import { readReport, StatementRefused } from '../errors.ts'
import { textRows } from './text-rows.ts'

export interface TargetColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
}

export const tableText = ({ table }: Pick<StreamPart, 'table'>): string =>
  [table.catalog, table.database, table.name].map(quotedIdentifier).join('.')

/** What DuckDB says of a name that leads to no table. */
const MISSING = new Set(['Catalog', 'Binder'])

/**
 * The columns that rows can be loaded into, in the order of the table. Asked for by its name: DuckDB's own lists are made of all
 * tables before one is picked.
 */
export async function targetColumns(
  connection: DuckDBConnection,
  into: Pick<StreamPart, 'table'>,
): Promise<readonly TargetColumn[]> {
  const described = `SELECT column_name, column_type, "null" FROM (DESCRIBE ${tableText(into)})`
  const found = await textRows(connection, described).catch((error: unknown) => {
    if (!MISSING.has(readReport(error).type)) throw error
    const { database, name } = into.table
    throw new StatementRefused({ kind: 'missing', message: `There is no table ${database}.${name}.` })
  })
  return found.map(([column, type, nullable]) => ({
    name: column ?? '',
    type: type ?? '',
    isNullable: nullable === 'YES',
  }))
}

import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { StreamPart } from '../../../engine/files.ts'
import { foldedName } from '../../../../kernel/same-name.ts'
import { StatementRefused } from '../../errors.ts'
import { foldedText } from '../../folded-text.ts'
import { textRows } from '../text-rows.ts'

export interface TargetColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
}

export const tableText = ({ table }: Pick<StreamPart, 'table'>): string =>
  [table.catalog, table.database, table.name].map(quotedIdentifier).join('.')

/** The columns that rows can be loaded into, in the order of the table. */
export async function targetColumns(
  connection: DuckDBConnection,
  { table: { catalog, database, name } }: Pick<StreamPart, 'table'>,
): Promise<readonly TargetColumn[]> {
  const found = await textRows(
    connection,
    `SELECT column_name, data_type, is_nullable::VARCHAR FROM system.main.duckdb_columns()
     WHERE database_name = ${quotedString(catalog)} AND ${foldedText('schema_name')} = ${quotedString(foldedName(database))}
       AND ${foldedText('table_name')} = ${quotedString(foldedName(name))} ORDER BY column_index`,
  )
  if (found.length === 0)
    throw new StatementRefused({ kind: 'missing', message: `There is no table ${database}.${name}.` })
  return found.map(([column, type, isNullable]) => ({
    name: column ?? '',
    type: type ?? '',
    isNullable: isNullable === 'true',
  }))
}

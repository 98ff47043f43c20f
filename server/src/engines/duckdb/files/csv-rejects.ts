import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { Rejection } from '../../engine/files.ts'
import { type Rejects, tableOf } from './csv-source.ts'
import { textRows } from './text-rows.ts'

const LONGEST_TEXT = 500

/** Rows that were left out, each with what is wrong with its first column. */
export async function rejectsIn(
  connection: DuckDBConnection,
  { errors }: Rejects,
  most: number,
): Promise<Rejection[]> {
  const found = await textRows(
    connection,
    `SELECT line::VARCHAR, system.main.min_by(column_name, column_idx),
       system.main.min_by(error_message, column_idx), system.main.left(system.main.any_value(csv_line), ${LONGEST_TEXT}) FROM ${tableOf(errors)} GROUP BY line ORDER BY line LIMIT ${most}`,
  )
  return found.map(([line, column, reason, row]) => ({
    line: Number(line),
    column: column || null,
    reason: reasonIn(reason ?? ''),
    text: row || null,
  }))
}

/** Whether a value of one of these columns is not of its type, in a row that is fine otherwise. */
export async function hasMisfits(
  connection: DuckDBConnection,
  { errors }: Rejects,
  columns: readonly string[],
): Promise<boolean> {
  const table = tableOf(errors)
  const found = await textRows(
    connection,
    `SELECT column_name FROM ${table} WHERE error_type = 'CAST' AND column_name IN (${columns.map(quotedString).join(', ')})
       AND line NOT IN (SELECT line FROM ${table} WHERE error_type <> 'CAST') LIMIT 1`,
  )
  return found.length > 0
}

const CONVERTED = /Could not convert string "(.*)" to '(.*)'/s

/** Without what the row itself and the column beside it say. */
function reasonIn(said: string): string {
  const [, value, type] = CONVERTED.exec(said) ?? []
  if (type) return `${value} is not of the type ${type}.`
  const [, expected, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(said) ?? []
  if (expected) return `Values in the row: ${found}. Columns: ${expected}.`
  if (/unicode|utf-?8/i.test(said)) return 'The row is not in the chosen encoding.'
  return said.split('\n', 1).join('') || 'The row cannot be read.'
}

/** Removes both tables of notes. */
export async function forgetRejects(connection: DuckDBConnection, { errors, scans }: Rejects): Promise<void> {
  for (const table of [errors, scans]) await connection.run(`DROP TABLE IF EXISTS ${tableOf(table)}`)
}

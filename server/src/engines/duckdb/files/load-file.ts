import type { DuckDBConnection } from '@duckdb/node-api'
import type { LoadOrder, Rejection } from '../../engine/files.ts'
import { refuseLying } from './file-head.ts'
import type { LinkedFile } from './linked-file.ts'
import { loadCsv } from './load-csv.ts'
import {
  asTableHasThem,
  createTableText,
  insertInto,
  type Loaded,
  mappedOf,
  TooManyRejected,
} from './load-target.ts'
import { type RawRecords, rawRecords, sortedRecords } from './record-source.ts'
import { withSheet } from './sheet-source.ts'
import { textRows } from './text-rows.ts'

/** In the transaction that is open: all rows that can be read, or none. */
export async function loadFile(
  connection: DuckDBConnection,
  { path, tools }: LinkedFile,
  given: LoadOrder,
): Promise<Loaded> {
  await refuseLying(path, given.reading)
  if (given.makesTable) await connection.run(createTableText(given))
  const order = given.makesTable ? given : await asTableHasThem(connection, given)
  const { reading } = order
  const { format } = reading
  if (format === 'csv' || format === 'tsv') return loadCsv(connection, path, order)
  if (format !== 'xlsx') return loadRecords(connection, rawRecords(path, reading), order)
  return withSheet({ path, tools }, reading, ({ records }) => loadRecords(connection, records, order))
}

async function loadRecords(connection: DuckDBConnection, raw: RawRecords, order: LoadOrder): Promise<Loaded> {
  const { accepted, rejected } = sortedRecords(raw, mappedOf(order))
  const found = await textRows(connection, rejected(order.mostRejected + 1))
  const rejections = found.map(([line, column, value, type]): Rejection => ({
    line: Number(line),
    column: column ?? null,
    reason:
      column == null ? 'This is not a JSON object.' : `The value of ${column} is not of the type ${type}.`,
    text: value ?? null,
  }))
  if (rejections.length > order.mostRejected) throw new TooManyRejected(rejections, order.mostRejected)
  const { rowsChanged } = await connection.run(insertInto(order, accepted))
  return { rowsChanged, rejected: rejections, widened: [] }
}

import type { DuckDBConnection } from '@duckdb/node-api'
import type { LoadOrder, NulledColumn, Rejection } from '../../engine/files.ts'
import { refuseLying } from './file-head.ts'
import { reasonOf } from './judged-csv.ts'
import type { LinkedFile } from './linked-file.ts'
import { loadCsv } from './load-csv.ts'
import { loadUpserted } from './load-upsert.ts'
import { isReadAsWritten, loadWritten } from './load-written.ts'
import {
  asTableHasThem,
  createTableText,
  insertInto,
  isNulled,
  type Loaded,
  mappedOf,
  TooManyRejected,
} from './load-target.ts'
import { tableText } from './target-table.ts'
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
  const load = (order: LoadOrder) => loadInto(connection, { path, tools }, order)
  if (given.makesTable) {
    await connection.run(createTableText(given))
    return load(given)
  }
  const order = await asTableHasThem(connection, given)
  const { writes = { mode: 'append' } } = order
  if (writes.mode === 'upsert') return loadUpserted(connection, { order, keys: writes.keys }, load)
  if (writes.mode === 'replace') await connection.run(`DELETE FROM ${tableText(order)}`)
  return load(order)
}

/** Into a table that is there. */
function loadInto(
  connection: DuckDBConnection,
  { path, tools }: LinkedFile,
  order: LoadOrder,
): Promise<Loaded> {
  const { reading } = order
  const { format } = reading
  if (format === 'csv' || format === 'tsv')
    return isReadAsWritten(order) ? loadWritten(connection, path, order) : loadCsv(connection, path, order)
  if (format !== 'xlsx') return loadRecords(connection, rawRecords(path, reading), order)
  return withSheet({ path, tools }, reading, ({ records }) => loadRecords(connection, records, order))
}

async function loadRecords(connection: DuckDBConnection, raw: RawRecords, order: LoadOrder): Promise<Loaded> {
  const { accepted, rejected, nulled } = sortedRecords(raw, mappedOf(order))
  const found = await textRows(connection, rejected(order.mostRejected + 1))
  const rejections = found.map(([line, column, value, type]): Rejection => ({
    line: Number(line),
    column: column ?? null,
    reason:
      column == null ? 'This is not a JSON object.' : `The value of ${column} is not of the type ${type}.`,
    text: value ?? null,
  }))
  if (rejections.length > order.mostRejected) throw new TooManyRejected(rejections, order.mostRejected)
  const [counts = []] = nulled === null ? [] : await textRows(connection, nulled)
  const { rowsChanged } = await connection.run(insertInto(order, accepted))
  return { rowsChanged, rejected: rejections, widened: [], nulled: nulledOf(order, counts) }
}

/** From the number of such values, the first record with one and its value, of each column. */
const nulledOf = (order: LoadOrder, found: readonly (string | null)[]): NulledColumn[] =>
  mappedOf(order)
    .filter(isNulled)
    .flatMap(({ name, type }, at): NulledColumn[] => {
      const [count, line, value] = found.slice(at * 3, at * 3 + 3)
      if (!Number(count)) return []
      return [{ column: name, values: Number(count), line: Number(line), reason: reasonOf(value, type) }]
    })

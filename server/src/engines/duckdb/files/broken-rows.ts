import { open, rm } from 'node:fs/promises'
import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { BrokenRows, FileColumn, FileReading } from '../../engine/files.ts'
import { forgetRejects, rejectsIn } from './csv-rejects.ts'
import { csvSource, newRejects, noting, tableOf } from './csv-source.ts'
import { LARGEST_RECORD } from './record-source.ts'
import { textRows } from './text-rows.ts'

const TEXT = 'VARCHAR'
const MOST_NOTED = 10_000
const ROWS_NAMED = 3
const LONGEST_TEXT = 200

/** The broken rows of a text, and the lines of all of them that were noted. */
export interface BrokenCsv extends BrokenRows {
  readonly lines: readonly number[]
}

/** Rows of another number of values, or in another encoding: no type can be found that they have. */
export async function brokenCsv(
  connection: DuckDBConnection,
  path: string,
  { reading, columns }: { reading: FileReading; columns: readonly Pick<FileColumn, 'name'>[] },
): Promise<BrokenCsv> {
  const rejects = newRejects()
  const source = csvSource(path, reading, {
    columns: columns.map(({ name }) => ({ name, type: TEXT })),
    onBroken: noting(rejects, MOST_NOTED),
  })
  await connection.run(`SELECT system.main.count(COLUMNS(*)) FROM ${source}`)
  const rows = await rejectsIn(connection, rejects, ROWS_NAMED)
  const found = await textRows(
    connection,
    `SELECT DISTINCT line::VARCHAR, line FROM ${tableOf(rejects.errors)} ORDER BY 2`,
  )
  await forgetRejects(connection, rejects)
  return { count: found.length, rows, lines: found.map(([line]) => Number(line)) }
}

/** A file of records as lines of text. */
const linesOf = (path: string): string =>
  `system.main.read_csv(${quotedString(path)}, auto_detect = false, header = false, columns = {'line': '${TEXT}'},
    delim = '\u0001', quote = '', escape = '', comment = '', compression = 'none', null_padding = true,
    max_line_size = ${LARGEST_RECORD}, buffer_size = ${2 * LARGEST_RECORD}, ignore_errors = true)`

const isRecord = `(CASE WHEN system.main.json_valid(line) THEN system.main.json_type(line) = 'OBJECT' ELSE false END)`

/** Lines that are no objects of JSON, and how many lines there are. */
export async function brokenLines(
  connection: DuckDBConnection,
  path: string,
): Promise<BrokenRows & { readonly total: number }> {
  const lines = `(SELECT line, system.main.row_number() OVER () AS number FROM ${linesOf(path)})`
  const [[total, count] = []] = await textRows(
    connection,
    `SELECT system.main.count(line)::VARCHAR, system.main.count_if(line IS NOT NULL AND NOT ${isRecord})::VARCHAR FROM ${lines}`,
  )
  if (!Number(count)) return { total: Number(total ?? 0), count: 0, rows: [] }
  const found = await textRows(
    connection,
    `SELECT number::VARCHAR, system.main.left(line, ${LONGEST_TEXT}) FROM ${lines}
     WHERE line IS NOT NULL AND NOT ${isRecord} ORDER BY number LIMIT ${ROWS_NAMED}`,
  )
  const rows = found.map(([line, text]) => ({
    line: Number(line),
    column: null,
    reason: 'This is not a JSON object.',
    text: text ?? null,
  }))
  return { total: Number(total), count: Number(count), rows }
}

const HEAD_BYTES = 1024

/** An object, and not a list of them, which may be one long line. */
export async function beginsAsRecord(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEAD_BYTES), position: 0 })
    return buffer.toString('utf8', 0, bytesRead).replace('\ufeff', '').trimStart().startsWith('{')
  } finally {
    await file.close()
  }
}

/** The lines that are records, beside the file itself, for as long as the work takes. */
export async function withRecordsOnly<T>(
  connection: DuckDBConnection,
  path: string,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const records = `${path}-records`
  try {
    await connection.run(
      `COPY (SELECT line FROM ${linesOf(path)} WHERE line IS NOT NULL AND ${isRecord}) TO ${quotedString(records)}
       (FORMAT csv, HEADER false, DELIMITER '\u0001', QUOTE '', ESCAPE '', COMPRESSION 'none')`,
    )
    return await work(records)
  } finally {
    await rm(records, { force: true })
  }
}

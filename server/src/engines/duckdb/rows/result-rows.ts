import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBType,
  ResultReturnType,
  StatementType,
} from '@duckdb/node-api'
import { type Column, columnOf } from '../../engine/columns.ts'
import type { Cell, ResultRows } from '../../engine/rows.ts'
import { CellSizes } from './cell-sizes.ts'
import { typeName, valueTypeOf } from './column-types.ts'
import { keyByPosition } from './nested-text.ts'
import { type ValueText, valueText } from './values.ts'
import { ZoneOffsets } from './zone-offsets.ts'

export interface ReadOptions {
  readonly names: readonly string[] | null
  readonly maxRows: number
  readonly longestCell?: number | undefined
  /** It is a CREATE TABLE. */
  readonly makesTable?: boolean
}

export interface ReadRows {
  readonly result: ResultRows
  /** Of all values together, whole and as text. */
  readonly bytes: number
}

export async function readResult(
  connection: DuckDBConnection,
  result: DuckDBMaterializedResult,
  { names, maxRows, longestCell, makesTable = false }: ReadOptions,
): Promise<ReadRows> {
  const rowsChanged = changedRows(result, makesTable)
  if (result.returnType !== ResultReturnType.QUERY_RESULT) {
    return { result: { columns: [], rows: [], truncated: false, rowsChanged }, bytes: 0 }
  }
  const types = result.columnTypes()
  const columns = types.map((type, at) => column(names?.[at] ?? result.columnName(at), type))
  const reading = readingOf(types, { zone: await zoneFor(connection, types), longestCell })
  const { cells } = reading
  const rows = await readRows(result, { ...reading, maxRows })
  const truncated = result.rowCount > maxRows
  return { result: { columns, ...cells.finish(rows), truncated, rowsChanged }, bytes: cells.bytes }
}

export function column(name: string, type: DuckDBType): Column {
  return columnOf(name, typeName(type), valueTypeOf(type))
}

const WRITES = new Set([
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
])

export function changedRows(result: DuckDBMaterializedResult, makesTable: boolean): number | null {
  if (result.returnType === ResultReturnType.CHANGED_ROWS) return result.rowsChanged
  // With RETURNING there is a row for each row written.
  if (WRITES.has(result.statementType)) return result.rowCount
  // CREATE TABLE AS says how many rows it wrote, and only there. For CREATE INDEX IF NOT EXISTS there stands memory that
  // nobody has written to.
  if (!makesTable || result.rowCount !== 1) return null
  return Number(result.getChunk(0).getColumnVector(0).getItem(0))
}

/** Whether the text of a value may depend on a time zone. */
const isLocal = (type: DuckDBType): boolean => /TIME ZONE|VARIANT/.test(type.toString())

/** Asked for only when something is shown in local time. */
async function zoneFor(connection: DuckDBConnection, types: readonly DuckDBType[]): Promise<ZoneOffsets> {
  return new ZoneOffsets(types.some(isLocal) ? await sessionZone(connection) : 'UTC', connection)
}

export async function sessionZone(connection: DuckDBConnection): Promise<string> {
  const answer = await connection.run(`SELECT system.main.current_setting('TimeZone')`)
  return String(answer.getChunk(0).getColumnVector(0).getItem(0))
}

/** How values become text. */
export interface ReadingValues {
  readonly texts: readonly ValueText[]
  /** The columns whose texts ask the zone for offsets that it may have to learn. */
  readonly localColumns: readonly number[]
  readonly zone: ZoneOffsets
}

/** How values become the cells of a result. */
export interface ReadingCells extends ReadingValues {
  readonly cells: CellSizes
}

export const readingValues = (types: readonly DuckDBType[], zone: ZoneOffsets): ReadingValues => ({
  texts: types.map((type) => valueText(type, zone)),
  localColumns: zone.isUtc ? [] : types.flatMap((type, at) => (isLocal(type) ? [at] : [])),
  zone,
})

export function readingOf(
  types: readonly DuckDBType[],
  { zone, longestCell }: { zone: ZoneOffsets; longestCell?: number | undefined },
): ReadingCells {
  return { ...readingValues(types, zone), cells: new CellSizes(longestCell) }
}

async function readRows(
  result: DuckDBMaterializedResult,
  { maxRows, ...reading }: ReadingCells & { maxRows: number },
): Promise<Cell[][]> {
  const rows: Cell[][] = []
  for (let at = 0; at < result.chunkCount && rows.length < maxRows; at++) {
    // Other sessions of this process are served between two chunks.
    if (at > 0) await pause()
    await readChunk(result.getChunk(at), reading, { into: rows, maxRows })
  }
  return rows
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

export interface ChunkWindow {
  readonly into: Cell[][]
  /** Of all rows together. */
  readonly maxRows: number
  /** Left out at the beginning. */
  readonly skippedRows?: number
  readonly skippedColumns?: number
}

/** Adds the rows of a chunk. */
export async function readChunk(
  chunk: DuckDBDataChunk,
  reading: ReadingCells,
  { into, maxRows, skippedRows = 0, skippedColumns = 0 }: ChunkWindow,
): Promise<void> {
  const { cells } = reading
  const count = Math.max(0, Math.min(chunk.rowCount - skippedRows, maxRows - into.length))
  const end = skippedRows + count
  const columns = await cellTexts(chunk, reading, { from: skippedRows, end, skippedColumns })
  for (let row = skippedRows; row < end; row++) {
    if (cells.wantsPause) await pause()
    const place = into.length
    into.push(columns.map((textAt, column) => cells.take(textAt(row), place, column)))
  }
}

interface CellWindow {
  readonly from: number
  readonly end: number
  readonly skippedColumns: number
}

/** For each column of a chunk its texts, by row; those of other rows than asked for may be wrong. */
export async function cellTexts(
  chunk: DuckDBDataChunk,
  { texts, localColumns, zone }: ReadingValues,
  { from, end, skippedColumns }: CellWindow,
): Promise<((row: number) => Cell)[]> {
  const columns = texts.map((text, at) => {
    const vector = chunk.getColumnVector(at + skippedColumns)
    keyByPosition(vector.type)
    return (row: number) => text(vector.getItem(row))
  })
  for (const at of localColumns) for (let row = from; row < end; row++) columns[at]?.(row)
  await zone.learn()
  return columns
}

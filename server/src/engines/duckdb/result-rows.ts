import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBType,
  ResultReturnType,
  StatementType,
} from '@duckdb/node-api'
import type { Cell, Column, ResultRows } from '../engine.ts'
import { CellSizes } from './cell-sizes.ts'
import { columnFamily, typeName } from './column-types.ts'
import { keyByPosition } from './nested-text.ts'
import { timeZone } from './temporal-text.ts'
import { type ValueText, valueText } from './values.ts'

export interface ReadOptions {
  readonly names: readonly string[] | null
  readonly maxRows: number
  readonly longestCell?: number | undefined
}

export interface ReadRows {
  readonly result: ResultRows
  /** Of all values together, whole and as text. */
  readonly bytes: number
}

export async function readResult(
  connection: DuckDBConnection,
  result: DuckDBMaterializedResult,
  { names, maxRows, longestCell }: ReadOptions,
): Promise<ReadRows> {
  const rowsChanged = changedRows(result)
  if (result.returnType !== ResultReturnType.QUERY_RESULT) {
    return { result: { columns: [], rows: [], truncated: false, rowsChanged }, bytes: 0 }
  }
  const types = result.columnTypes()
  const columns = types.map((type, at) => column(names?.[at] ?? result.columnName(at), type))
  const texts = columnTexts(types, await sessionZone(connection, types))
  const cells = new CellSizes(longestCell)
  const rows = await readRows(result, { texts, cells, maxRows })
  const truncated = result.rowCount > maxRows
  return { result: { columns, ...cells.finish(rows), truncated, rowsChanged }, bytes: cells.bytes }
}

export function column(name: string, type: DuckDBType): Column {
  return { name, type: typeName(type), family: columnFamily(type) }
}

const WRITES = new Set([
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
])

function changedRows(result: DuckDBMaterializedResult): number | null {
  if (result.returnType === ResultReturnType.CHANGED_ROWS) return result.rowsChanged
  // With RETURNING there is a row for each row written.
  if (WRITES.has(result.statementType)) return result.rowCount
  // CREATE TABLE AS says how many rows it wrote, and only there.
  const isTableMade = result.statementType === StatementType.CREATE && result.rowCount === 1
  return isTableMade ? Number(result.getChunk(0).getColumnVector(0).getItem(0)) : null
}

/** Asked for only when something is shown in local time; the user may have changed it meanwhile. */
export async function sessionZone(
  connection: DuckDBConnection,
  types: readonly DuckDBType[],
): Promise<string> {
  if (!types.some((type) => /TIME ZONE|VARIANT/.test(type.toString()))) return 'UTC'
  const answer = await connection.run(`SELECT current_setting('TimeZone')`)
  return String(answer.getChunk(0).getColumnVector(0).getItem(0))
}

export function columnTexts(types: readonly DuckDBType[], zone: string): ValueText[] {
  const zoneOffsets = timeZone(zone)
  return types.map((type) => valueText(type, zoneOffsets))
}

/** How values become the cells of a result. */
export interface ReadingCells {
  readonly texts: readonly ValueText[]
  readonly cells: CellSizes
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
  { texts, cells }: ReadingCells,
  { into, maxRows, skippedRows = 0, skippedColumns = 0 }: ChunkWindow,
): Promise<void> {
  const count = Math.max(0, Math.min(chunk.rowCount - skippedRows, maxRows - into.length))
  const columns = texts.map((text, at) => {
    const vector = chunk.getColumnVector(at + skippedColumns)
    keyByPosition(vector.type)
    return (row: number) => text(vector.getItem(row))
  })
  for (let row = skippedRows; row < skippedRows + count; row++) {
    if (cells.wantsPause) await pause()
    const place = into.length
    into.push(columns.map((textAt, column) => cells.take(textAt(row), place, column)))
  }
}

import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBMaterializedResult,
  type DuckDBType,
  ResultReturnType,
  StatementType,
} from '@duckdb/node-api'
import type { Cell, Column, ResultRows } from '../engine.ts'
import { columnFamily, typeName } from './column-types.ts'
import { StatementRefused } from './errors.ts'
import { keyByPosition } from './nested-text.ts'
import { timeZone } from './temporal-text.ts'
import { type ValueText, valueText } from './values.ts'

// UTF-16 units of all cells together. Results are held in memory on both sides of the process boundary.
const MOST_TEXT = 64 * 1024 * 1024

export interface ReadOptions {
  readonly names: readonly string[] | null
  readonly maxRows: number
}

export async function readResult(
  connection: DuckDBConnection,
  result: DuckDBMaterializedResult,
  { names, maxRows }: ReadOptions,
): Promise<ResultRows> {
  const rowsChanged = changedRows(result)
  if (result.returnType !== ResultReturnType.QUERY_RESULT) {
    return { columns: [], rows: [], truncated: false, rowsChanged }
  }
  const types = result.columnTypes()
  const columns = types.map((type, at) => column(names?.[at] ?? result.columnName(at), type))
  const rows = await readRows(result, columnTexts(types, await sessionZone(connection, types)), maxRows)
  return { columns, rows, truncated: result.rowCount > maxRows, rowsChanged }
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

/** Throws when they have given more text than can be held. */
export function columnTexts(types: readonly DuckDBType[], zone: string): ValueText[] {
  const zoneOffsets = timeZone(zone)
  return types.map((type) => valueText(type, zoneOffsets)).map(withinBudget(MOST_TEXT))
}

async function readRows(
  result: DuckDBMaterializedResult,
  texts: readonly ValueText[],
  maxRows: number,
): Promise<Cell[][]> {
  const rows: Cell[][] = []
  for (let at = 0; at < result.chunkCount && rows.length < maxRows; at++) {
    // Other sessions of this process are served between two chunks.
    if (at > 0) await new Promise((resolve) => setImmediate(resolve))
    rows.push(...readChunk(result.getChunk(at), texts, { maxRows: maxRows - rows.length }))
  }
  return rows
}

function withinBudget(budget: number): (text: ValueText) => ValueText {
  let left = budget
  return (text) => (value) => {
    const cell = text(value)
    left -= cell?.length ?? 0
    if (left < 0) throw resultTooLarge()
    return cell
  }
}

export interface ChunkWindow {
  readonly maxRows: number
  /** Left out at the beginning. */
  readonly skippedRows?: number
  readonly skippedColumns?: number
}

export function readChunk(
  chunk: DuckDBDataChunk,
  texts: readonly ValueText[],
  { maxRows, skippedRows = 0, skippedColumns = 0 }: ChunkWindow,
): Cell[][] {
  const length = Math.max(0, Math.min(chunk.rowCount - skippedRows, maxRows))
  const columns = texts.map((text, at) => {
    const vector = chunk.getColumnVector(at + skippedColumns)
    keyByPosition(vector.type)
    return Array.from({ length }, (_, row) => text(vector.getItem(row + skippedRows)))
  })
  return Array.from({ length }, (_, row) => columns.map((cells) => cells[row] ?? null))
}

function resultTooLarge(): StatementRefused {
  const message = `The result is larger than ${MOST_TEXT / 1024 / 1024} MB of text: select fewer or smaller columns.`
  return new StatementRefused({ kind: 'resource', message })
}

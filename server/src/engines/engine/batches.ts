import type { Cell } from './rows.ts'
import type { RowBatch, TextColumn } from './sink.ts'

/** The same rows as a batch. */
export function batchOf(rows: readonly (readonly Cell[])[], columnCount: number): RowBatch {
  const columns = Array.from({ length: columnCount }, (_, at) =>
    columnOfCells(rows.map((row) => row[at] ?? null)),
  )
  return { rows: rows.length, columns }
}

function columnOfCells(cells: readonly Cell[]): TextColumn {
  const ends = new Uint32Array(cells.length)
  const texts = cells.map((cell) => Buffer.from(cell ?? ''))
  texts.reduce((end, text, row) => (ends[row] = end + text.length), 0)
  const isNull = cells.includes(null) ? Uint8Array.from(cells, (cell) => (cell === null ? 1 : 0)) : null
  return { data: Buffer.concat(texts), ends, isNull }
}

/** The cells of a batch, row by row. */
export function cellsOf({ rows, columns }: RowBatch): Cell[][] {
  return Array.from({ length: rows }, (_, row) => columns.map((column) => cellAt(column, row)))
}

function cellAt({ data, ends, isNull }: TextColumn, row: number): Cell {
  if (isNull?.[row]) return null
  const from = row === 0 ? 0 : (ends[row - 1] ?? 0)
  return Buffer.from(data.buffer, data.byteOffset + from, (ends[row] ?? 0) - from).toString()
}

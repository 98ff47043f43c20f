import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Field, Result, Row } from '@boathouse/client/public/index'
import type { Format } from '../options.ts'
import { csvLine, jsonObject, uniqueNames } from './records.ts'
import { safeText } from './safe-text.ts'
import { tableShape, verticalRow } from './table.ts'

/** By so many rows the widths of a table are found; all others are written as they come. */
const FIRST_ROWS = 1000

/** Rows that are written at once. */
const BATCH = 200

export interface Screen extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface Printing {
  readonly format: Format
  readonly to: Screen
}

/** Waits until the reader has taken what was written: a slow one holds the rows back, not the memory. */
export async function write(to: Writable, text: string): Promise<void> {
  if (to.write(text)) return
  await once(to, 'drain')
}

async function* batchesOf(rows: AsyncIterable<Row>, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Writes rows in one form; `begin` has the first of them, to look at. */
interface Form {
  readonly begin: (first: readonly Row[]) => string
  /** `place` is that of the first of the rows, from 1. */
  readonly rows: (rows: readonly Row[], place: number) => string
  readonly end: (count: number) => string
}

const nothing = (): string => ''

const vertical = (fields: readonly Field[]): Form => ({
  begin: nothing,
  rows: (rows, place) => rows.map((row, at) => verticalRow(fields, row, place + at)).join(''),
  end: nothing,
})

function table(fields: readonly Field[], width: number | null): Form {
  let form: Form = vertical(fields)
  return {
    begin(first) {
      const shape = tableShape(fields, first, width)
      if (!shape) return ''
      form = { begin: nothing, rows: shape.lines, end: nothing }
      return shape.head
    },
    rows: (rows, place) => form.rows(rows, place),
    end: nothing,
  }
}

function csv(fields: readonly Field[], isShown: boolean): Form {
  const line = (row: Row) => csvLine(isShown ? row.map((value) => value && safeText(value)) : row)
  return {
    begin: () => line(uniqueNames(fields)),
    rows: (rows) => rows.map(line).join(''),
    end: nothing,
  }
}

function json(fields: readonly Field[], inLines: boolean): Form {
  const names = uniqueNames(fields)
  const object = (row: Row) => jsonObject(fields, names, row)
  if (inLines)
    return { begin: nothing, rows: (rows) => rows.map((row) => `${object(row)}\n`).join(''), end: nothing }
  return {
    begin: () => '[',
    rows: (rows, place) => rows.map((row, at) => `${place + at === 1 ? '' : ','}\n${object(row)}`).join(''),
    end: (count) => (count === 0 ? ']\n' : '\n]\n'),
  }
}

function formOf(fields: readonly Field[], { format, to }: Printing): Form {
  const isShown = to.isTTY === true
  switch (format) {
    case 'table':
      return table(fields, isShown ? (to.columns ?? 80) : null)
    case 'vertical':
      return vertical(fields)
    case 'csv':
      return csv(fields, isShown)
    case 'json':
    case 'jsonl':
      return json(fields, format === 'jsonl')
  }
}

/** Writes the rows as they come, and resolves to how many there were. */
export async function printRows(result: Result, printing: Printing): Promise<number> {
  const form = formOf(result.fields, printing)
  const isTable = printing.format === 'table'
  const { to } = printing
  let count = 0
  let hasBegun = false
  for await (const batch of batchesOf(result, isTable ? FIRST_ROWS : BATCH)) {
    const head = hasBegun ? '' : form.begin(batch)
    hasBegun = true
    await write(to, head + form.rows(batch, count + 1))
    count += batch.length
  }
  await write(to, (hasBegun ? '' : form.begin([])) + form.end(count))
  return count
}

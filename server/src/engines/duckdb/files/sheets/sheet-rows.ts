import type { Readable } from 'node:stream'
import { type CellValue, cellValue } from './cell-values.ts'
import type { Shown } from './number-formats.ts'
import { SHEET_LIMITS } from './sheet-limits.ts'
import { damaged, SheetRefused } from './sheet-refusal.ts'
import { readXml } from './xml-events.ts'

/** By the place of the column; nothing where a cell is empty. */
export type SheetRow = (CellValue | undefined)[]

export interface SheetWords {
  readonly styles: readonly Shown[]
  readonly from1904: boolean
  readonly sharedText: (at: number) => string
}

const A = 'A'.charCodeAt(0)
const LETTERS = 26

/** Of a reference as BC12, from 0 on; -1 when there is none. */
function columnIn(reference = ''): number {
  let column = 0
  for (let at = 0; at < reference.length; at++) {
    const letter = reference.charCodeAt(at) - A
    if (letter < 0 || letter >= LETTERS) break
    column = column * LETTERS + letter + 1
  }
  return column - 1
}

/** As spreadsheets call a column that has no name. */
export function lettersOf(column: number): string {
  const rest = Math.floor(column / LETTERS)
  return (rest > 0 ? lettersOf(rest - 1) : '') + String.fromCharCode(A + (column % LETTERS))
}

const tooWide = (column: number, row: number) =>
  new SheetRefused(
    `Row ${row} of the sheet has a value in column ${column + 1} (${lettersOf(column)}); a table that is loaded has at most ${SHEET_LIMITS.columns} columns. Split the sheet.`,
  )

/** Hands over every row that has a value, with its number in the sheet. */
export async function readRows(
  stream: Readable,
  { styles, from1904, sharedText }: SheetWords,
  onRow: (number: number, row: SheetRow) => void,
): Promise<void> {
  let number = 0
  let row: SheetRow = []
  let column = -1
  let cell = { type: 'n', style: 0, written: '' }
  let isValue = false
  let aloud = 0
  let isDone = false

  function endCell(): void {
    const { type, written, style } = cell
    const value = cellValue({ type, written, shown: styles[style] ?? 'number', from1904, sharedText })
    if (!value) return
    if (column >= SHEET_LIMITS.columns) throw tooWide(column, number)
    row[column] = value
  }

  await readXml('the sheet', stream, {
    open(name, attributes) {
      switch (name) {
        case 'row':
          number = Number(attributes['r'] ?? number + 1)
          if (!Number.isSafeInteger(number)) throw damaged('a row has no number')
          row = []
          column = -1
          return
        case 'c': {
          const given = columnIn(attributes['r'])
          column = given < 0 ? column + 1 : given
          cell = { type: attributes['t'] ?? 'n', style: Number(attributes['s'] ?? 0), written: '' }
          return
        }
        case 'rPh':
          aloud++
          return
        case 'v':
        case 't':
          isValue = aloud === 0
      }
    },
    text(text) {
      if (!isValue) return
      cell.written += text
      if (cell.written.length > SHEET_LIMITS.betweenTags)
        throw damaged(`a cell in row ${number} is longer than a cell holds`)
    },
    close(name) {
      switch (name) {
        case 'v':
        case 't':
          isValue = false
          return
        case 'rPh':
          aloud--
          return
        case 'c':
          return endCell()
        case 'row':
          if (row.length > 0) onRow(number, row)
          return
        case 'sheetData':
          isDone = true
      }
    },
    isDone: () => isDone,
  })
}

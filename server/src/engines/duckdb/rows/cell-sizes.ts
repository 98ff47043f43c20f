import type { Cell, LongCell, ResultRows } from '../../engine/rows.ts'
import { StatementRefused } from '../errors.ts'

// UTF-16 units of all cells together. Results are held in memory on both sides of the process boundary.
const MOST_TEXT = 64 * 1024 * 1024
/** Results of no more text than this, in UTF-16 units, are small: they may be kept as the texts that they are. */
export const SMALL_TEXT = 256 * 1024
// Texts are made without a pause; other requests to this process wait meanwhile.
const TEXT_BETWEEN_PAUSES = 32 * 1024 * 1024

/** The cells of one result on their way out: long ones are cut, and all together stay within what can be held. */
export class CellSizes {
  /** What all cells have, cut or not. */
  wholeLength = 0
  /** The same in UTF-8. */
  bytes = 0
  /** All cells that were taken are as they were. */
  isWhole = true
  private left = MOST_TEXT
  private sincePause = 0
  private hasLong = false
  private readonly longCells: LongCell[] = []

  /** `longest`: of a cell, in UTF-16 units; undefined: cells are handed over whole. */
  constructor(private readonly longest = Number.POSITIVE_INFINITY) {}

  /** Cells of a small result stay whole until `finish`, so that they can be kept as they are. */
  take(cell: Cell, row: number, column: number): Cell {
    if (cell === null) return null
    const { length } = cell
    this.wholeLength += length
    this.bytes += utf8Length(cell)
    this.sincePause += length
    if (length <= this.longest) return this.within(cell)
    this.hasLong = true
    if (this.wholeLength <= SMALL_TEXT) return this.within(cell)
    this.isWhole = false
    this.longCells.push({ row, column, length })
    return this.within(beginning(cell, this.longest))
  }

  /** So much text was made since the last pause that others should be served first. */
  get wantsPause(): boolean {
    const isLong = this.sincePause > TEXT_BETWEEN_PAUSES
    if (isLong) this.sincePause = 0
    return isLong
  }

  /** What is handed over. The rows themselves are not touched. */
  finish(rows: readonly (readonly Cell[])[]): Pick<ResultRows, 'rows' | 'longCells'> {
    if (!this.hasLong) return { rows }
    const { longest, longCells } = this
    const cut = rows.map((cells, row) =>
      cells.map((cell, column) => {
        if (cell === null || cell.length <= longest) return cell
        longCells.push({ row, column, length: cell.length })
        return beginning(cell, longest)
      }),
    )
    longCells.sort((a, b) => a.row - b.row || a.column - b.column)
    return { rows: cut, longCells }
  }

  private within(cell: string): string {
    this.left -= cell.length
    if (this.left < 0) throw resultTooLarge()
    return cell
  }
}

const beginning = (cell: string, longest: number): string => part(cell, 0, longest)

/** Never ends in the middle of a character of two units: half of one is no text. At least two units are asked for. */
export function part(cell: string, offset: number, length: number): string {
  const end = offset + length
  const isSplit = end < cell.length && (cell.codePointAt(end - 1) ?? 0) > 0xffff
  const cut = cell.slice(offset, isSplit ? end - 1 : end)
  // Copied: a slice keeps all of what it was cut from in memory.
  return Buffer.from(cut).toString()
}

/** What `Buffer.byteLength` tells, ten times as fast for the short texts that most cells are. */
function utf8Length(text: string): number {
  if (text.length > 200) return Buffer.byteLength(text)
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0x7f) bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return bytes
}

function resultTooLarge(): StatementRefused {
  const message = `The result is larger than ${MOST_TEXT / 1024 / 1024} MB of text: select fewer or smaller columns.`
  return new StatementRefused({ kind: 'resource', message })
}

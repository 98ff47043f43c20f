import { closeSync, openSync, writeSync } from 'node:fs'
import { SHEET_LIMITS } from './sheet-limits.ts'
import { SheetRefused } from './sheet-refusal.ts'
import { KIND } from './cell-values.ts'
import type { SheetRow } from './sheet-rows.ts'

/** Written at once, in UTF-16 units. */
const PART_LENGTH = 1024 * 1024

/** Numbers, days and the like are written by us. */
const isPlain = (kind: number): boolean => kind !== KIND.text && kind !== 0

function line(number: number, row: SheetRow): string {
  let text = String(number)
  for (const value of row) {
    text += ','
    if (value) text += isPlain(value.kind) ? value.text : `"${value.text.replaceAll('"', '""')}"`
  }
  return `${text}\n`
}

/** The rows of a sheet as lines that DuckDB reads: the number of the row, then its values as far as there are some. */
export class RowsFile {
  private readonly file: number
  private part = ''
  private written = 0

  constructor(path: string) {
    this.file = openSync(path, 'wx', 0o600)
  }

  add(number: number, row: SheetRow): void {
    const text = line(number, row)
    if (text.length > SHEET_LIMITS.rowLength)
      throw new SheetRefused(`Row ${number} of the sheet is longer than 2 MB. Leave a column out of it.`)
    this.part += text
    if (this.part.length >= PART_LENGTH) this.flush()
  }

  end(): void {
    this.flush()
    closeSync(this.file)
  }

  private flush(): void {
    const bytes = Buffer.from(this.part)
    this.part = ''
    this.written += bytes.length
    if (this.written > SHEET_LIMITS.rowsBytes)
      throw new SheetRefused(
        `The rows of this sheet have more than ${SHEET_LIMITS.rowsBytes / 1e9} GB as text, more than the maximum for a load. Split the sheet.`,
      )
    for (let from = 0; from < bytes.length;) from += writeSync(this.file, bytes, from)
  }
}

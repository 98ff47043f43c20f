import { type Archive, openArchive } from './archive.ts'
import { type FoundColumn, FoundColumns, looksLikeNames } from './found-columns.ts'
import { RowsFile } from './rows-file.ts'
import { readSharedTexts } from './shared-texts.ts'
import { SHEET_LIMITS } from './sheet-limits.ts'
import { readRows } from './sheet-rows.ts'
import { readStyles, readWorkbook, sheetNamed } from './workbook.ts'

export interface SheetOrder {
  readonly file: string
  /** Where its rows are written. */
  readonly rowsFile: string
  /** Null: the first one. */
  readonly sheet: string | null
  /** Whether the first row has the names; null: to be found out. */
  readonly header: boolean | null
}

export interface FoundSheet {
  readonly sheet: string
  /** All that the file has. */
  readonly sheets: readonly string[]
  readonly header: boolean
  readonly columns: readonly FoundColumn[]
}

/** Writes the rows of a sheet as text, with flat memory, and tells what is in its columns. */
export async function convertSheet(order: SheetOrder): Promise<FoundSheet> {
  const archive = await openArchive(order.file)
  try {
    return await convert(archive, order)
  } finally {
    archive.close()
  }
}

async function convert(archive: Archive, order: SheetOrder): Promise<FoundSheet> {
  const workbook = await readWorkbook(archive)
  const { name, part } = sheetNamed(workbook, order.sheet)
  const { stylesPart, textsPart, from1904 } = workbook
  const styles = await readStyles(archive, stylesPart)
  const texts =
    textsPart !== null && archive.has(textsPart)
      ? await archive.open(textsPart, 'The list of texts', SHEET_LIMITS.sharedBytes)
      : null
  const sharedText = await readSharedTexts(texts)
  const stream = await archive.open(part, `The sheet ${name}`, SHEET_LIMITS.sheetBytes)
  const columns = new FoundColumns()
  const rows = new RowsFile(order.rowsFile)
  let header: boolean | null = null
  try {
    await readRows(stream, { styles, from1904, sharedText }, (number, row) => {
      if (header === null) {
        header = order.header ?? looksLikeNames(row)
        if (header) return columns.header(row)
      }
      columns.add(row)
      rows.add(number, row)
    })
  } finally {
    rows.end()
  }
  const sheets = workbook.sheets.slice(0, SHEET_LIMITS.sheetNames).map((one) => one.name)
  return { sheet: name, sheets, header: header ?? false, columns: columns.list() }
}

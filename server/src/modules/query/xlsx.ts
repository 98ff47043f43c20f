import { rm } from 'node:fs/promises'
import { LIMITS } from '@boathouse/contract'
import type { Cell, Column, ResultWindow } from '../../engines/engine.ts'
import { AppError } from '../../kernel/app-error.ts'
import { ZipWriter } from './zip-writer.ts'

export type ReadWindow = (window: { offset: number; limit: number }) => Promise<ResultWindow | null>

const WINDOW_ROWS = 5_000
/** The format's own limit of one cell, in characters. */
const CELL_LENGTH = 32_767
/** More digits than these are rounded by whoever opens the sheet, so they are written as text. */
const EXACT_DIGITS = 15

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const FRAME: readonly (readonly [name: string, content: string])[] = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Result" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
]

/** XML has no way to write most control characters; the format escapes them as _xHHHH_, and that form itself too. */
function escapeText(text: string): string {
  return text
    .replaceAll(/_x[0-9A-Fa-f]{4}_/g, (match) => `_x005F${match}`)
    .replaceAll(
      // oxlint-disable-next-line no-control-regex -- these are the characters to escape
      /[\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g,
      (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

const isExactNumber = (text: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(text) && text.replaceAll(/^-?0*|\./g, '').length <= EXACT_DIGITS

const textCell = (text: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`

function cellXml(cell: Cell, column: Column): string {
  if (cell === null) return '<c/>'
  if (cell.length > CELL_LENGTH)
    throw new AppError(
      'LimitReached',
      `A cell of the column ${column.name} has ${cell.length} characters, and an Excel cell holds ${CELL_LENGTH}. Export as CSV, JSON or Parquet instead.`,
    )
  if (column.family === 'number' && isExactNumber(cell)) return `<c><v>${cell}</v></c>`
  if (column.family === 'boolean') return `<c t="b"><v>${cell === 'true' ? 1 : 0}</v></c>`
  return textCell(cell)
}

async function* sheet(first: ResultWindow, read: ReadWindow): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetData><row>${first.columns.map(({ name }) => textCell(name)).join('')}</row>`
  let window: ResultWindow | null = first
  for (let offset = 0; window && window.rows.length > 0;) {
    for (const row of window.rows)
      yield `<row>${first.columns.map((column, at) => cellXml(row[at] ?? null, column)).join('')}</row>`
    offset += window.rows.length
    window = offset < first.totalRows ? await read({ offset, limit: WINDOW_ROWS }) : null
  }
  yield '</sheetData></worksheet>'
}

/** Writes a kept result as a sheet, window by window; null when it is not kept (any more). */
export async function writeXlsx(file: string, read: ReadWindow): Promise<{ bytes: number } | null> {
  const first = await read({ offset: 0, limit: WINDOW_ROWS })
  if (!first) return null
  if (first.totalRows > LIMITS.xlsxRows)
    throw new AppError(
      'LimitReached',
      `The result has ${first.totalRows} rows, and an Excel sheet holds ${LIMITS.xlsxRows}. Export as CSV, JSON or Parquet instead.`,
    )
  const zip = new ZipWriter(file)
  try {
    for (const [name, content] of FRAME) await zip.add(name, [content])
    await zip.add('xl/worksheets/sheet1.xml', sheet(first, read))
    return { bytes: await zip.finish() }
  } catch (error) {
    zip.abandon()
    await rm(file, { force: true })
    throw error
  }
}

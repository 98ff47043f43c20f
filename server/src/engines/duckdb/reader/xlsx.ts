import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { type ValueType, familyOf } from '../../engine/columns.ts'
import type { Cell } from '../../engine/rows.ts'
import { sheetStyles, type SheetStyles, sheetTime } from './sheet-times.ts'

/** A result on its way into a sheet. */
export interface SheetRows {
  readonly columns: readonly {
    readonly header: string
    readonly type: ValueType
  }[]
  readonly count: number
  readonly rows: AsyncIterable<readonly Cell[]>
}

/** The format's own limits: rows of one sheet without the header, and UTF-16 units of one cell. */
const MOST_ROWS = 1_048_575
const CELL_LENGTH = 32_767
/** Spreadsheet programs round numbers of more digits, so those are written as text. */
const EXACT_DIGITS = 15
/** What is handed to the compressor at once, in UTF-16 units: row by row would take ten times as long. */
const PART_LENGTH = 64 * 1024

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const SHEET = 'xl/worksheets/sheet1.xml'
const STYLES = 'xl/styles.xml'
const FRAME: readonly (readonly [name: string, content: string])[] = [
  [
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/${SHEET}" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/${STYLES}" ContentType="${TYPE}.styles+xml"/></Types>`,
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
    `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  ],
]

/** Files are the same whenever they are made. */
const ENTRY = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

/** Writes a sheet with flat memory. What is not written to its end is the caller's to remove. */
export async function writeXlsx(file: string, sheet: SheetRows): Promise<void> {
  if (sheet.count > MOST_ROWS)
    throw tooMuch(`The result has ${sheet.count} rows, and an Excel sheet holds ${MOST_ROWS}.`)
  const zip = new ZipFile()
  const styles = sheetStyles(MAIN)
  const content = Readable.from(inParts(sheetXml(sheet, styles)), { objectMode: false })
  const packed = zip.outputStream as Readable
  content.once('error', (error) => packed.destroy(error))
  for (const [name, xml] of FRAME) zip.addBuffer(Buffer.from(xml), name, ENTRY)
  zip.addReadStream(content, SHEET, ENTRY)
  // Behind the sheet, whose cells say which there are.
  zip.addReadStream(Readable.from(stylesXml(styles), { objectMode: false }), STYLES, ENTRY)
  zip.end()
  try {
    await pipeline(packed, createWriteStream(file, { mode: 0o600 }))
  } finally {
    // Nothing asks for rows any more when this has ended, well or not.
    content.destroy()
    if (!content.closed) await once(content, 'close')
  }
}

async function* stylesXml(styles: SheetStyles): AsyncGenerator<string> {
  yield XML + styles.xml()
}

async function* sheetXml({ columns, rows }: SheetRows, styles: SheetStyles): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetData><row>${columns.map(({ header }) => textCell(header)).join('')}</row>`
  for await (const row of rows)
    yield `<row>${columns.map((column, at) => cellXml(row[at] ?? null, column, styles)).join('')}</row>`
  yield '</sheetData></worksheet>'
}

async function* inParts(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let part = ''
  for await (const text of texts) {
    part += text
    if (part.length < PART_LENGTH) continue
    yield part
    part = ''
  }
  yield part
}

function cellXml(cell: Cell, { header, type }: SheetRows['columns'][number], styles: SheetStyles): string {
  if (cell === null) return '<c/>'
  if (cell.length > CELL_LENGTH)
    throw tooMuch(
      `A cell of the column ${header} has ${cell.length} characters, and an Excel cell holds ${CELL_LENGTH}.`,
    )
  const family = familyOf(type)
  // Numbers with a point that moves are the same in sheets.
  if (type.kind === 'float' ? isFinite(cell) : family === 'number' && isExactNumber(cell))
    return `<c><v>${cell}</v></c>`
  if (family === 'temporal') return timeCell(cell, styles)
  if (family === 'boolean') return `<c t="b"><v>${cell === 'true' ? 1 : 0}</v></c>`
  return textCell(cell)
}

function timeCell(cell: string, styles: SheetStyles): string {
  const time = sheetTime(cell)
  const style = time && styles.of(time.format)
  return time && style !== null ? `<c s="${style}"><v>${time.serial}</v></c>` : textCell(cell)
}

const isFinite = (text: string): boolean => text !== '' && Number.isFinite(Number(text))

const isExactNumber = (text: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(text) && text.replaceAll(/^-?0*|\./g, '').length <= EXACT_DIGITS

const textCell = (text: string): string =>
  `<c t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`

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

/** The format cannot hold this; the message names others. */
export class SheetTooSmall extends Error {
  override readonly name = 'SheetTooSmall'
}

const tooMuch = (what: string) => new SheetTooSmall(`${what} Export as CSV, JSON or Parquet instead.`)

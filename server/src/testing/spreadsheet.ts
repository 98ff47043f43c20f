import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'

/** An archive of these parts. */
export async function packed(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name)
  zip.end()
  return buffer(zip.outputStream)
}

const relations = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
  `<Relationships xmlns="${RELATIONS}">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

export interface Book {
  /** What is between the tags of sheetData, by the names of the sheets. */
  readonly sheets: Readonly<Record<string, string>>
  /** What is between the tags of sst. */
  readonly texts?: string
  /** What is between the tags of styleSheet. */
  readonly styles?: string
  readonly workbook?: string
}

/** The parts of a spreadsheet, to be spoilt and packed. */
export function partsOf({ sheets, texts, styles, workbook = '' }: Book): Record<string, string> {
  const names = Object.keys(sheets)
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
  return {
    '_rels/.rels': relations([['r', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">${workbook}<sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ...names.map((_, at) => [`rId${at + 1}`, 'worksheet', `/xl/worksheets/sheet${at + 1}.xml`] as const),
      ...(texts === undefined ? [] : [['texts', 'sharedStrings', 'sharedStrings.xml'] as const]),
      ...(styles === undefined ? [] : [['styles', 'styles', '../xl/styles.xml'] as const]),
    ]),
    ...(texts === undefined ? {} : { 'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${texts}</sst>` }),
    ...(styles === undefined
      ? {}
      : { 'xl/styles.xml': `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>` }),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData><pageMargins/></worksheet>`,
      ]),
    ),
  }
}

export const spreadsheet = (book: Book): Promise<Buffer> => packed(partsOf(book))

/** The same archive, which says of a part that it has so many bytes unpacked. */
export function sayingOf(archive: Buffer, part: string, bytes: number): Buffer {
  const lying = Buffer.from(archive)
  const name = Buffer.from(part)
  // In the list at the end; 46 bytes before each name, of which those from the 24th on say the size.
  const at = lying.lastIndexOf(name) - 46
  lying.writeUInt32LE(bytes, at + 24)
  return lying
}

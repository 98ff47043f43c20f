import type { Readable } from 'node:stream'
import { type Entry, open, type ZipFile } from 'yauzl'
import type { FileFormat } from '../../engine/files.ts'
import { refuse } from './file-head.ts'

const ENCRYPTED = 1
const MOST_ENTRIES = 1_000
/** Folders, and what some systems add to every archive. */
const NO_FILE = /\/$|^__MACOSX\/|(?:^|\/)\.[^/]*$/

/** Formats by the ends of names, where those in one list are read alike. */
const KINDS: readonly (readonly FileFormat[])[] = [['csv', 'tsv'], ['json', 'ndjson'], ['parquet'], ['xlsx']]

export interface PackedFile {
  readonly stream: Readable
  close(): void
}

const damaged = () => refuse('This ZIP archive is damaged or not complete. Upload it again.')

const opened = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) =>
      error ? reject(damaged()) : resolve(zip),
    ),
  )

const filesIn = (zip: ZipFile): Promise<Entry[]> =>
  new Promise((resolve, reject) => {
    const files: Entry[] = []
    let seen = 0
    zip.on('error', () => reject(damaged()))
    zip.on('end', () => resolve(files))
    zip.on('entry', (entry: Entry) => {
      if (++seen > MOST_ENTRIES) return reject(refuse(`The archive has more than ${MOST_ENTRIES} entries.`))
      if (!NO_FILE.test(entry.fileName)) files.push(entry)
      zip.readEntry()
    })
    zip.readEntry()
  })

const streamOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) => (error ? reject(damaged()) : resolve(stream))),
  )

/** Every spreadsheet of this kind has it. */
const WORKBOOK = 'xl/workbook.xml'

function onlyOne(files: readonly Entry[], format: FileFormat): Entry {
  const [entry] = files
  if (files.some(({ fileName }) => fileName === WORKBOOK))
    throw refuse(`This is not ${format.toUpperCase()}: the file is a spreadsheet. Load it as XLSX.`)
  if (!entry) throw refuse('The archive holds no file.')
  if (files.length > 1)
    throw refuse(
      `The archive holds ${files.length} files. Upload the one to load, or an archive with it alone.`,
    )
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0)
    throw refuse('The archive is protected by a password. Upload it without one.')
  const [, end = ''] = /\.([a-z]+)$/i.exec(entry.fileName) ?? []
  const kind = KINDS.find((formats) => formats.some((one) => one === end.toLowerCase()))
  if (kind && !kind.includes(format))
    throw refuse(`The archive holds ${entry.fileName.slice(0, 100)}. Choose the format ${end.toUpperCase()}.`)
  return entry
}

/** The file of an archive that holds one. */
export async function openOnlyFile(path: string, format: FileFormat): Promise<PackedFile> {
  const zip = await opened(path)
  try {
    const stream = await streamOf(zip, onlyOne(await filesIn(zip), format))
    return { stream, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

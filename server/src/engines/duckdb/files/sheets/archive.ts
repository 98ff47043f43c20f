import type { Readable } from 'node:stream'
import { type Entry, open, type ZipFile } from 'yauzl'
import { SHEET_LIMITS } from './sheet-limits.ts'
import { damaged, SheetRefused, tooLarge } from './sheet-refusal.ts'

/** The parts of a packed file, by their names; which are no matter of upper and lower case. */
export interface Archive {
  has(part: string): boolean
  /** Refuses one that is larger than this, before anything of it is unpacked; one that says less than it is breaks off. */
  open(part: string, what: string, mostBytes: number): Promise<Readable>
  close(): void
}

const ENCRYPTED = 1

const keyOf = (name: string): string => name.replace(/^\//, '').toLowerCase()

const opened = (path: string): Promise<ZipFile> =>
  new Promise((resolve, reject) =>
    open(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }, (error, zip) =>
      error ? reject(damaged('it is no complete archive')) : resolve(zip),
    ),
  )

const entriesOf = (zip: ZipFile): Promise<Map<string, Entry>> =>
  new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>()
    zip.on('error', () => reject(damaged('the list of its parts cannot be read')))
    zip.on('end', () => resolve(entries))
    zip.on('entry', (entry: Entry) => {
      if (entries.size >= SHEET_LIMITS.entries)
        return reject(new SheetRefused(`The archive has more than ${SHEET_LIMITS.entries} parts.`))
      entries.set(keyOf(entry.fileName), entry)
      zip.readEntry()
    })
    zip.readEntry()
  })

const streamOf = (zip: ZipFile, entry: Entry): Promise<Readable> =>
  new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) =>
      error ? reject(damaged(`${entry.fileName} cannot be unpacked`)) : resolve(stream),
    ),
  )

export async function openArchive(path: string): Promise<Archive> {
  const zip = await opened(path)
  try {
    const entries = await entriesOf(zip)
    return {
      has: (part) => entries.has(keyOf(part)),
      async open(part, what, mostBytes) {
        const entry = entries.get(keyOf(part))
        if (!entry) throw damaged(`it lacks ${part}`)
        if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0)
          throw new SheetRefused(
            'This spreadsheet is protected by a password. Save it without one and upload that file.',
          )
        if (entry.uncompressedSize > mostBytes) throw tooLarge(what, entry.uncompressedSize, mostBytes)
        return streamOf(zip, entry)
      },
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

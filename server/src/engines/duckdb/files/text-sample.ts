import { open, rm, writeFile } from 'node:fs/promises'
import type { FileReading } from '../../engine/files.ts'

/** What is looked at of a text in place of all of it. */
export interface TextSample {
  readonly path: string
  /** Null: it is all of the text. */
  readonly hasQuotes: boolean | null
}

const OWN = 0o600
const [QUOTE, NEW_LINE, RETURN] = ['"', '\n', '\r'].map((character) => character.charCodeAt(0))

/** The beginning of a text beside the file itself, up to the end of a row, for as long as the work takes. */
export async function withSample<T>(
  path: string,
  { bytes, encoding }: { readonly bytes: number } & Pick<FileReading, 'encoding'>,
  work: (sample: TextSample) => Promise<T>,
): Promise<T> {
  const sample = `${path}-sample`
  const { end, hasQuotes, head } = wholeRows(await headOf(path, bytes), encoding)
  try {
    await writeFile(sample, head.subarray(0, end), { mode: OWN })
    return await work({ path: sample, hasQuotes })
  } finally {
    await rm(sample, { force: true })
  }
}

async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes), position: 0 })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/**
 * Where the last whole row ends. A line may end within quotes: then an odd number of them is before it. Where that
 * explains nothing, as with another quote, it is the last line.
 */
export function wholeRows(head: Buffer, encoding: FileReading['encoding']) {
  const isWide = encoding === 'utf-16'
  const isBigEndian = head[0] === 0xfe
  const width = isWide ? 2 : 1
  const codeAt = (at: number): number | undefined => {
    if (!isWide) return head[at]
    return isBigEndian ? head.readUInt16BE(at) : head.readUInt16LE(at)
  }
  const units = Math.floor(head.length / width)
  let quotes = 0
  for (let unit = 0; unit < units; unit++) if (codeAt(unit * width) === QUOTE) quotes++
  const hasQuotes = quotes > 0
  let lastLine: number | null = null
  for (let unit = units - 1; unit >= 0; unit--) {
    const code = codeAt(unit * width)
    if (code === QUOTE) quotes--
    if (code !== NEW_LINE && code !== RETURN) continue
    lastLine ??= (unit + 1) * width
    if (quotes % 2 === 0) return { head, end: (unit + 1) * width, hasQuotes }
  }
  return { head, end: lastLine ?? head.length, hasQuotes }
}

import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const ENTRY = 0x02014b50
const DEFLATED = 8
/** The longest comment that can follow the end of a ZIP file. */
const LONGEST_COMMENT = 0xffff
/** Of one file in it, in bytes; the largest extension has a fifth of that. */
const LARGEST = 512 * 1024 * 1024

export interface Unpacked {
  readonly name: string
  readonly bytes: Buffer
}

export class NoWheel extends Error {
  override readonly name = 'NoWheel'
}

function endOf(zip: Buffer): number {
  for (let at = zip.length - 22; at >= Math.max(0, zip.length - 22 - LONGEST_COMMENT); at--)
    if (zip.readUInt32LE(at) === END) return at
  throw new NoWheel('it is no wheel, which is a ZIP file')
}

/** Files of a wheel whose last name passes. A wheel is a ZIP file: no Python is needed to unpack it. */
export function unpackWheel(zip: Buffer, isWanted: (name: string) => boolean): Unpacked[] {
  try {
    return [...unpacked(zip, isWanted)]
  } catch (error) {
    if (error instanceof RangeError) throw new NoWheel('it is cut off, or no wheel', { cause: error })
    throw error
  }
}

function* unpacked(zip: Buffer, isWanted: (name: string) => boolean): Generator<Unpacked> {
  const end = endOf(zip)
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new NoWheel('its list of files is broken')
    const nameLength = zip.readUInt16LE(at + 28)
    const path = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const name = path.split('/').at(-1) ?? ''
    if (isWanted(name)) yield { name, bytes: contentOf(zip, at) }
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10)
  const packed = zip.readUInt32LE(entry + 20)
  const header = zip.readUInt32LE(entry + 42)
  const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  const bytes = zip.subarray(begin, begin + packed)
  if (bytes.length < packed) throw new NoWheel('it is cut off')
  return method === DEFLATED ? inflateRawSync(bytes, { maxOutputLength: LARGEST }) : bytes
}

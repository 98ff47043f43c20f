import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpackWheel } from './wheel.ts'

/** A ZIP file as its published form says, with one packed and one plain file. */
function zipOf(files: Readonly<Record<string, { bytes: Buffer; isPacked: boolean }>>): Buffer {
  const parts: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const [name, { bytes, isPacked }] of Object.entries(files)) {
    const content = isPacked ? deflateRawSync(bytes) : bytes
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50)
    header.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(isPacked ? 8 : 0, 10)
    entry.writeUInt32LE(content.length, 20)
    entry.writeUInt32LE(bytes.length, 24)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    entries.push(entry, Buffer.from(name))
    parts.push(header, Buffer.from(name), content)
    offset += 30 + name.length + content.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, directory, end])
}

const isWanted = (name: string) => name.endsWith('.duckdb_extension')
const ZIP = zipOf({
  'pkg/__init__.py': { bytes: Buffer.from('x'), isPacked: false },
  'pkg/extensions/v1/httpfs.duckdb_extension': { bytes: Buffer.from('packed'.repeat(50)), isPacked: true },
  'pkg/avro.duckdb_extension': { bytes: Buffer.from('plain'), isPacked: false },
})

test('wanted files of a wheel are unpacked, by their last names', () => {
  const found = unpackWheel(ZIP, isWanted).map(({ name, bytes }) => [name, bytes.toString()])
  expect(found).toEqual([
    ['httpfs.duckdb_extension', 'packed'.repeat(50)],
    ['avro.duckdb_extension', 'plain'],
  ])
})

test('what is no wheel, or only a part of one, is refused', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('no zip at all'), ZIP.subarray(0, 100), ZIP.subarray(60)])
    expect(() => unpackWheel(bytes, isWanted)).toThrow(/wheel|cut off|broken/)
})

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { Cell } from '../../engine/rows.ts'
import { writeXlsx } from './xlsx.ts'

const columns = [
  { header: 'n & <name>', type: { kind: 'decimal', precision: 20, scale: 2 } },
  { header: 't', type: { kind: 'text', length: null } },
  { header: 'b', type: { kind: 'boolean' } },
] as const

async function* each(rows: Iterable<readonly Cell[]>) {
  yield* rows
}

const sheetOf = (rows: readonly (readonly Cell[])[]) => ({ columns, count: rows.length, rows: each(rows) })

async function written(rows: Cell[][]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-xlsx-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'result.xlsx')
  await writeXlsx(file, sheetOf(rows))
  return file
}

/** Reads one entry as an independent reader would: from the directory at the end of the file. */
async function entry(file: string, wanted: string): Promise<string> {
  const zip = await readFile(file)
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, extraLength, offset] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt32LE(at + 42),
    ]
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === wanted) {
      const start = offset + 30 + nameLength + zip.readUInt16LE(offset + 28)
      const content = inflateRawSync(zip.subarray(start, start + size))
      expect(crc32(content)).toBe(zip.readUInt32LE(at + 16))
      return content.toString()
    }
    at += 46 + nameLength + extraLength
  }
  throw new Error(`${wanted} is not in the file`)
}

test('numbers are numbers while a sheet keeps them exact, everything else is text to the letter', async () => {
  const file = await written([
    ['123456789012345', 'a < b & "c"', 'true'],
    ['9007199254740993', '_x0041_ \u0001', 'false'],
    ['-1.50', null, null],
  ])
  const xml = await entry(file, 'xl/worksheets/sheet1.xml')
  expect(xml).toContain('n &amp; &lt;name&gt;')
  expect(xml).toContain('<c><v>123456789012345</v></c>')
  expect(xml).toContain('a &lt; b &amp; "c"')
  expect(xml).toContain('<is><t xml:space="preserve">9007199254740993</t></is>')
  expect(xml).toContain('_x005F_x0041_ _x0001_')
  expect(xml).toContain('<c><v>-1.50</v></c><c/><c/>')
  expect(xml).toContain('<c t="b"><v>1</v></c>')
})

test('every row arrives in order', async () => {
  const rows = Array.from({ length: 12_345 }, (_, n): Cell[] => [String(n), `row ${n}`, null])
  const xml = await entry(await written(rows), 'xl/worksheets/sheet1.xml')
  expect([...xml.matchAll(/row (\d+)</g)].map((match) => Number(match[1]))).toEqual(rows.map((_, n) => n))
})

test('what the format does not hold is refused with the place and another way', async () => {
  await expect(written([['1', 'x'.repeat(32_768), null]])).rejects.toThrow(
    /column t has 32768 characters.*CSV/,
  )
  const tooMany = { columns, count: 1_048_576, rows: each([]) }
  await expect(writeXlsx('/nowhere', tooMany)).rejects.toThrow(/1048576 rows.*CSV/)
})

test('rows that fail in the middle fail the sheet', async () => {
  async function* failing() {
    yield ['1', 'a', null]
    throw new Error('the rows have ended')
  }
  await expect(writeXlsx('/dev/null', { columns, count: 2, rows: failing() })).rejects.toThrow('have ended')
})

test.skipIf(!existsSync('/dev/full'))(
  'a full disk fails the sheet, asks for no more rows, and leaves no failure that nobody holds',
  async () => {
    let asked = 0
    let isOver = false
    async function* endless() {
      try {
        for (;;) yield [String(asked++), String(Math.random()).repeat(1000), null]
      } finally {
        isOver = true
      }
    }
    await expect(writeXlsx('/dev/full', { columns, count: 1000, rows: endless() })).rejects.toMatchObject({
      code: 'ENOSPC',
    })
    // The disk may be full before the first row is asked for.
    expect(isOver || asked === 0).toBe(true)
  },
)

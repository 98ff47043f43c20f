import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, inflateRawSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { Cell, Column, ResultWindow } from '../../engines/engine.ts'
import { writeXlsx } from './xlsx.ts'

const columns: Column[] = [
  { name: 'n & <name>', type: 'BIGINT', family: 'number' },
  { name: 't', type: 'VARCHAR', family: 'text' },
  { name: 'b', type: 'BOOLEAN', family: 'boolean' },
]

const reader =
  (rows: Cell[][]) =>
  async (window: { offset: number; limit: number }): Promise<ResultWindow> => ({
    columns,
    rows: rows.slice(window.offset, window.offset + window.limit),
    truncated: false,
    rowsChanged: null,
    totalRows: rows.length,
    complete: true,
  })

async function written(rows: Cell[][]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-xlsx-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, 'result.xlsx')
  const made = await writeXlsx(file, reader(rows))
  expect(made?.bytes).toBe((await stat(file)).size)
  return file
}

/** Reads one entry as an independent reader would: from the directory at the end of the file. */
async function entry(file: string, wanted: string): Promise<string> {
  const zip = await readFile(file)
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [size, nameLength, offset] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ]
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === wanted) {
      const start = offset + 30 + nameLength
      const content = inflateRawSync(zip.subarray(start, start + size))
      expect(crc32(content)).toBe(zip.readUInt32LE(at + 16))
      return content.toString()
    }
    at += 46 + nameLength
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

test('every row arrives in order, window by window', async () => {
  const rows = Array.from({ length: 12_345 }, (_, n): Cell[] => [String(n), `row ${n}`, null])
  const xml = await entry(await written(rows), 'xl/worksheets/sheet1.xml')
  expect([...xml.matchAll(/row (\d+)</g)].map((match) => Number(match[1]))).toEqual(rows.map((_, n) => n))
})

test('a value longer than a cell of the format holds is refused with the column and another way', async () => {
  await expect(written([['1', 'x'.repeat(32_768), null]])).rejects.toThrow(
    /column t has 32768 characters.*CSV/,
  )
})

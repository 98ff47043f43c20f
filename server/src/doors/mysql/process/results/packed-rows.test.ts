import { expect, it } from 'vitest'
import { batchOf, cellsOf } from '../../../../engines/engine/batches.ts'
import { type Column, type ValueType, TEXT, columnOf } from '../../../../engines/engine/columns.ts'
import { unpacked } from '../../../../engines/engine/packed-rows.ts'
import type { Cell } from '../../../../engines/engine/rows.ts'
import type { RowBatch } from '../../../../engines/engine/sink.ts'
import type { Charset } from '../../link/messages.ts'
import { PacketWriter } from '../wire/packet-writer.ts'
import { textRows } from './text-encoder.ts'

/** As an engine packs them. */
function packed(rows: readonly (readonly Cell[])[]): RowBatch {
  const value = (cell: Cell) => {
    if (cell === null) return Buffer.of(126)
    const text = Buffer.from(cell)
    const long = Buffer.concat([Buffer.of(127), Buffer.from(String(text.length).padStart(8, '0'))])
    return Buffer.concat([text.length < 126 ? Buffer.of(text.length) : long, text])
  }
  const bytes = rows.flatMap((row) => [Buffer.from('    '), ...row.map(value)])
  return { rows: rows.length, columns: [], packed: new Uint8Array(Buffer.concat(bytes)) }
}

/** What a client is sent of these batches. */
function sent(
  columns: readonly Column[],
  batches: readonly RowBatch[],
  charset: Charset = 'utf8mb4',
): Buffer {
  const written: Buffer[] = []
  const writer = new PacketWriter({
    sequence: { next: 250 },
    write(bytes, isDone) {
      written.push(Buffer.from(bytes))
      isDone()
    },
    granted: () => undefined,
  })
  writer.packet(Buffer.from('before'))
  const encode = textRows(columns, charset)
  for (const batch of batches) encode(batch, writer)
  writer.packet(Buffer.from('behind'))
  writer.flush()
  return Buffer.concat(written)
}

const column = (type: ValueType) => columnOf('c', 'T', type)
const lengths = [0, 1, 12, 13, 125, 126, 127, 128, 250, 251, 252, 65_535, 65_536, 70_000]
const ROWS: Cell[][] = [
  ...lengths.map((length) => ['x'.repeat(length), null, 'é']),
  [null, null, null],
  ...lengths.map((length) => [String(length), 'y'.repeat(length), null]),
]

it('sends packed rows as the same packets as columns, whatever the lengths', () => {
  const columns = [column(TEXT), column(TEXT), column(TEXT)]
  const plain = sent(columns, [batchOf(ROWS, 3), batchOf(ROWS.slice(0, 2), 3)])
  expect(sent(columns, [packed(ROWS), packed(ROWS.slice(0, 2))]).equals(plain)).toBe(true)
})

it.each<[string, ValueType, Cell[]]>([
  ['booleans', { kind: 'boolean' }, ['true', 'false', null]],
  ['floats', { kind: 'float', bits: 64 }, ['1.0', '-1e+20', '1e-07', '0.5', null, 'inf', '100.0']],
  [
    'moments with a zone',
    { kind: 'timestamp', precision: 6, isZoned: true },
    ['2026-01-01 00:00:00+00', null, '2026-01-01 10:00:00.5+00'],
  ],
  ['fractions, which grow', { kind: 'decimal', precision: 3, scale: 3 }, ['.250', null, '-.001']],
])('writes %s of packed rows as MySQL does', (_, type, cells) => {
  const columns = [column(TEXT), column(type), column(TEXT)]
  const rows = cells.map((cell) => ['before', cell, 'z'.repeat(200)])
  expect(sent(columns, [packed(rows)]).equals(sent(columns, [batchOf(rows, 3)]))).toBe(true)
})

it.each(['plain', 'é and ß'])('sends packed rows in another character set: %s', (text) => {
  const columns = [column(TEXT)]
  const rows = [[text], [null], [text.repeat(40)]]
  expect(sent(columns, [packed(rows)], 'latin1').equals(sent(columns, [batchOf(rows, 1)], 'latin1'))).toBe(
    true,
  )
})

it('takes packed rows apart', () => {
  expect(cellsOf(unpacked(packed(ROWS), 3))).toEqual(ROWS)
})

it('refuses packed rows that end too early', () => {
  const whole = packed([['abc', 'x'.repeat(300)]])
  const columns = [column(TEXT), column(TEXT)]
  for (let bytes = 0; bytes < (whole.packed?.length ?? 0); bytes += 7) {
    const cut = () => ({ ...whole, packed: new Uint8Array(whole.packed ?? []).subarray(0, bytes) })
    expect(() => sent(columns, [cut()])).toThrow(RangeError)
    expect(() => unpacked(cut(), 2)).toThrow(RangeError)
  }
})

it('splits a packed row that is too long for one packet', () => {
  const rows = [['x'.repeat(17 * 1024 * 1024)]]
  const columns = [column(TEXT)]
  expect(sent(columns, [packed(rows)]).equals(sent(columns, [batchOf(rows, 1)]))).toBe(true)
})

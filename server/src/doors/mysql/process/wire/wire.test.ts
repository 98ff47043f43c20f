import { expect, it } from 'vitest'
import { LONGEST_PART, PacketReader } from './packet-reader.ts'
import { PacketWriter } from './packet-writer.ts'
import { PayloadBuilder } from './payload-builder.ts'
import { PayloadReader } from './payload-reader.ts'
import { writeTextRows } from './text-rows.ts'
import { batchOf } from '../testing/scripted-server.ts'

it('reads what it has built, whatever grows on the way', () => {
  const built = new PayloadBuilder()
  const numbers = [0, 250, 251, 0xffff, 0x1_0000, 0xff_ffff, 0x100_0000, 2 ** 40]
  const texts = ['', 'short', 'ü'.repeat(200), 'x'.repeat(70_000)]
  for (const number of numbers) built.lengthEncoded(number)
  for (const text of texts) built.lengthEncodedText(text)
  for (const text of texts) built.zeroEndedText(text)
  built.uint16(1).uint32(2).byte(3).zeros(300)
  const reader = new PayloadReader(built.build())
  expect(numbers.map(() => reader.lengthEncoded())).toEqual(numbers)
  expect(texts.map(() => reader.lengthEncodedBytes().toString())).toEqual(texts)
  expect(texts.map(() => reader.zeroEnded().toString())).toEqual(texts)
  expect([reader.uint16(), reader.uint32(), reader.byte(), reader.rest().length]).toEqual([1, 2, 3, 300])
  expect(() => reader.byte()).toThrow('Malformed')
})

it('refuses lengths beyond the packet', () => {
  for (const bytes of [
    [0xfc],
    [0xfe, 1, 2],
    [0xff],
    [5, 1, 2],
    [0xfe, 255, 255, 255, 255, 255, 255, 255, 255],
  ])
    expect(() => new PayloadReader(Buffer.from(bytes)).lengthEncodedBytes()).toThrow('Malformed')
})

function collecting() {
  const written: Buffer[] = []
  const granted: number[] = []
  const writer = new PacketWriter({
    sequence: { next: 0 },
    write: (bytes, isDone) => {
      written.push(Buffer.from(bytes))
      isDone()
    },
    granted: (bytes) => granted.push(bytes),
  })
  return { writer, written, granted }
}

it('cuts and joins packets of any length, in pieces of any length', async () => {
  const { writer, written } = collecting()
  const lengths = [0, 1, 300, 200_000, LONGEST_PART, LONGEST_PART + 5, 7]
  for (const length of lengths) writer.packet(Buffer.alloc(length, 'x'))
  writer.flush()
  const reader = new PacketReader({ sequence: { next: 0 }, mostBytes: 2 ** 30, flow: () => undefined })
  const whole = Buffer.concat(written)
  for (let from = 0, piece = 1; from < whole.length; piece = Math.min(2 * piece + 1, 65_536)) {
    reader.push(whole.subarray(from, from + piece))
    from += piece
  }
  const read: number[] = []
  for (const _ of lengths) read.push((await reader.next()).length)
  expect(read).toEqual(lengths)
})

it('grants rows when they have left, once', () => {
  const { writer, granted } = collecting()
  writer.owe(100)
  writer.packet(Buffer.from('row'))
  writer.owe(50)
  expect(granted).toEqual([])
  writer.flush()
  writer.flush()
  expect(granted).toEqual([150])
})

it('writes rows of short, long and missing values', () => {
  const { writer, written } = collecting()
  const long = 'l'.repeat(70_000)
  writeTextRows(
    batchOf([
      ['a', null, long],
      [null, '', 'm'.repeat(300)],
    ]),
    writer,
  )
  writer.flush()
  const bytes = Buffer.concat(written)
  const first = new PayloadReader(bytes.subarray(4, 4 + bytes.readUIntLE(0, 3)))
  expect(first.lengthEncodedBytes().toString()).toBe('a')
  expect(first.byte()).toBe(0xfb)
  expect(first.lengthEncodedBytes().toString()).toBe(long)
  expect(first.left).toBe(0)
})

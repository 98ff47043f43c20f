import { BrokenData, ByteSource } from './byte-source.ts'
import { BitReader } from './bzip2-bits.ts'
import { createTurnsOfDecoder } from './fair-turns.ts'

const BLOCK = [0x314159, 0x265359] as const
const END = [0x177245, 0x385090] as const
const LEVEL_BYTES = 100_000
const GROUP = 50
const LONGEST_CODE = 20
/** More than the tables before the symbols of a block can have, and than a group of symbols can have. */
const MOST_TABLE_BYTES = 64 * 1024
const MOST_GROUP_BYTES = 256
const PIECE_BYTES = 64 * 1024
/** Steps between two looks at the clock. */
const STEPS = 16_384

const broken = (what: string) => new BrokenData(`The bzip2 data is broken: ${what}.`)

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte << 24
  for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1
  return sum
})

/** One of the codes of a block: the symbols in the order of their codes, and where those of each length begin. */
interface Code {
  readonly symbols: Uint16Array
  readonly shortest: number
  /** The largest code of each length, and what is taken off it for the place among the symbols. */
  readonly largest: Int32Array
  readonly offset: Int32Array
}

function codeOf(lengths: readonly number[]): Code {
  const symbols = new Uint16Array(lengths.length)
  const largest = new Int32Array(LONGEST_CODE + 2).fill(-1)
  const offset = new Int32Array(LONGEST_CODE + 2)
  let place = 0
  let code = 0
  for (let length = 1; length <= LONGEST_CODE; length++) {
    offset[length] = code - place
    for (const [symbol, of] of lengths.entries())
      if (of === length) {
        symbols[place++] = symbol
        code++
      }
    largest[length] = code - 1
    if (code - 1 >= 2 ** length) throw broken('a code is too full')
    code <<= 1
  }
  return { symbols, shortest: Math.min(...lengths), largest, offset }
}

function usedBytes(bits: BitReader): number[] {
  const groups = bits.read(16)
  const used: number[] = []
  for (let group = 0; group < 16; group++) {
    if (!(groups & (0x8000 >> group))) continue
    const inGroup = bits.read(16)
    for (let at = 0; at < 16; at++) if (inGroup & (0x8000 >> at)) used.push(group * 16 + at)
  }
  if (used.length === 0) throw broken('a block uses no byte')
  return used
}

function selectorsOf(bits: BitReader, codes: number): Uint8Array {
  const count = bits.read(15)
  if (count === 0) throw broken('a block has no selector')
  const order = Array.from({ length: codes }, (_, at) => at)
  return Uint8Array.from({ length: count }, () => {
    let at = 0
    while (bits.read(1)) if (++at >= codes) throw broken('a selector is out of bounds')
    const [chosen = 0] = order.splice(at, 1)
    order.unshift(chosen)
    return chosen
  })
}

function codesOf(bits: BitReader, { codes, symbols }: { codes: number; symbols: number }): Code[] {
  return Array.from({ length: codes }, () => {
    let length = bits.read(5)
    return codeOf(
      Array.from({ length: symbols }, () => {
        while (bits.read(1)) length += bits.read(1) ? -1 : 1
        if (length < 1 || length > LONGEST_CODE) throw broken('a code is too long')
        return length
      }),
    )
  })
}

function symbolIn(bits: BitReader, { shortest, largest, offset, symbols }: Code): number {
  let length = shortest
  let code = bits.read(length)
  while (code > (largest[length] ?? -1)) {
    if (++length > LONGEST_CODE) throw broken('a code is unknown')
    code = (code << 1) | bits.read(1)
  }
  const symbol = symbols[code - (offset[length] ?? 0)]
  if (symbol === undefined) throw broken('a code is unknown')
  return symbol
}

type Turns = ReturnType<typeof createTurnsOfDecoder>

/** The bytes of a block as they were sorted, and how often each is there. */
async function sortedBytes(
  bits: BitReader,
  sorted: Uint8Array,
  turns: Turns,
): Promise<{ readonly length: number; readonly counts: Int32Array }> {
  const used = usedBytes(bits)
  const codes = bits.read(3)
  if (codes < 2 || codes > 6) throw broken('a block has too many codes')
  const selectors = selectorsOf(bits, codes)
  const end = used.length + 1
  const tables = codesOf(bits, { codes, symbols: end + 1 })
  const counts = new Int32Array(256)
  let length = 0
  let run = 0
  let weight = 1
  const put = (byte: number, times: number): void => {
    if (length + times > sorted.length) throw broken('a block is too long')
    sorted.fill(byte, length, length + times)
    counts[byte] = (counts[byte] ?? 0) + times
    length += times
  }
  for (const selector of selectors) {
    await bits.fill(MOST_GROUP_BYTES)
    if (turns.isOver()) await turns.next()
    const table = tables[selector]
    if (!table) throw broken('a selector is out of bounds')
    for (let at = 0; at < GROUP; at++) {
      const symbol = symbolIn(bits, table)
      // Two symbols are the digits of how often the first byte is repeated.
      if (symbol <= 1) {
        if (weight > sorted.length) throw broken('a run is too long')
        run += weight << symbol
        weight <<= 1
        continue
      }
      if (run > 0) {
        put(used[0] ?? 0, run)
        run = 0
        weight = 1
      }
      if (symbol === end) return { length, counts }
      const [byte = 0] = used.splice(symbol - 1, 1)
      used.unshift(byte)
      put(byte, 1)
    }
  }
  throw broken('a block has no end')
}

interface Sorted {
  readonly sorted: Uint8Array
  readonly length: number
  readonly counts: Int32Array
  /** Of the row that the text begins with. */
  readonly origin: number
  readonly crc: number
}

/** For each place its byte, and above it the place that follows in the text. */
async function chained({ sorted, length, counts }: Sorted, links: Uint32Array, turns: Turns): Promise<void> {
  const next = new Int32Array(256)
  let sum = 0
  for (let byte = 0; byte < 256; byte++) {
    next[byte] = sum
    sum += counts[byte] ?? 0
  }
  for (let at = 0; at < length; at++) {
    const byte = sorted[at] ?? 0
    const place = next[byte] ?? 0
    next[byte] = place + 1
    links[place] = (links[place] ?? 0) | (at << 8)
    links[at] = ((links[at] ?? 0) & 0xffffff00) | byte
    if (at % STEPS === 0 && turns.isOver()) await turns.next()
  }
}

/** The text of a block: the chain of places, with four equal bytes followed by how often the byte is repeated. */
async function* textOf(block: Sorted, links: Uint32Array, turns: Turns): AsyncGenerator<Buffer> {
  links.fill(0, 0, block.length)
  await chained(block, links, turns)
  let place = (links[block.origin] ?? 0) >>> 8
  let sum = 0xffffffff
  let piece = Buffer.allocUnsafe(PIECE_BYTES + 256)
  let filled = 0
  let same = 0
  let last = -1
  for (let at = 0; at < block.length; at++) {
    const link = links[place] ?? 0
    const byte = link & 0xff
    place = link >>> 8
    const isCount = same === 4
    const times = isCount ? byte : 1
    const written = isCount ? last : byte
    for (let time = 0; time < times; time++) {
      piece[filled++] = written
      sum = (sum << 8) ^ (CRC_TABLE[((sum >>> 24) ^ written) & 0xff] ?? 0)
    }
    same = isCount ? 0 : byte === last && same > 0 ? same + 1 : 1
    if (isCount) last = -1
    else last = byte
    if (filled >= PIECE_BYTES) {
      yield piece.subarray(0, filled)
      piece = Buffer.allocUnsafe(PIECE_BYTES + 256)
      filled = 0
      if (turns.isOver()) await turns.next()
    }
    if (at % STEPS === 0 && turns.isOver()) await turns.next()
  }
  if (~sum >>> 0 !== block.crc) throw broken('a checksum is wrong')
  if (filled > 0) yield piece.subarray(0, filled)
}

interface Room {
  readonly sorted: Uint8Array
  readonly links: Uint32Array
}

const withRoom = (room: Room, bytes: number): Room =>
  room.sorted.length >= bytes ? room : { sorted: new Uint8Array(bytes), links: new Uint32Array(bytes) }

const wordOf = (bits: BitReader): number => bits.read(16) * 65_536 + bits.read(16)

/** Undoes bzip2, of one stream or several one after the other. Holds one block, of 900 kB at most. */
export async function* decodeBzip2(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const bits = new BitReader(new ByteSource(chunks))
  const turns = createTurnsOfDecoder()
  // Of all streams: one of a few bytes may ask for the largest blocks.
  let room: Room = { sorted: new Uint8Array(0), links: new Uint32Array(0) }
  do {
    if (turns.isOver()) await turns.next()
    await bits.fill(MOST_TABLE_BYTES)
    const level = bits.read(24) === 0x425a68 ? bits.read(8) - 0x30 : 0
    if (level < 1 || level > 9) throw broken('it does not begin as such')
    for (;;) {
      await bits.fill(MOST_TABLE_BYTES)
      const magic = [bits.read(24), bits.read(24)]
      const crc = wordOf(bits)
      if (magic[0] === END[0] && magic[1] === END[1]) break
      if (magic[0] !== BLOCK[0] || magic[1] !== BLOCK[1]) throw broken('a block does not begin as one')
      if (bits.read(1)) throw broken('it is of a version before 0.9.5')
      const origin = bits.read(24)
      room = withRoom(room, level * LEVEL_BYTES)
      const sorted = room.sorted.subarray(0, level * LEVEL_BYTES)
      const read = await sortedBytes(bits, sorted, turns)
      if (origin >= read.length) throw broken('a block begins outside of itself')
      yield* textOf({ sorted, origin, crc, ...read }, room.links, turns)
    }
    bits.align()
  } while (!(await bits.hasEnded()))
}

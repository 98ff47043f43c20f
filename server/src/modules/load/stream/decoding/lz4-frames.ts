import { BrokenData, ByteSource } from './byte-source.ts'
import { createTurnsOfDecoder } from './fair-turns.ts'
import { createXxh32, xxh32 } from './xxh32.ts'

const MAGIC = 0x184d2204
const SKIPPABLE = 0x184d2a50
/** How far back a match may reach. */
const WINDOW = 64 * 1024
const SMALLEST_MATCH = 4
const UNCOMPRESSED = 0x80000000
/** Bytes between two looks at the clock. */
const LOOKS_EVERY = 32 * 1024
const SHORT_COPY = 64
const BLOCK_BYTES: Readonly<Record<number, number>> = { 4: 65_536, 5: 262_144, 6: 1_048_576, 7: 4_194_304 }

type Turns = ReturnType<typeof createTurnsOfDecoder>
type Sum = ReturnType<typeof createXxh32>

const broken = (what: string) => new BrokenData(`The LZ4 frame is broken: ${what}.`)

interface Frame {
  readonly mostBytes: number
  /** Its blocks do not reach into those before them. */
  readonly areIndependent: boolean
  readonly hasBlockSums: boolean
  readonly hasSum: boolean
}

async function frameOf(source: ByteSource): Promise<Frame> {
  const start = await source.take(2)
  const [flags = 0, sizes = 0] = start
  if (flags >> 6 !== 1) throw broken('its version is unknown')
  if (flags & 1) throw broken('it needs a dictionary')
  const mostBytes = BLOCK_BYTES[(sizes >> 4) & 7]
  if (mostBytes === undefined) throw broken('its block size is unknown')
  const descriptor = Buffer.concat([start, await source.take(flags & 8 ? 8 : 0)])
  const [sum] = await source.take(1)
  if (((xxh32(descriptor) >>> 8) & 0xff) !== sum) throw broken('the checksum of its header is wrong')
  return {
    mostBytes,
    areIndependent: (flags & 32) !== 0,
    hasBlockSums: (flags & 16) !== 0,
    hasSum: (flags & 4) !== 0,
  }
}

/** A length that continues while its bytes are full. */
function longer(input: Buffer, at: number, length: number): [length: number, at: number] {
  let sum = length
  for (let next = at; ; next++) {
    const byte = input[next]
    if (byte === undefined) throw broken('a length has no end')
    sum += byte
    if (byte !== 255) return [sum, next + 1]
  }
}

/** Most are short, and copied byte by byte. What is copied may overlap what it is copied from. */
function copy(
  from: Buffer,
  at: number,
  { output, to, length }: { output: Buffer; to: number; length: number },
) {
  if (length < SHORT_COPY)
    for (let copied = 0; copied < length; copied++) output[to + copied] = from[at + copied] ?? 0
  else if (from !== output) from.copy(output, to, at, at + length)
  else copyWithin(output, at, { to, length })
}

/** A match that reaches into itself repeats what is before it: each step doubles what can be copied. */
function copyWithin(output: Buffer, at: number, { to, length }: { to: number; length: number }) {
  for (let copied = 0; copied < length;) {
    const step = Math.min(length - copied, to + copied - at)
    output.copyWithin(to + copied, at, at + step)
    copied += step
  }
}

interface BlockPlace {
  readonly output: Buffer
  /** After what is there already. */
  readonly from: number
  readonly turns: Turns
}

/** Gives where the block ends in the output. */
async function decodeBlock(input: Buffer, { output, from, turns }: BlockPlace): Promise<number> {
  let to = from
  let looked = from
  for (let at = 0; at < input.length;) {
    if (to - looked > LOOKS_EVERY) {
      looked = to
      if (turns.isOver()) await turns.next()
    }
    const token = input[at++] ?? 0
    let literals = token >> 4
    if (literals === 15) [literals, at] = longer(input, at, literals)
    if (at + literals > input.length || to + literals > output.length) throw broken('it is too long')
    copy(input, at, { output, to, length: literals })
    at += literals
    to += literals
    // The last sequence has literals only.
    if (at === input.length) return to
    if (at + 2 > input.length) throw broken('it ends in the middle of a match')
    const offset = input.readUInt16LE(at)
    at += 2
    let match = token & 15
    if (match === 15) [match, at] = longer(input, at, match)
    match += SMALLEST_MATCH
    if (offset === 0 || offset > to || to + match > output.length) throw broken('a match is out of bounds')
    copy(output, to - offset, { output, to, length: match })
    to += match
  }
  return to
}

/** What a stream is decoded with, of all of its frames: one of a few bytes may ask for blocks of 4 MB. */
class Workshop {
  readonly turns = createTurnsOfDecoder()
  #output: Buffer = Buffer.alloc(0)

  output(bytes: number): Buffer {
    if (this.#output.length < bytes) this.#output = Buffer.alloc(bytes)
    return this.#output.subarray(0, bytes)
  }
}

async function* blocksOf(source: ByteSource, frame: Frame, workshop: Workshop): AsyncGenerator<Buffer> {
  const { turns } = workshop
  const addTo = async (sum: Sum, data: Buffer): Promise<void> => {
    for (let at = 0; at < data.length; at += LOOKS_EVERY) {
      sum.update(data.subarray(at, at + LOOKS_EVERY))
      if (turns.isOver()) await turns.next()
    }
  }
  const sum = frame.hasSum ? createXxh32() : null
  let window = 0
  for (;;) {
    const size = (await source.take(4)).readUInt32LE()
    if (size === 0) break
    const length = size % UNCOMPRESSED
    if (length > frame.mostBytes) throw broken('a block is too large')
    const input = await source.take(length)
    const output = workshop.output(WINDOW + frame.mostBytes)
    if (frame.hasBlockSums) {
      const own = createXxh32()
      await addTo(own, input)
      if ((await source.take(4)).readUInt32LE() !== own.digest()) throw broken('a checksum is wrong')
    }
    const isPlain = size >= UNCOMPRESSED
    const end = isPlain
      ? window + input.copy(output, window)
      : await decodeBlock(input, { output, from: window, turns })
    const block = output.subarray(window, end)
    if (block.length > frame.mostBytes) throw broken('a block is too large')
    if (sum) await addTo(sum, block)
    // The reader keeps it while the next one is made.
    yield Buffer.from(block)
    if (frame.areIndependent) window = 0
    else {
      const kept = Math.min(end, WINDOW)
      output.copy(output, 0, end - kept, end)
      window = kept
    }
    if (turns.isOver()) await turns.next()
  }
  if (sum && (await source.take(4)).readUInt32LE() !== sum.digest()) throw broken('its checksum is wrong')
}

/** Undoes the LZ4 frame format, of one frame or several. Holds one block and what the next may repeat of it. */
export async function* decodeLz4(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = new ByteSource(chunks)
  const workshop = new Workshop()
  do {
    if (workshop.turns.isOver()) await workshop.turns.next()
    const magic = (await source.take(4)).readUInt32LE()
    if (magic === MAGIC) yield* blocksOf(source, await frameOf(source), workshop)
    else if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      let left = (await source.take(4)).readUInt32LE()
      while (left > 0) left -= (await source.take(Math.min(left, WINDOW))).length
    } else throw broken('it does not begin as one')
  } while (!(await source.hasEnded()))
}

import * as zlib from 'node:zlib'
import { xxh32 } from '../modules/load/stream/decoding/xxh32.ts'

/** Bodies of a few bytes that become very large ones, or that cost much and become nothing. */

const MB = 1024 * 1024
/** 80 MB of the letter a, by the bzip2 library of Python. */
const BZIP2 =
  'QlpoOTFBWSZTWcJtKvMBX44BAKAAAAggADCATUZCoCWpCoCXMUFZJlNZJzlKzQEFMAGAoAAAIAAIIAAwzAUppgUSBsQUSB4u5IpwoSFHxj5U'
export const bzip2Bomb = (): Buffer => Buffer.from(BZIP2, 'base64')

const HEADER = Buffer.from([0x60, 0x70])

/** The beginning of a frame with independent blocks of 4 MB at most. */
const frameStart = (): Buffer =>
  Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18]), HEADER, Buffer.from([(xxh32(HEADER) >>> 8) & 0xff])])

const FRAME_END = Buffer.alloc(4)

/** One letter, then a match that repeats it to the end of the block: no smaller block is possible. */
function lz4Block(): Buffer {
  const full = Math.floor((4 * MB - 1 - 4 - 15 - 5) / 255)
  const match = Buffer.concat([Buffer.from([0x1f, 0x61, 1, 0]), Buffer.alloc(full, 255), Buffer.from([0])])
  const block = Buffer.concat([match, Buffer.from('\x50aaaaa', 'latin1')])
  const length = Buffer.alloc(4)
  length.writeUInt32LE(block.length)
  return Buffer.concat([length, block])
}

export const lz4Bomb = (blocks: number): Buffer =>
  Buffer.concat([frameStart(), ...Array.from({ length: blocks }, lz4Block), FRAME_END])

const many = (one: Buffer, times: number): Buffer => Buffer.concat(Array.from({ length: times }, () => one))

/** Of streams that are complete and have nothing inside. */
export const EMPTY_STREAMS = {
  gzip: (times: number) => many(zlib.gzipSync(''), times),
  lz4: (times: number) => many(Buffer.concat([frameStart(), FRAME_END]), times),
  skipped: (times: number) => many(Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]), times),
  bzip2: (times: number) => many(Buffer.from('425a683917724538509000000000', 'hex'), times),
} as const

/** Each member of a size that is always allowed. */
export const gzipMembers = (): Buffer => many(zlib.gzipSync(Buffer.alloc(16 * MB, 'a')), 6)

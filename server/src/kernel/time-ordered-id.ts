import { randomBytes } from 'node:crypto'

let lastMs = 0
let counter = 0

/** A UUID of version 7 that is greater than every one made here before, so that ids sort by when they were made. */
export function timeOrderedId(now = Date.now()): string {
  // 12 bits count within a millisecond; when they are used up, the next millisecond is borrowed.
  if (now > lastMs) [lastMs, counter] = [now, 0]
  else if (++counter > 0xfff) [lastMs, counter] = [lastMs + 1, 0]
  const bytes = randomBytes(16)
  bytes.writeUIntBE(lastMs, 0, 6)
  bytes.writeUInt16BE(0x7000 | counter, 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

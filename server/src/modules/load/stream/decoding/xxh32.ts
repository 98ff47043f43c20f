const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const
const [P1, P2, P3, P4, P5] = PRIMES
const STRIPE = 16

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by))
const round = (lane: number, word: number): number =>
  Math.imul(rotated((lane + Math.imul(word, P2)) | 0, 13), P1)

/** The checksum of LZ4 frames, with the seed 0, of data that comes in pieces. */
export function createXxh32() {
  let lanes: [number, number, number, number] = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0]
  let rest: Buffer = Buffer.alloc(0)
  let length = 0

  function stripes(data: Buffer): number {
    let [a, b, c, d] = lanes
    let at = 0
    for (; at + STRIPE <= data.length; at += STRIPE) {
      a = round(a, data.readInt32LE(at))
      b = round(b, data.readInt32LE(at + 4))
      c = round(c, data.readInt32LE(at + 8))
      d = round(d, data.readInt32LE(at + 12))
    }
    lanes = [a, b, c, d]
    return at
  }

  return {
    update(data: Buffer): void {
      length += data.length
      const all = rest.length === 0 ? data : Buffer.concat([rest, data])
      // Copied: what it is a part of may be written over.
      rest = Buffer.from(all.subarray(stripes(all)))
    },

    digest(): number {
      const [a, b, c, d] = lanes
      let hash =
        length >= STRIPE ? (rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18)) | 0 : P5 | 0
      hash = (hash + length) | 0
      let at = 0
      for (; at + 4 <= rest.length; at += 4)
        hash = Math.imul(rotated((hash + Math.imul(rest.readInt32LE(at), P3)) | 0, 17), P4)
      for (; at < rest.length; at++)
        hash = Math.imul(rotated((hash + Math.imul(rest.readUInt8(at), P5)) | 0, 11), P1)
      hash = Math.imul(hash ^ (hash >>> 15), P2)
      hash = Math.imul(hash ^ (hash >>> 13), P3)
      return (hash ^ (hash >>> 16)) >>> 0
    },
  }
}

export function xxh32(data: Buffer): number {
  const sum = createXxh32()
  sum.update(data)
  return sum.digest()
}

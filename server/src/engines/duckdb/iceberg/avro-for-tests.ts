import { deflateRawSync } from 'node:zlib'

/** As Avro writes numbers. */
export function avroLong(value: bigint | number): Buffer {
  let left = BigInt.asUintN(64, (BigInt(value) << 1n) ^ (BigInt(value) >> 63n))
  const bytes: number[] = []
  do {
    bytes.push(Number(left & 0x7fn) | (left > 0x7fn ? 0x80 : 0))
    left >>= 7n
  } while (left > 0n)
  return Buffer.from(bytes)
}

/** As Avro writes texts and bytes. */
export const avroBytes = (content: string | Buffer): Buffer =>
  Buffer.concat([avroLong(Buffer.byteLength(content)), Buffer.from(content)])

const SYNC = Buffer.alloc(16, 7)

/** A file with one block. */
export function avroFile(
  schema: unknown,
  { count, block, codec = 'null' }: { count: number; block: Buffer; codec?: string },
): Buffer {
  const packed = codec === 'deflate' ? deflateRawSync(block) : block
  return Buffer.concat([
    Buffer.from('Obj\u0001', 'latin1'),
    avroLong(2),
    avroBytes('avro.schema'),
    avroBytes(JSON.stringify(schema)),
    avroBytes('avro.codec'),
    avroBytes(codec),
    avroLong(0),
    SYNC,
    avroLong(count),
    avroLong(packed.length),
    packed,
    SYNC,
  ])
}

import { buffer } from 'node:stream/consumers'
import avsc from 'avsc'
import { expect, test } from 'vitest'
import { avroBytes as bytes, avroFile as file, avroLong as long } from './avro-for-tests.ts'
import { AvroFault, readAvro } from './avro.ts'

const SCHEMA = {
  type: 'record',
  name: 'entry',
  fields: [
    { name: 'id', type: 'long' },
    { name: 'name', type: ['null', 'string'] },
    {
      name: 'counts',
      type: { type: 'array', items: { type: 'record', name: 'k1', fields: [{ name: 'key', type: 'int' }] } },
    },
    { name: 'more', type: { type: 'map', values: 'k1' } },
    { name: 'raw', type: { type: 'fixed', name: 'f', size: 2 } },
    { name: 'is', type: 'boolean' },
    { name: 'at', type: { type: 'int', logicalType: 'date' } },
  ],
}
const BLOCK = Buffer.concat([
  long(4611686018427387905n),
  long(1),
  bytes('é'),
  // Two blocks, the second with its length in front.
  long(1),
  long(-5),
  long(-1),
  long(1),
  long(300),
  long(0),
  long(1),
  bytes('x'),
  long(3),
  long(0),
  Buffer.from([1, 2, 1]),
  long(-7),
])
const ENTRY = {
  id: 4611686018427387905n,
  name: 'é',
  counts: [{ key: -5 }, { key: 300 }],
  more: { x: { key: 3 } },
  raw: Buffer.from([1, 2]),
  is: true,
  at: -7,
}

test.each(['null', 'deflate'])('a file is read by the schema that it has in it (%s)', (codec) => {
  expect([...readAvro(file(SCHEMA, { count: 1, block: BLOCK, codec }))]).toEqual([ENTRY])
})

test.each(['null', 'deflate'] as const)(
  'a file that another library wrote is read as that was given it (%s)',
  async (codec) => {
    const entries = Array.from({ length: 500 }, (_, at) => ({
      id: at - 250,
      name: at % 3 === 0 ? null : { string: `part ${at} é 赛` },
      counts: Array.from({ length: at % 4 }, (_, key) => ({ key: 0 - key })),
      more: at % 2 === 0 ? {} : { x: { key: at } },
      raw: Buffer.from([at % 256, 7]),
      is: at % 2 === 1,
      at: at * 1_000,
    }))
    const type = avsc.Type.forSchema(SCHEMA as avsc.Schema, { wrapUnions: true })
    const encoder = new avsc.streams.BlockEncoder(type, { codec, blockSize: 4_096 })
    const written = buffer(encoder)
    for (const entry of entries) encoder.write(entry)
    encoder.end()
    expect([...readAvro(await written)]).toEqual(
      entries.map((entry) => ({ ...entry, id: BigInt(entry.id), name: entry.name?.string ?? null })),
    )
  },
)

test('one that ends early, has a byte too many or too few, or is something else is refused', () => {
  const whole = file(SCHEMA, { count: 1, block: BLOCK })
  for (let length = 1; length < whole.length; length++)
    // Without a block it is a file without records.
    if ([...attempt(whole.subarray(0, length))].length > 0) throw new Error(`${length} bytes were read`)
  for (const wrong of [
    Buffer.from('PAR1'),
    Buffer.concat([whole, Buffer.from([2])]),
    file(SCHEMA, { count: 2, block: BLOCK }),
    file(SCHEMA, { count: 1, block: Buffer.concat([BLOCK, BLOCK]) }),
    file(SCHEMA, { count: 1, block: BLOCK, codec: 'snappy' }),
    file(['null', 'nobody'], { count: 1, block: long(1) }),
    file({ type: 'record', name: 'r' }, { count: 1, block: BLOCK }),
  ])
    expect(() => [...readAvro(wrong)]).toThrow(AvroFault)
})

function attempt(part: Buffer): unknown[] {
  try {
    return [...readAvro(part)]
  } catch (error) {
    if (error instanceof AvroFault) return []
    throw error
  }
}

test('a file that says it has more than anybody could want is refused, not read', () => {
  const endless = { type: 'array', items: 'null' }
  const block = Buffer.concat([long(2n ** 50n), long(0)])
  expect(() => [...readAvro(file(endless, { count: 1, block }), 1000)]).toThrow('far too many values')
  const nulls = file('null', { count: Number.MAX_SAFE_INTEGER, block: Buffer.alloc(0) })
  expect(() => {
    for (const _ of readAvro(nulls, 1000)) continue
  }).toThrow('far too many values')
  const bomb = file('bytes', { count: 1, block: Buffer.alloc(65 * 1024 * 1024), codec: 'deflate' })
  expect(() => [...readAvro(bomb)]).toThrow(AvroFault)
  let deep: unknown = 'int'
  for (let depth = 0; depth < 100; depth++) deep = { type: 'array', items: deep }
  expect(() => [...readAvro(file(deep, { count: 1, block: long(0) }))]).toThrow('far too deep')
  const within = { type: 'record', name: 'r', fields: [{ name: 'r', type: ['null', 'r'] }] }
  const chain = Buffer.concat(Array.from({ length: 100_000 }, () => long(1)))
  expect(() => [...readAvro(file(within, { count: 1, block: chain }))]).toThrow(AvroFault)
})

test('a schema that takes steps without a byte of data is refused by their number', () => {
  const level = (depth: number): unknown => ({
    type: 'record',
    name: `r${depth}`,
    fields: [
      { name: 'a', type: depth === 0 ? 'null' : level(depth - 1) },
      { name: 'b', type: depth === 0 ? 'null' : `r${depth - 1}` },
      { name: 'c', type: depth === 0 ? 'null' : `r${depth - 1}` },
    ],
  })
  const empty = Buffer.alloc(0)
  expect(() => [...readAvro(file(level(13), { count: 1, block: empty }), 1000)]).toThrow(
    'far too many values',
  )
  const nulls = Array.from({ length: 10_000 }, (_, at) => ({ name: `n${at}`, type: 'null' }))
  const wide = { type: 'record', name: 'wide', fields: nulls }
  expect(() => [...readAvro(file(wide, { count: 1, block: empty }), 1000)]).toThrow('far too many values')
})

test('all blocks of a file together may be so long unpacked, and no longer', () => {
  const one = file('bytes', {
    count: 1,
    block: bytes(Buffer.alloc(60 * 1024 * 1024)),
    codec: 'deflate',
  })
  const head = file('bytes', { count: 0, block: Buffer.alloc(0), codec: 'deflate' })
  // Without its own block, which is a byte of each number, two of nothing packed, and the mark behind it.
  const begin = head.subarray(0, head.length - 16 - 2 - 2)
  const block = one.subarray(begin.length)
  let read = 0
  expect(() => {
    for (const _ of readAvro(Buffer.concat([begin, block, block, block, block, block]))) read++
  }).toThrow('far too long')
  expect(read).toBe(4)
})

test('whatever is wrong with a schema is a fault of the file', () => {
  for (const schema of [
    null,
    7,
    { type: 'array' },
    { type: 'map', values: null },
    { type: 'record', name: 'r', fields: [null] },
    { type: 'fixed', name: 'f' },
    { type: 'fixed', name: 'f', size: 1.5 },
  ])
    expect(() => [...readAvro(file(schema, { count: 1, block: Buffer.alloc(1) }))]).toThrow(AvroFault)
})

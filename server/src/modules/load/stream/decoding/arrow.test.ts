import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { arrowBody as data, type ArrowBody } from '../../../../testing/arrow-bodies.ts'
import { decodeArrow } from './arrow.ts'

/** As much as a body may become here. */
const MOST = 5_000_000

async function decoded(bytes: Buffer, pieceBytes = bytes.length): Promise<string[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, at) =>
    bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes),
  )
  let text = ''
  for await (const one of decodeArrow(Readable.from(pieces))) {
    text += Buffer.from(one).toString()
    if (text.length > MOST) break
  }
  return text.split('\n').filter(Boolean)
}

const ROWS = [
  String.raw`{"id":9007199254740993,"u":18446744073709551615,"s":-128,"a \"name\"":"line\nbreak, \"quote\" ü","large":"big","price":"-1234567890123456789012345.6789","wide":"-1.5","at":"1969-12-31 23:59:59.999999","ns":"2026-01-02 03:04:05.123456789","zoned":"1970-01-01 00:00:00+00","day":"1969-12-31","ms":"1969-12-31","time":"03:04:05.000006","ratio":0.1,"half":1.5,"is":true,"kind":"berth","list":[1,null],"pairs":[1,2],"pair":{"x":1,"y":"a"},"map":{"k":1,"l":null},"numbered":{"1":"x"},"nothing":null}`,
  String.raw`{"id":null,"u":0,"s":127,"a \"name\"":"","large":null,"price":"0.0005","wide":null,"at":"2026-01-02 03:04:05.123456","ns":null,"zoned":null,"day":"2026-02-28","ms":null,"time":"23:59:59.000000","ratio":"NaN","half":-2,"is":false,"kind":"berth","list":[],"pairs":[3,4],"pair":null,"map":null,"numbered":{},"nothing":null}`,
]

test('values of all types become JSON with all their digits, in pieces of any size, as a stream and as a file', async () => {
  expect(await decoded(data('stream'))).toEqual(ROWS)
  expect(await decoded(data('stream'), 13)).toEqual(ROWS)
  expect(await decoded(data('file'), 100)).toEqual(ROWS)
})

test('a dictionary may grow between batches', async () => {
  const kinds = (await decoded(data('growing'))).map((line) => (JSON.parse(line) as { kind: string }).kind)
  expect(kinds).toEqual(['a', 'b', 'a', 'c', null])
})

test('what cannot be loaded is refused by its reason', async () => {
  const said = (name: ArrowBody) => decoded(data(name)).catch((error: Error) => error.message)
  expect(await said('duration')).toBe(
    'The column took has an Arrow type that cannot be loaded. Send Parquet.',
  )
  expect(await said('bytes')).toContain('The column bytes has an Arrow type that cannot be loaded.')
  expect(await said('compressed')).toBe('The record batches are compressed. Compress the body as a whole.')
  expect(await said('bad')).toBe('A text is not valid UTF-8.')
})

test('what is cut off anywhere, or is no Arrow, is refused', async () => {
  const whole = data('stream')
  const found = new Set<string>()
  // A stream need not say that it ends: cut off between two messages, it has no rows.
  for (let end = 0; end < whole.length - 8; end += 40)
    found.add(String(await decoded(whole.subarray(0, end)).catch((error: Error) => error.name)))
  expect([...found].toSorted()).toEqual(['', 'BrokenData'])
  for (const text of ['', '1,a\n2,b\n', '{"id":1}', 'x'.repeat(10_000), 'ARROW1\0\0'])
    await expect(decoded(Buffer.from(text))).rejects.toMatchObject({ name: 'BrokenData' })
})

test('bytes that were changed anywhere are refused or give other rows, and nothing else', async () => {
  const found = new Set<string>()
  for (const whole of [data('stream'), data('growing')])
    for (let at = 0; at < whole.length; at += 5) {
      const changed = Buffer.from(whole)
      changed.writeUInt8(changed.readUInt8(at) ^ (at % 2 === 0 ? 0xff : 0x80), at)
      const said = await decoded(changed).then(
        () => 'rows',
        (error: Error) => error.name,
      )
      found.add(said)
    }
  expect([...found].toSorted()).toEqual(['AppError', 'BrokenData', 'rows'])
})

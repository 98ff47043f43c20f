import { expect, test } from 'vitest'
import { bytesOf, hexDump } from './hex-dump.ts'

test('a binary value is shown byte by byte, eight a line', () => {
  const bytes = bytesOf(String.raw`GIF\x00\xFF89abc`)
  expect(bytes).toHaveLength(10)
  expect(hexDump(bytes).split('\n')).toEqual([
    '000000  47 49 46 00 ff 38 39 61  GIF..89a',
    `000008  62 63${' '.repeat(20)}bc`,
  ])
})

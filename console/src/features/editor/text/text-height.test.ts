import { expect, test } from 'vitest'
import { textHeight } from './text-height.ts'

test('a text has room for its lines and a few more, and for no more than a screen', () => {
  expect(textHeight('')).toBe(136)
  expect(textHeight('select 1\nfrom t')).toBe(136)
  expect(textHeight('\n'.repeat(9))).toBe(216)
  expect(textHeight('\n'.repeat(5_000_000))).toBe(2016)
})

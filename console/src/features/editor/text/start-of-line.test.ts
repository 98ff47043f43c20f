import { expect, test } from 'vitest'
import { startOfLine } from './start-of-line.ts'

test('a line begins behind the one before it', () => {
  expect([1, 2, 3, 9].map((line) => startOfLine('a\nbc\nd', line))).toEqual([0, 2, 5, 6])
})

import { expect, test } from 'vitest'
import { likeMatcher } from './like.ts'

test.each([
  ['sql_select_limit', 'sql%', true],
  ['sql_select_limit', '%LIMIT', true],
  ['sql_select_limit', '%select%', true],
  ['sql_select_limit', 'sql', false],
  ['sql_select_limit', '%s_l%t', true],
  ['aab', '%ab', true],
  ['abab', '%ab_', false],
  ['a.c', 'a.c', true],
  ['abc', 'a.c', false],
  ['abc', 'a_c', true],
  ['🚣', '_', true],
  ['', '', true],
  ['', '%%', true],
  ['', '_', false],
  ['100%', '100%', true],
])('%j LIKE %j is %s', (text, pattern, matches) => {
  expect(likeMatcher(pattern)(text)).toBe(matches)
})

test('no pattern matches everything', () => {
  expect(likeMatcher(undefined)('anything')).toBe(true)
})

test('a pattern made to take for ever does not', () => {
  expect(likeMatcher(`${'%a'.repeat(1000)}%b`)('a'.repeat(2000))).toBe(false)
  expect(likeMatcher('%'.repeat(1_000_000))('a'.repeat(64))).toBe(true)
})

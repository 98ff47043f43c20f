import { expect, test } from 'vitest'
import { duplicateName } from './duplicate-name.ts'

test('a copy has a name that no other query has, within the longest that is allowed', () => {
  expect(duplicateName('Orders', new Set(['Orders']), 'copy')).toBe('Orders copy')
  expect(duplicateName('Orders', new Set(['Orders copy', 'Orders copy 2']), 'copy')).toBe('Orders copy 3')
  const long = 'Revenue by nation, year and part'
  expect(duplicateName(long, new Set(), 'copy')).toBe('Revenue by nation, year and copy')
  expect(duplicateName(long, new Set(), 'copy')).toHaveLength(32)
})

import { expect, test } from 'vitest'
import { meantKeyword } from './did-you-mean.ts'

test.each([
  ['selct', 'SELECT'],
  ['SLECT', 'SELECT'],
  ['form', 'FROM'],
  ['wehre', 'WHERE'],
  ['gruop', 'GROUP'],
  ['inserrt', 'INSERT'],
])('%s is most likely %s', (word, keyword) => expect(meantKeyword(word)).toBe(keyword))

test.each(['select', 'x', 'customers', 'o_orderkey'])('%s is like no other keyword', (word) =>
  expect(meantKeyword(word)).toBeNull(),
)

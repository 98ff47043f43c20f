import { expect, test } from 'vitest'
import { readColumnMapping } from './column-mapping.ts'

test('names and expressions are read in their order, with commas inside of calls, lists and texts', () => {
  expect(readColumnMapping("a, `b c`, c = f(a, 1), d=[1, 2][1], e = 'x,y' || a")).toEqual([
    { name: 'a', expression: null },
    { name: 'b c', expression: null },
    { name: 'c', expression: 'f(a, 1)' },
    { name: 'd', expression: '[1, 2][1]' },
    { name: 'e', expression: "'x,y' || a" },
  ])
})

test('what is no list of columns is not read', () => {
  for (const text of ['', 'a,', ',a', 'a b', 'a =', "a, 'text'", "a, b = 'open", '1', 'a, b + 1'])
    expect([text, readColumnMapping(text)]).toEqual([text, null])
})

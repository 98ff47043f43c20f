import { expect, test } from 'vitest'
import { packNames, unpackNames } from './packed-names.ts'

test.each([
  { total: 0, list: [] },
  { total: 7, list: [{ name: 'boats' }] },
  { total: 2, list: [{ name: 'odd\n"name' }, { name: '🚣,' }] },
  {
    total: 2,
    list: [
      { name: 'main', tables: 0 },
      { name: 'sales', tables: 3 },
    ],
  },
])('names come out as they went in: %j', (found) => {
  expect(unpackNames(structuredClone(packNames(found)))).toEqual(found)
})

import { expect, test } from 'vitest'
import { nameFrom } from './object-name.ts'

const orders = { catalog: 'default_catalog', database: 'sales', name: 'orders' }

test.each([
  [{ catalog: 'default_catalog', database: 'sales' }, '"orders"'],
  [{ catalog: 'default_catalog', database: 'main' }, '"sales"."orders"'],
  [{ catalog: 'lake', database: 'sales' }, '"default_catalog"."sales"."orders"'],
  [{ catalog: '', database: '' }, '"sales"."orders"'],
])('from %o a table is named as far as needed: %s', (from, name) => {
  expect(nameFrom(orders, from)).toBe(name)
})

test('whatever a name holds, it is quoted', () => {
  expect(nameFrom({ ...orders, name: 'my "own" table' }, orders)).toBe('"my ""own"" table"')
})

import { expect, test } from 'vitest'
import { nameFrom } from './object-name.ts'

const sales = { catalog: 'default_catalog', database: 'sales' }
const orders = { kind: 'table', place: sales, name: 'orders' } as const

test.each([
  [{ catalog: 'default_catalog', database: 'sales' }, '"orders"'],
  [{ catalog: 'default_catalog', database: 'main' }, '"sales"."orders"'],
  [{ catalog: 'lake', database: 'sales' }, '"default_catalog"."sales"."orders"'],
  [{ catalog: '', database: '' }, '"sales"."orders"'],
])('from %o a table is named as far as needed: %s', (from, name) => {
  expect(nameFrom(orders, from)).toBe(name)
})

test('whatever a name holds, it is quoted', () => {
  expect(nameFrom({ ...orders, name: 'my "own" table' }, sales)).toBe('"my ""own"" table"')
})

test('a column and a catalog have no prefix, a database has its catalog where that is another', () => {
  const lake = { catalog: 'lake', database: '' }
  expect(nameFrom({ kind: 'column', place: sales, name: 'id' }, lake)).toBe('"id"')
  expect(nameFrom({ kind: 'catalog', place: lake, name: 'lake' }, sales)).toBe('"lake"')
  expect(nameFrom({ kind: 'database', place: sales, name: 'sales' }, sales)).toBe('"sales"')
  expect(nameFrom({ kind: 'database', place: sales, name: 'sales' }, lake)).toBe('"default_catalog"."sales"')
})

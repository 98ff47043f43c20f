import { expect, test } from 'vitest'
import { type Entry, type EntryKind, matching } from './entries.ts'

const entry = (name: string, kind: EntryKind = 'page', hint?: string): Entry => ({
  key: name,
  kind,
  name,
  act: () => undefined,
  ...(hint ? { hint } : {}),
})
const names = (entries: readonly Entry[]) => entries.map(({ name }) => name)

test('without a text pages and actions are offered', () => {
  const all = [entry('Home'), entry('orders', 'table'), entry('Log out', 'action')]
  expect(names(matching(all, ' '))).toEqual(['Home', 'Log out'])
})

test('every word must be there; what begins with the first is first', () => {
  const all = [
    entry('Saved orders', 'query'),
    entry('reorder', 'table', 'c.d'),
    entry('order lines', 'table', 'c.sales'),
    entry('orders', 'table', 'c.sales'),
  ]
  expect(names(matching(all, 'ORDER'))).toEqual(['order lines', 'orders', 'Saved orders', 'reorder'])
  expect(names(matching(all, 'order sales'))).toEqual(['order lines', 'orders'])
  expect(names(matching(all, 'a+b('))).toEqual([])
})

test('a long list is cut', () => {
  const all = Array.from({ length: 500 }, (_, index) => entry(`t${index}`, 'table'))
  expect(matching(all, 't')).toHaveLength(50)
})

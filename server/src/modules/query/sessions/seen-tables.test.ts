import { expect, test } from 'vitest'
import { bothOf } from './seen-tables.ts'

test('what is seen is one set for the same two', () => {
  const [tables, views] = [new Set(['boats']), new Set(['fleet'])]
  expect(bothOf(tables, views)).toEqual(new Set(['boats', 'fleet']))
  expect(bothOf(tables, views)).toBe(bothOf(tables, views))
  expect(bothOf(tables, new Set())).toBe(tables)
  expect(bothOf('all', views)).toBe('all')
})

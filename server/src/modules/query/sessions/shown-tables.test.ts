import { expect, test } from 'vitest'
import { ownRows } from './own-rows.ts'
import { bothOf, shownTables } from './shown-tables.ts'

const PLACE = { catalog: 'default_catalog', database: 'main' }
const SHOWN = { seen: { table: 'all', view: 'all' }, like: undefined } as const
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `t${String(at).padStart(6, '0')}`)

test('of more names than one answer has, the first are shown, and that there are more is told', async () => {
  const all = numbered(10_001)
  const rows = ownRows(
    ['name'],
    all.map((name) => [name]),
  )
  const byStatement = { names: async () => null, list: async () => rows }
  const atHand = {
    names: async ({ of }: { of: string }) =>
      of === 'VIEW'
        ? { total: 1, list: [{ name: 'a_view' }] }
        : { total: all.length, list: all.slice(0, 10_000).map((name) => ({ name })) },
    list: () => Promise.reject(new Error('nobody asks')),
  }
  const listed = await shownTables(byStatement, PLACE, SHOWN)
  expect([listed.names.length, listed.names.at(-1), listed.isCut]).toEqual([10_000, 't009999', true])
  const known = await shownTables(atHand, PLACE, SHOWN)
  expect([known.names.length, known.names[0], known.isCut]).toEqual([10_000, 'a_view', true])
  const few = await shownTables(byStatement, PLACE, { ...SHOWN, like: 't00000_' })
  expect([few.names, few.isCut]).toEqual([numbered(10), false])
  const cut = { names: async () => null, list: async () => ({ ...rows, truncated: true }) }
  expect((await shownTables(cut, PLACE, { ...SHOWN, like: 't00000_' })).isCut).toBe(true)
})

test('what is seen is one set for the same two', () => {
  const [tables, views] = [new Set(['boats']), new Set(['fleet'])]
  expect(bothOf(tables, views)).toEqual(new Set(['boats', 'fleet']))
  expect(bothOf(tables, views)).toBe(bothOf(tables, views))
  expect(bothOf(tables, new Set())).toBe(tables)
  expect(bothOf('all', views)).toBe('all')
})

import { expect, test, vi } from 'vitest'
import type { ObjectChange } from '../../engine/objects.ts'
import { CatalogNames } from './catalog-names.ts'

const WHOLE = { descending: false, offset: 0, limit: 1000, seen: 'all', search: '' } as const

const change = (what: 'created' | 'dropped', name: string): ObjectChange => ({
  change: what,
  object: { type: 'table', catalog: 'memory', database: 'main', name },
})

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `t${String(count - at).padStart(6, '0')}`)

test('names stay in their order, whether few or many of them change between two questions', () => {
  const names = new CatalogNames([{ database: 'main', name: null, type: null }])
  const first = () => names.tablePage('main', 'table', { ...WHOLE, limit: 2 })
  for (const count of [3, 90, 500]) {
    const all = numbered(count)
    expect(first()?.total).toBe(0)
    for (const name of all) names.apply(change('created', name))
    const page = { total: count, list: [{ name: 't000001' }, { name: 't000002' }] }
    expect(first()).toEqual(page)
    names.apply(change('dropped', 'T000001'))
    expect(first()?.list[0]).toEqual({ name: 't000002' })
    for (const name of all) names.apply(change('dropped', name))
  }
})

test('names are found by what is in them, by a pattern and by who sees them', () => {
  const read = ['Boats', 'oars', 'OARS_old', 'sails'].map((name) => ({
    database: 'main',
    name,
    type: 'table' as const,
  }))
  const names = new CatalogNames(read)
  const found = (page: object) =>
    names.tablePage('main', 'table', { ...WHOLE, ...page })?.list.map(({ name }) => name)
  expect(found({ search: 'OAR' })).toEqual(['OARS_old', 'oars'])
  expect(found({ like: 'OAR%' })).toEqual(['OARS_old', 'oars'])
  expect(found({ like: 'oar_' })).toEqual(['oars'])
  expect(found({ like: '%s', seen: new Set(['boats', 'oars_old']) })).toEqual(['Boats'])
  expect(found({ like: '%s', except: new Set(['oars']) })).toEqual(['Boats', 'sails'])
})

test('many names that are made at once do not move all others each', () => {
  const read = numbered(5000).map((name) => ({ database: 'main', name, type: 'table' as const }))
  const names = new CatalogNames(read)
  names.tablePage('main', 'table', WHOLE)
  const moves = vi.spyOn(Array.prototype, 'splice')
  for (const { name } of read) names.apply(change('created', `${name}_too`))
  const moved = moves.mock.calls.length
  moves.mockRestore()
  expect(moved).toBeLessThan(500)
  expect(names.tablePage('main', 'table', WHOLE)?.total).toBe(10_000)
})

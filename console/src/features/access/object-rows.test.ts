import { objectOf } from '@boathouse/contract/privileges'
import { expect, test } from 'vitest'
import { type Names, type NamedType, objectRows, rowId } from './object-rows.ts'

const KNOWN: Record<string, readonly string[]> = { '': ['c'], c: ['d', 'e'], 'c.d': ['t'] }

const rows = (type: NamedType, open: readonly string[], over: Record<string, Names> = {}) => {
  const list = objectRows({
    type,
    allName: 'All',
    isOpen: (id) => open.includes(id),
    namesIn: (path) => over[path.join('.')] ?? { state: 'known', names: KNOWN[path.join('.')] ?? [] },
    words: { loading: 'Loading', none: 'None' },
  })
  return Array.from({ length: list.length }, (_, at) => list.at(at)).flatMap((row) =>
    row ? [[row.level, row.name, row.expanded, row.object]] : [],
  )
}

const all = rowId(objectOf('table'))
const c = rowId(objectOf('table', { catalog: 'c' }))
const d = rowId(objectOf('table', { catalog: 'c', database: 'd' }))

test('a row stands for all of a kind in it, the innermost for itself', () => {
  expect(rows('table', [all, c, d])).toEqual([
    [1, 'All', true, objectOf('table')],
    [2, 'c', true, objectOf('table', { catalog: 'c' })],
    [3, 'd', true, objectOf('table', { catalog: 'c', database: 'd' })],
    [4, 't', null, objectOf('table', { catalog: 'c', database: 'd', name: 't' })],
    [3, 'e', false, objectOf('table', { catalog: 'c', database: 'e' })],
  ])
})

test('a database is the innermost of databases, a function of functions', () => {
  const shown = (type: NamedType, open: readonly string[]) =>
    rows(type, open).map(([level, name, expanded]) => [level, name, expanded])
  expect(shown('database', [all, c])).toEqual([
    [1, 'All', true],
    [2, 'c', true],
    [3, 'd', null],
    [3, 'e', null],
  ])
  expect(shown('function', [all, c, d])).toEqual(shown('table', [all, c, d]))
  expect(rows('warehouse', [all]).at(-1)).toEqual([2, 'c', null, objectOf('warehouse', { name: 'c' })])
})

test('what is not known yet, what is empty and what failed is said in its place', () => {
  const said = (over: Names) => rows('table', [all], { '': over }).at(-1)
  expect(said({ state: 'loading' })).toEqual([2, 'Loading', null, null])
  expect(said({ state: 'known', names: [] })).toEqual([2, 'None', null, null])
  expect(said({ state: 'failed', message: 'The engine is gone.' })).toEqual([
    2,
    'The engine is gone.',
    null,
    null,
  ])
})

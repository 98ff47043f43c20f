import { objectOf } from '@boathouse/contract/privileges'
import { expect, test } from 'vitest'
import { type Names, type NamedType, objectRows, rowId } from './object-rows.ts'

const KNOWN: Record<string, readonly string[]> = { '': ['c'], c: ['d', 'e'], 'c.d': ['t'] }

const listed = (type: NamedType, open: readonly string[], over: Record<string, Names> = {}) => {
  const list = objectRows({
    type,
    isOpen: (id) => open.includes(id),
    namesIn: (path) => over[path.join('.')] ?? { state: 'known', names: KNOWN[path.join('.')] ?? [] },
    words: { all: (path) => `All ${path.join('.')}`.trim(), loading: 'Loading', none: 'None' },
  })
  return Array.from({ length: list.length }, (_, at) => list.at(at)).flatMap((row) => (row ? [row] : []))
}
const rows = (type: NamedType, open: readonly string[], over: Record<string, Names> = {}) =>
  listed(type, open, over).map(({ level, name, expanded, object }) => [level, name, expanded, object])

const C = 'all\nc'
const D = 'all\nc\nd'

test('places are opened and stand for nothing; all of a kind in one is a row of its own', () => {
  expect(rows('table', [C, D])).toEqual([
    [1, 'All', null, objectOf('table')],
    [1, 'c', true, null],
    [2, 'All c', null, objectOf('table', { catalog: 'c' })],
    [2, 'd', true, null],
    [3, 'All c.d', null, objectOf('table', { catalog: 'c', database: 'd' })],
    [3, 't', null, objectOf('table', { catalog: 'c', database: 'd', name: 't' })],
    [2, 'e', false, null],
  ])
})

test('a row is known by its object, and has its place among the others', () => {
  for (const { id, object } of listed('table', [C, D])) if (object) expect(rowId(object)).toBe(id)
  const inC = listed('table', [C, D]).filter(({ parentId }) => parentId === C)
  expect(inC.map(({ posInSet, setSize }) => [posInSet, setSize])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ])
})

test('a database is the innermost of databases, a function of functions', () => {
  const shown = (type: NamedType, open: readonly string[]) =>
    rows(type, open).map(([level, name, expanded]) => [level, name, expanded])
  expect(shown('database', [C])).toEqual([
    [1, 'All', null],
    [1, 'c', true],
    [2, 'All c', null],
    [2, 'd', null],
    [2, 'e', null],
  ])
  expect(shown('function', [C, D])).toEqual(shown('table', [C, D]))
  expect(rows('warehouse', []).at(-1)).toEqual([1, 'c', null, objectOf('warehouse', { name: 'c' })])
})

test('what is loading, empty or failed is shown in its place', () => {
  const said = (over: Names) => listed('table', [], { '': over }).at(-1)
  expect(said({ state: 'loading' })).toMatchObject({ name: 'Loading', isNote: true, object: null })
  expect(said({ state: 'known', names: [] })).toMatchObject({ name: 'None', isNote: true })
  expect(said({ state: 'failed', message: 'The engine is gone.' })).toMatchObject({
    name: 'The engine is gone.',
    isNote: true,
  })
})

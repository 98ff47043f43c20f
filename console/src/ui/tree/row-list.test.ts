import { expect, test } from 'vitest'
import { joined, placeOf, runOf } from './row-list.ts'
import type { TreeRow } from './tree-rows.ts'

const row = (id: string): TreeRow => ({
  id,
  name: id,
  level: 1,
  posInSet: 1,
  setSize: 1,
  parentId: '',
  expanded: null,
})

const run = (begin: string, ...names: string[]) =>
  runOf({ begin, names, make: (name, at) => ({ ...row(begin + name), name, posInSet: at + 1 }) })

const list = joined([row('a'), run('t:', 'x', 'y'), run('v:'), joined([row('b'), run('w:', 'x')]), row('c')])

test('rows and runs follow one another, and each is found by its id', () => {
  const ids = Array.from({ length: list.length }, (_, at) => list.at(at)?.id)
  expect(ids).toEqual(['a', 't:x', 't:y', 'b', 'w:x', 'c'])
  expect(ids.map((id) => placeOf(list, id))).toEqual([0, 1, 2, 3, 4, 5])
  expect(list.at(2)).toMatchObject({ name: 'y', posInSet: 2 })
})

test('what is not there has no place', () => {
  expect([list.at(-1), list.at(6)]).toEqual([undefined, undefined])
  expect(['t:z', 'v:x', '', null].map((id) => placeOf(list, id))).toEqual([-1, -1, -1, -1])
  expect(joined([]).at(0)).toBeUndefined()
})

test('a hundred thousand rows are not made for the few that are seen', () => {
  let made = 0
  const names = Array.from({ length: 100_000 }, (_, at) => `table_${at}`)
  const make = (name: string) => {
    made += 1
    return row(name)
  }
  const many = joined([row('a'), runOf({ begin: 't:', names, make })])
  expect(many.length).toBe(100_001)
  expect(many.indexOf('t:table_99999')).toBe(100_000)
  for (let at = 0; at < 50; at++) many.at(at)
  expect(made).toBe(49)
})

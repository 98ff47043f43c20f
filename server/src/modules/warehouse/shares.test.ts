import { expect, test } from 'vitest'
import { type Held, shareOut } from './shares.ts'

const span = { from: new Date(10_000), until: new Date(20_000) }
const held = (queryId: string, from: number, to: number | null): Held => ({ queryId, from, to })
const shared = (...all: readonly Held[]) => Object.fromEntries(shareOut(all, span))

test('who runs alone has all of the time, and those beside one another have equal parts', () => {
  expect(shared(held('a', 12_000, 15_000))).toEqual({ a: 3_000_000 })
  expect(shared(held('a', 12_000, 16_000), held('b', 14_000, 18_000))).toEqual({ a: 3_000_000, b: 3_000_000 })
})

test('only what lies in the time that is counted, and what still runs to its end', () => {
  expect(shared(held('a', 0, 11_000), held('b', 19_500, null), held('c', 30_000, null))).toEqual({
    a: 1_000_000,
    b: 500_000,
  })
  expect(shared(held('a', 12_000, 12_000), held('b', 15_000, 14_000))).toEqual({})
})

test('what cannot be divided is not lost', () => {
  const parts = shared(held('a', 12_000, 12_001), held('b', 12_000, 12_001), held('c', 12_000, 12_001))
  expect(parts).toEqual({ a: 334, b: 333, c: 333 })
})

test('a statement that holds two slots at the same time counts once', () => {
  expect(shared(held('a', 12_000, 14_000), held('a', 13_000, 15_000))).toEqual({ a: 3_000_000 })
})

import { expect, test } from 'vitest'
import { createNameText } from './name-text.ts'

const found = async (names: readonly string[], word: string) =>
  [...(await createNameText(names)).holding(word)].map((index) => names[index])

test('names that are the word come first, then those that begin with it, then the others, each once', async () => {
  const names = ['border', 'Order', 'order_lines', 'orders', 'late_orders', 'reorder_order']
  expect(await found(names, 'order')).toEqual([
    'Order',
    'order_lines',
    'orders',
    'border',
    'late_orders',
    'reorder_order',
  ])
  expect(await found(names, 'orders')).toEqual(['orders', 'late_orders'])
  expect(await found(names, 'x')).toEqual([])
})

test('no word reaches from one name into the next', async () => {
  expect(await found(['ab', 'cd'], 'bc')).toEqual([])
  expect(await found(['a\nb', 'c'], 'b')).toEqual(['a\nb'])
})

test('of one name, of none, and of names in any script', async () => {
  expect(await found([], 'a')).toEqual([])
  expect(await found(['a'], 'a')).toEqual(['a'])
  expect(await found(['ÄÖ', 'ägypten', '表'], 'ä')).toEqual(['ÄÖ', 'ägypten'])
  expect(await found(['ÄÖ', 'ägypten', '表'], '表')).toEqual(['表'])
})

test('says whether a single name holds a word', async () => {
  const text = await createNameText(['Orders', 'oars'])
  expect(text.holds(0, 'der')).toBe(true)
  expect(text.holds(1, 'der')).toBe(false)
})

test('finds every word of random names that looking at each would find', async () => {
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const names = Array.from({ length: 300 }, () =>
    Array.from({ length: 1 + next(6) }, () => 'abc'[next(3)]).join(''),
  )
  for (const word of ['a', 'ab', 'abc', 'bca', 'cccc']) {
    const expected = names.flatMap((name, index) => (name.includes(word) ? [index] : []))
    expect([...(await createNameText(names)).holding(word)].toSorted((a, b) => a - b)).toEqual(expected)
  }
})

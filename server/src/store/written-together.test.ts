import { expect, test } from 'vitest'
import { createWrittenTogether } from './written-together.ts'

test('one that comes alone is written at once, and those that come meanwhile together, some time after it began', async () => {
  const writes: { readonly at: number; readonly rows: readonly number[] }[] = []
  const write = createWrittenTogether(async (rows: readonly number[]) => {
    writes.push({ at: performance.now(), rows })
    return rows.map((row) => row * 10)
  }, 50)
  const first = write(1)
  expect(writes).toHaveLength(1)
  const others = [write(2), write(3), write(4)]
  expect(await first).toBe(10)
  expect(await Promise.all(others)).toEqual([20, 30, 40])
  expect(writes.map(({ rows }) => rows)).toEqual([[1], [2, 3, 4]])
  const [one, other] = writes
  expect((other?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThan(45)
})

test('a hundred that wait are written without waiting for more', async () => {
  const sizes: number[] = []
  const write = createWrittenTogether(async (rows: readonly number[]) => {
    sizes.push(rows.length)
    return rows
  }, 60_000)
  const all = Array.from({ length: 201 }, (_, at) => write(at))
  expect(await Promise.all(all)).toHaveLength(201)
  expect(sizes).toEqual([1, 100, 100])
})

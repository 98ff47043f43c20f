import { expect, test } from 'vitest'
import { inBatches } from './in-batches.ts'

test('works in batches until one is not full, and others come in between', async () => {
  let left = 25
  const batches: number[] = []
  let othersCame = 0
  const work = async (most: number) => {
    const taken = Math.min(left, most)
    left -= taken
    batches.push(taken)
    setImmediate(() => othersCame++)
    return taken
  }
  await inBatches(work, 10)
  expect(batches).toEqual([10, 10, 5])
  expect(othersCame).toBeGreaterThanOrEqual(2)
})

test('one run takes a hundred batches at most, and leaves the rest to the next', async () => {
  let batches = 0
  await inBatches(async (most) => (batches++, most), 10)
  expect(batches).toBe(100)
})

import { expect, test } from 'vitest'
import { createLane } from './lane.ts'

/** Work that ends when the test says so. */
function heldWork() {
  const started: number[] = []
  const ends: (() => void)[] = []
  const work = (number: number) => () =>
    new Promise<number>((resolve) => {
      started.push(number)
      ends.push(() => resolve(number))
    })
  return { started, work, endNext: () => ends.shift()?.() }
}

test('work is done a few at a time, in the order in which it came', async () => {
  const lane = createLane({ atOnce: 2, queued: 10, queuedForOne: 10 })
  const held = heldWork()
  const all = [1, 2, 3, 4].map((number) => lane('somebody', held.work(number)))
  expect(held.started).toEqual([1, 2])
  held.endNext()
  await expect.poll(() => held.started).toEqual([1, 2, 3])
  held.endNext()
  await expect.poll(() => held.started).toEqual([1, 2, 3, 4])
  held.endNext()
  held.endNext()
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4])
})

test('who has filled their part of the line is refused, and others are not', async () => {
  const lane = createLane({ atOnce: 1, queued: 3, queuedForOne: 2 })
  const held = heldWork()
  const taken = [1, 2, 3].map((number) => lane('flood', held.work(number)))
  await expect(lane('flood', held.work(4))).rejects.toMatchObject({ code: 'TooManyAttempts' })
  taken.push(lane('neighbour', held.work(5)))
  await expect(lane('third', held.work(6))).rejects.toMatchObject({ code: 'TooManyAttempts' })
  for (const number of [1, 2, 3, 5]) {
    await expect.poll(() => held.started).toContain(number)
    held.endNext()
  }
  expect(await Promise.all(taken)).toEqual([1, 2, 3, 5])
})

test('work that fails makes room for the next', async () => {
  const lane = createLane({ atOnce: 1, queued: 1, queuedForOne: 1 })
  const failing = lane('somebody', () => Promise.reject(new Error('no')))
  const next = lane('somebody', async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
  expect(await lane('somebody', async () => 'again')).toBe('again')
})

import { expect, test, vi } from 'vitest'
import { lendingWhile } from './lent-slot.ts'

test('a client that is slow to take its rows holds no slot until it has taken them', async () => {
  const steps: string[] = []
  let [take, lent] = [() => {}, () => {}]
  const isLent = new Promise<void>((resolve) => (lent = resolve))
  const taken = new Promise<void>((resolve) => (take = resolve))
  const lend = () => {
    steps.push('lent')
    lent()
    return () => void steps.push('taken back')
  }
  const waiting = lendingWhile(taken, lend, 0)
  await isLent
  expect(steps).toEqual(['lent'])
  take()
  await waiting
  expect(steps).toEqual(['lent', 'taken back'])
})

test('one that takes them soon, or refuses them, keeps its slot', async () => {
  const lend = vi.fn<() => () => void>()
  await lendingWhile(Promise.resolve(), lend)
  await expect(lendingWhile(Promise.reject(new Error('gone')), lend)).rejects.toThrow('gone')
  expect(lend).not.toHaveBeenCalled()
})

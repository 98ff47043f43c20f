import { expect, onTestFinished, test, vi } from 'vitest'
import { HeadStart } from './head-start.ts'
import type { ReadyStatement } from './statement.ts'

async function made() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const transaction = { isOpen: false, commits: { count: 0 }, leave: vi.fn<() => Promise<void>>() }
  const destroySync = vi.fn<() => void>()
  const ready = { prepared: { destroySync } } as unknown as ReadyStatement
  const headStart = new HeadStart(transaction, (task) => task())
  await headStart.make('SELECT 1', 'a', async () => ready)
  return { headStart, transaction, ready, destroySync }
}

test('is taken once, by the statement for which it was made, and then kept in its transaction', async () => {
  const { headStart, transaction, ready } = await made()
  expect(await headStart.take('SELECT 1', 'a')).toBe(ready)
  expect(await headStart.take('SELECT 1', 'a')).toBeNull()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(transaction.leave).not.toHaveBeenCalled()
})

test.each([
  ['SELECT 2', 'a', 0],
  ['SELECT 1', 'b', 0],
  ['SELECT 1', 'a', 1],
])('is dropped with its transaction for %s of %s after %i commits', async (sql, queryId, commits) => {
  const { headStart, transaction, destroySync } = await made()
  transaction.commits.count += commits
  expect(await headStart.take(sql, queryId)).toBeNull()
  expect([destroySync, transaction.leave].map((call) => call.mock.calls.length)).toEqual([1, 1])
})

test('is forgotten after a second, with its transaction', async () => {
  const { headStart, transaction, destroySync } = await made()
  await vi.advanceTimersByTimeAsync(999)
  expect(transaction.leave).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect([destroySync, transaction.leave].map((call) => call.mock.calls.length)).toEqual([1, 1])
  expect(await headStart.take('SELECT 1', 'a')).toBeNull()
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '../../../kernel/log.ts'
import { waitingOf } from './waiting.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LONG_MS = 1_000

function waitingStatement() {
  const written: string[] = []
  const write = (what: string) => async () => void written.push(what)
  const stopping = new AbortController()
  const store = { wait: write('wait'), setEngine: write('engine') }
  const waiting = waitingOf(
    { store, log: createLog('silent') },
    { queryId: 'one', acceptedAt: new Date(0) },
    { onPlace: () => undefined, start: write('start'), engine: () => 'home', stop: stopping.signal },
  )
  return { written, stopping, waiting }
}

test('of a statement that soon has its slot nothing more is written', async () => {
  const { written, waiting } = waitingStatement()
  waiting.onQueued(2)
  waiting.onQueued(1)
  await waiting.onAdmitted('home')
  await vi.advanceTimersByTimeAsync(LONG_MS)
  expect(written).toEqual([])
})

test('one that waits for long is written as waiting, once, and as started before it runs', async () => {
  const { written, waiting } = waitingStatement()
  waiting.onQueued(2)
  await vi.advanceTimersByTimeAsync(LONG_MS)
  waiting.onQueued(1)
  await vi.advanceTimersByTimeAsync(LONG_MS)
  expect(written).toEqual(['wait'])
  await waiting.onAdmitted('home')
  expect(written).toEqual(['wait', 'start'])
})

test('one that is stopped in the queue is not written as waiting behind its end', async () => {
  const { written, waiting, stopping } = waitingStatement()
  waiting.onQueued(2)
  stopping.abort()
  waiting.onQueued(1)
  await vi.advanceTimersByTimeAsync(LONG_MS)
  expect(written).toEqual([])
})

test('in another engine than was written, that is written before it runs, however short its wait', async () => {
  const { written, waiting } = waitingStatement()
  waiting.onQueued(1)
  await waiting.onAdmitted('other')
  expect(written).toEqual(['engine'])
})

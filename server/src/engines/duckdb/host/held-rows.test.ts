import { expect, test, vi } from 'vitest'
import { readBatch } from '../../engine/batch-bytes.ts'
import { batchOf, cellsOf } from '../../engine/batches.ts'
import { TEXT, columnOf } from '../../engine/columns.ts'
import type { RowSink } from '../../engine/sink.ts'
import { HeldRows } from './held-rows.ts'

const COLUMNS = [columnOf('a', 'VARCHAR', TEXT)]
const batch = (...cells: (string | null)[]) =>
  batchOf(
    cells.map((cell) => [cell]),
    1,
  )

/** What is sent over the pipe. */
function behind() {
  const events: unknown[] = []
  const sink: RowSink = {
    begin: (columns) => void events.push(columns.map(({ name }) => name)),
    write: async (one) => void events.push(cellsOf(one)),
    end: async () => void events.push('end'),
  }
  return { events, held: new HeldRows(sink) }
}

test('gives the rows of a small result to its answer, and nothing to the pipe', async () => {
  const { events, held } = behind()
  held.begin(COLUMNS)
  await held.write(batch('1', null))
  await held.end()
  const { batch: bytes } = held.take() ?? {}
  expect(bytes && cellsOf(readBatch(new Uint8Array(bytes)))).toEqual([['1'], [null]])
  expect(events).toEqual([])
})

test('distinguishes an empty result from no result', async () => {
  const { held } = behind()
  expect(held.take()).toBeNull()
  held.begin(COLUMNS)
  await held.end()
  expect(held.take()).toEqual({ batch: null })
})

test.each([
  ['a second batch', [batch('1'), batch('2')]],
  ['a batch that is too large to be held', [batch('x'.repeat(70_000))]],
])('sends all in order once there is %s', async (_, batches) => {
  const { events, held } = behind()
  held.begin(COLUMNS)
  for (const one of batches) await held.write(one)
  await held.end()
  expect(held.take()).toBeNull()
  expect(events).toEqual([['a'], ...batches.map(cellsOf), 'end'])
})

test('sends what it holds of a statement that runs on', async () => {
  vi.useFakeTimers()
  try {
    const { events, held } = behind()
    held.begin(COLUMNS)
    await held.write(batch('1'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(events).toEqual([['a'], [['1']]])
    await held.write(batch('2'))
    await held.end()
    expect(events).toEqual([['a'], [['1']], [['2']], 'end'])
    expect(held.take()).toBeNull()
  } finally {
    vi.useRealTimers()
  }
})

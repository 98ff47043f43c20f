import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { describe, expect, test } from 'vitest'
import { gridRows } from './grid-rows.ts'
import { createRowWindows } from './row-windows.ts'

const FIELDS = [{ name: 'i', type: 'BIGINT', family: 'number' }] as const

const rowsFrom = (offset: number, limit: number, total: number) =>
  Array.from({ length: Math.max(0, Math.min(limit, total - offset)) }, (_, at) => [String(offset + at)])

/** A result of the given size of which the answer brought the first 1000 rows. */
function bench(total: number, over: { isKept?: boolean; fields?: [] } = {}) {
  const clock = fakeClock()
  const asked: { offset: number; limit: number; signal: AbortSignal }[] = []
  const answers: (() => void)[] = []
  const failures: ((error: Error) => void)[] = []
  const windows = createRowWindows({
    fields: [...FIELDS],
    rows: over.fields ? [] : rowsFrom(0, 1000, total),
    longCells: [],
    isTruncated: total > 1000,
    isKept: true,
    clock,
    ...over,
    load: ({ offset, limit }, signal) => {
      asked.push({ offset, limit, signal })
      return new Promise((resolve, reject) => {
        failures.push(reject)
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        answers.push(() =>
          resolve({
            fields: [...FIELDS],
            rows: rowsFrom(offset, limit, total),
            longCells: [{ row: 1, column: 0, length: 5000 + offset }],
            totalRows: total,
            complete: true,
            expiresAt: '',
          }),
        )
      })
    },
  })
  windows.open()
  const settle = async () => {
    for (const answer of answers.splice(0)) answer()
    await Promise.resolve()
    await Promise.resolve()
    await Promise.resolve()
  }
  const look = async (first: number, last = first + 20) => {
    windows.look(first, last)
    clock.advance(100)
    await settle()
  }
  const ranges = () => asked.map(({ offset, limit }) => [offset, limit])
  const grid = () => gridRows(windows.get())
  return { windows, clock, asked, ranges, settle, look, grid, failures }
}

describe('rows of a kept result', () => {
  test('are counted with one row, and read where they are looked at', async () => {
    const b = bench(250_000)
    expect(b.grid().count).toBe(1000)
    await b.settle()
    expect(b.windows.get()).toMatchObject({ count: 250_000, total: { rows: 250_000, isComplete: true } })
    expect(b.ranges()).toEqual([[0, 1]])
    await b.look(123_456)
    expect(b.ranges()).toEqual([
      [0, 1],
      [123_000, 1000],
    ])
    expect(b.grid().at(123_456)).toEqual(['123456'])
    expect(b.grid().at(124_000)).toBeUndefined()
    expect(b.grid().lengthAt(123_001, 0)).toBe(128_000)
    expect(b.grid().lengthAt(123_002, 0)).toBeUndefined()
  })

  test('are loaded a little ahead, and the last window is as long as it is', async () => {
    const b = bench(2_500)
    await b.settle()
    await b.look(900)
    expect(b.grid().at(1_900)).toEqual(['1900'])
    await b.look(2_400, 2_499)
    expect(b.grid().at(2_499)).toEqual(['2499'])
    await b.look(2_400, 2_499)
    expect(b.ranges()).toEqual([
      [0, 1],
      [1000, 1000],
      [2000, 1000],
    ])
  })

  test('that are passed while scrolling are not loaded, and what is left is given up', async () => {
    const b = bench(250_000)
    await b.settle()
    for (const row of [5_500, 20_500, 90_500]) b.windows.look(row, row + 20)
    b.clock.advance(100)
    expect(b.ranges().slice(1)).toEqual([[90_000, 1000]])
    b.windows.look(200_500, 200_520)
    b.clock.advance(100)
    expect(b.asked[1]?.signal.aborted).toBe(true)
    await b.settle()
    expect(b.grid().at(200_500)).toEqual(['200500'])
    expect(b.windows.get().failure).toBeNull()
  })

  test('stay within ten windows beside the first, nearest to what is looked at', async () => {
    const b = bench(250_000)
    await b.settle()
    for (let window = 1; window <= 40; window++) await b.look(window * 1000 + 500)
    expect(b.windows.get().windows.size).toBe(11)
    expect(b.grid().at(0)).toEqual(['0'])
    expect(b.grid().at(40_500)).toEqual(['40500'])
    expect(b.grid().at(1_500)).toBeUndefined()
    await b.look(1_500)
    expect(b.grid().at(1_500)).toEqual(['1500'])
  })

  test('that cannot be loaded say why, and are loaded again only on request', async () => {
    const b = bench(5_000)
    await b.settle()
    b.windows.look(3_500, 3_520)
    b.clock.advance(100)
    b.failures.at(-1)?.(new Error('no longer kept'))
    await b.settle()
    expect(b.windows.get().failure?.message).toBe('no longer kept')
    await b.look(3_500)
    expect(b.asked).toHaveLength(2)
    b.windows.retry()
    await b.settle()
    expect(b.windows.get().failure).toBeNull()
    expect(b.grid().at(3_500)).toEqual(['3500'])
  })

  test('are read from the beginning when the answer came without them', async () => {
    const b = bench(1_200, { fields: [] })
    expect(b.windows.get().fields).toBeNull()
    await b.settle()
    expect(b.windows.get()).toMatchObject({ fields: FIELDS, count: 1_200 })
    expect(b.grid().at(999)).toEqual(['999'])
  })

  test('are given up when the result is no longer shown', async () => {
    const b = bench(5_000)
    b.windows.close()
    expect(b.asked[0]?.signal.aborted).toBe(true)
    await b.settle()
    expect(b.windows.get()).toMatchObject({ total: null, failure: null })
  })
})

test('rows that are all here, or not kept, are not requested', async () => {
  const whole = bench(1_000)
  await whole.look(500)
  const lost = bench(5_000, { isKept: false })
  await lost.look(900)
  expect([whole.asked, lost.asked]).toEqual([[], []])
  expect(lost.grid().count).toBe(1000)
})

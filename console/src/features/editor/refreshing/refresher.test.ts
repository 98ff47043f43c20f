import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { expect, test } from 'vitest'
import { createRefresher, EVERYTHING } from './refresher.ts'
import type { Stale } from './refresher.ts'

const SALES: Stale = { catalogs: false, places: [{ catalog: 'lake', database: 'sales' }] }
const HR: Stale = { catalogs: false, places: [{ catalog: 'lake', database: 'hr' }] }

function start() {
  const clock = fakeClock()
  const asked: Stale[] = []
  const ends: (() => void)[] = []
  const refresher = createRefresher({
    clock,
    refresh: (stale) => {
      asked.push(stale)
      return new Promise<void>((resolve) => ends.push(resolve))
    },
  })
  /** The refresh that is under way has got its answers. */
  const end = async () => {
    ends.splice(0).forEach((resolve) => resolve())
    await Promise.resolve().then(() => Promise.resolve())
  }
  return { clock, asked, refresher, end }
}

test('many changes within a moment are one refresh, of all that they touch', () => {
  const { clock, asked, refresher } = start()
  for (let count = 0; count < 50; count++) refresher.request(SALES)
  refresher.request(HR)
  expect(asked).toEqual([])
  clock.advance(100)
  expect(asked).toEqual([
    {
      catalogs: false,
      places: [
        { catalog: 'lake', database: 'sales' },
        { catalog: 'lake', database: 'hr' },
      ],
    },
  ])
  refresher.close()
})

test('a change of everything takes in the others', () => {
  const { clock, asked, refresher } = start()
  refresher.request(SALES)
  refresher.request(EVERYTHING)
  refresher.request(HR)
  clock.advance(100)
  expect(asked).toEqual([EVERYTHING])
})

test('while changes continue, refreshes are a second apart, and the last change is shown', async () => {
  const { clock, asked, refresher, end } = start()
  for (let tenth = 0; tenth < 30; tenth++) {
    refresher.request(SALES)
    clock.advance(100)
    await end()
  }
  expect(asked.length).toBeGreaterThan(1)
  expect(asked.length).toBeLessThanOrEqual(4)
  const before = asked.length
  clock.advance(2_000)
  expect(asked).toHaveLength(before + 1)
})

test('a refresh ends before the next one begins, however long it takes', async () => {
  const { clock, asked, refresher, end } = start()
  refresher.request(SALES)
  clock.advance(100)
  refresher.request(HR)
  clock.advance(60_000)
  expect(asked).toEqual([SALES])
  await end()
  clock.advance(100)
  expect(asked).toEqual([SALES, HR])
})

test('nothing is loaded after it was closed', () => {
  const { clock, asked, refresher } = start()
  refresher.request(SALES)
  refresher.close()
  clock.advance(10_000)
  expect(asked).toEqual([])
  expect(clock.timers()).toBe(0)
})

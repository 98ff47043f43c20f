import { expect, test } from 'vitest'
import { freshStore } from '../../testing/leased-store.ts'
import { fakeClock, MINUTES, SECONDS } from '../../testing/fake-clock.ts'
import { type Attempt, createRateLimit } from './rate-limit.ts'

const store = await freshStore()
const budget = { free: 3, longestWaitMs: 8_000, pauseMs: 10 * MINUTES }
let keys = 0

/** A rate limit, and an attempt that nobody made before. */
function fresh(shared: Attempt['shared'] = []) {
  const clock = fakeClock()
  const rateLimit = createRateLimit({ db: store.db, clock })
  const key = `test ${keys++}`
  return {
    clock,
    rateLimit,
    attempt: { address: '192.0.2.7', refusal: 'Too many.', own: { key, budget }, shared },
  }
}

const outcome = (reserved: Promise<unknown>): Promise<string> =>
  reserved.then(
    () => 'reserved',
    (error: Error) => error.message,
  )

test('of many at the same moment only the free ones are reserved, whichever server they ask', async () => {
  const { clock, rateLimit, attempt } = fresh()
  const other = createRateLimit({ db: store.db, clock })
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, index) => outcome((index % 2 ? rateLimit : other).reserve(attempt))),
  )
  expect(outcomes.filter((text) => text === 'reserved')).toHaveLength(3)
})

test('each further attempt waits twice as long, up to a limit, and after a pause it starts again', async () => {
  const { clock, rateLimit, attempt } = fresh()
  for (let made = 0; made < 3; made++) await rateLimit.reserve(attempt)
  for (const seconds of [1, 2, 4, 8, 8]) {
    const words = seconds === 1 ? '1 second' : `${seconds} seconds`
    expect(await outcome(rateLimit.reserve(attempt))).toBe(`Too many. Wait ${words}, then try again.`)
    clock.advance(seconds * SECONDS)
    expect(await outcome(rateLimit.reserve(attempt))).toBe('reserved')
  }
  clock.advance(10 * MINUTES)
  for (let made = 0; made < 3; made++) expect(await outcome(rateLimit.reserve(attempt))).toBe('reserved')
})

test('a refused one is not counted anywhere', async () => {
  const wide = { key: `shared ${keys++}`, budget: { ...budget, free: 4 } }
  const { rateLimit, attempt } = fresh([wide])
  for (let made = 0; made < 10; made++) await outcome(rateLimit.reserve(attempt))
  const neighbour = { ...attempt, own: { key: `test ${keys++}`, budget } }
  expect(await outcome(rateLimit.reserve(neighbour)), 'the fourth of all').toBe('reserved')
  expect(await outcome(rateLimit.reserve(neighbour)), 'the fifth of all').toMatch(/Wait/)
})

test('what was no guess is given back', async () => {
  const { rateLimit, attempt } = fresh()
  for (let made = 0; made < 20; made++) await (await rateLimit.reserve(attempt)).giveBack()
  for (let made = 0; made < 3; made++) expect(await outcome(rateLimit.reserve(attempt))).toBe('reserved')
  expect(await outcome(rateLimit.reserve(attempt))).toMatch(/Wait/)
})

test('who was right before is not slowed down by others, until that is long ago', async () => {
  const crowded = { key: `shared ${keys++}`, budget }
  const { clock, rateLimit, attempt } = fresh([crowded])
  await (await rateLimit.reserve(attempt)).know(60 * MINUTES)
  const stranger = () => ({ ...attempt, own: { key: `test ${keys++}`, budget } })
  for (let made = 0; made < 3; made++) await rateLimit.reserve(stranger())
  expect(await outcome(rateLimit.reserve(stranger()))).toMatch(/Wait/)
  expect(await outcome(rateLimit.reserve(attempt))).toBe('reserved')
  clock.advance(60 * MINUTES)
  for (let made = 0; made < 3; made++) await rateLimit.reserve(stranger())
  expect(await outcome(rateLimit.reserve(attempt))).toMatch(/Wait/)
})

test('what is over is forgotten, what is known is not', async () => {
  await store.db.deleteFrom('attempts').execute()
  const { clock, rateLimit, attempt } = fresh()
  await (await rateLimit.reserve(attempt)).know(60 * MINUTES)
  await rateLimit.reserve({ ...attempt, own: { key: `test ${keys++}`, budget } })
  const rows = async () => (await store.db.selectFrom('attempts').select('made').execute()).length
  clock.advance(20 * MINUTES)
  await rateLimit.forgetOld()
  expect(await rows()).toBe(1)
  clock.advance(60 * MINUTES)
  await rateLimit.forgetOld()
  expect(await rows()).toBe(0)
})

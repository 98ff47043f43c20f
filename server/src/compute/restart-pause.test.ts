import { expect, test } from 'vitest'
import { fakeClock } from '../testing/fake-clock.ts'
import { createRestartPause } from './restart-pause.ts'

test('an engine that ends again and again is started after longer and longer pauses, up to 3 s', () => {
  const clock = fakeClock()
  const pause = createRestartPause(clock)
  expect(pause.leftMs()).toBe(0)
  const pauses = Array.from({ length: 7 }, () => {
    pause.ended(clock.now())
    const left = pause.leftMs()
    clock.advance(left)
    return left
  })
  expect(pauses).toEqual([100, 200, 400, 800, 1600, 3000, 3000])
  expect(pause.leftMs()).toBe(0)
})

test('one that lived for ten seconds is started again after the shortest pause', () => {
  const clock = fakeClock()
  const pause = createRestartPause(clock)
  for (let times = 0; times < 5; times++) pause.ended(clock.now())
  const startedAt = clock.now()
  clock.advance(10_000)
  pause.ended(startedAt)
  expect(pause.leftMs()).toBe(100)
})

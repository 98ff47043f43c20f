import { expect, test } from 'vitest'
import { fakeClock, HOURS } from '../testing/fake-clock.ts'
import { createCpuMeter } from './cpu-meter.ts'

test('processor use is reported as a share of all threads, since the last look and over the last hour [WH-08]', () => {
  const clock = fakeClock()
  const meter = createCpuMeter(clock)
  expect(meter.use()).toBeNull()
  meter.look(500, 4)
  expect(meter.use()).toBeNull()
  clock.advance(10_000)
  meter.look(40_500, 4)
  expect(meter.use()).toMatchObject({ percent: 100, hourPercent: 100 })
  clock.advance(10_000)
  meter.look(50_500, 2)
  expect(meter.use()).toMatchObject({ percent: 25, hourPercent: 63 })
  clock.advance(1 * HOURS)
  meter.look(50_500, 2)
  expect(meter.use()).toMatchObject({ percent: 0, hourPercent: 0 })
})

test('the last hour is reported in thirty parts; those in which the process did not run are unknown', () => {
  const clock = fakeClock()
  const meter = createCpuMeter(clock)
  meter.look(0, 1)
  clock.advance(60_000)
  meter.look(60_000, 1)
  meter.rest()
  clock.advance(4 * 60_000)
  meter.look(60_000, 1)
  clock.advance(60_000)
  meter.look(75_000, 1)
  const trend = meter.use()?.trend ?? []
  expect(trend).toHaveLength(30)
  expect(trend.slice(-4)).toEqual([null, 100, null, 25])
})

test('another process counts from the beginning, and one that does not run has no figure', () => {
  const clock = fakeClock()
  const meter = createCpuMeter(clock)
  meter.look(60_000, 1)
  clock.advance(1_000)
  meter.look(100, 1)
  expect(meter.use()).toBeNull()
  clock.advance(1_000)
  meter.look(600, 1)
  expect(meter.use()).toMatchObject({ percent: 50, hourPercent: 50 })
  meter.rest()
  expect(meter.use()).toBeNull()
})

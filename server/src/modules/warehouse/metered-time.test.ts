import { expect, test } from 'vitest'
import { secondsByHour, secondsBetween, wholeSecondsUntil } from './metered-time.ts'

const at = (text: string) => new Date(`2026-03-01T${text}Z`)
const shares = (from: string, until: string) =>
  secondsByHour(at(from), at(until)).map(({ hour, seconds }) => [hour.toISOString().slice(11, 16), seconds])

test('seconds belong to the hour in which they begin', () => {
  expect(shares('09:00:00', '09:00:10')).toEqual([['09:00', 10]])
  expect(shares('09:59:58', '10:00:03')).toEqual([
    ['09:00', 2],
    ['10:00', 3],
  ])
  expect(shares('09:59:58.400', '10:00:03.400')).toEqual([
    ['09:00', 2],
    ['10:00', 3],
  ])
  expect(shares('09:30:00', '12:00:00')).toEqual([
    ['09:00', 1800],
    ['10:00', 3600],
    ['11:00', 3600],
  ])
  expect(shares('09:00:00', '09:00:00')).toEqual([])
})

test('a part of a second is not counted, and a clock that goes back counts nothing', () => {
  expect(wholeSecondsUntil(at('09:00:00.250'), at('09:00:03.249'))).toEqual(at('09:00:02.250'))
  expect(wholeSecondsUntil(at('09:00:00.250'), at('09:00:03.250'))).toEqual(at('09:00:03.250'))
  expect(wholeSecondsUntil(at('09:00:10'), at('09:00:00'))).toEqual(at('09:00:10'))
})

test('however often it is looked at, the sum is the same to the second', () => {
  const beginning = at('08:59:30.123')
  const steps = [1, 999, 1, 2500, 61_000, 999, 3_600_000, 1001, 7, 10_800_000]
  let metered = beginning
  let now = beginning.getTime()
  const sums = new Map<string, number>()
  for (const step of steps) {
    now += step
    const until = wholeSecondsUntil(metered, new Date(now))
    for (const { hour, seconds } of secondsByHour(metered, until))
      sums.set(hour.toISOString(), (sums.get(hour.toISOString()) ?? 0) + seconds)
    metered = until
  }
  const whole = secondsByHour(beginning, wholeSecondsUntil(beginning, new Date(now)))
  expect([...sums]).toEqual(whole.map(({ hour, seconds }) => [hour.toISOString(), seconds]))
  expect(whole.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(
    Math.floor((now - beginning.getTime()) / 1000),
  )
  expect(secondsBetween(beginning, metered)).toBe(Math.floor((now - beginning.getTime()) / 1000))
})

import { expect, test } from 'vitest'
import { CronProblem, nextCronTimes, parseCron } from './cron.ts'
import { isTimeZone } from './time-zone.ts'

const next = (cron: string, zone: string, after: string, count = 3): string[] =>
  nextCronTimes(parseCron(cron), zone, { after: new Date(after), count }).map((at) =>
    at.toISOString().slice(0, 16),
  )

test.each([
  ['', 'five fields'],
  ['* * * *', 'five fields'],
  ['* * * * * *', 'five fields'],
  ['60 * * * *', '60 is not a minute. It is between 0 and 59.'],
  ['0 24 * * *', '24 is not an hour'],
  ['0 0 0 * *', '0 is not a day of the month'],
  ['0 0 1 13 *', '13 is not a month'],
  ['0 0 * * 8', '8 is not a day of the week'],
  ['0 0 * * noday', 'noday is not a day of the week'],
  ['5-1 * * * *', '5-1 ends before it begins'],
  ['1-2-3 * * * *', '1-2-3 is not a range'],
  ['*/0 * * * *', '*/0 is not a step'],
  ['*/5/5 * * * *', '*/5/5 is not a step'],
  ['1,,2 * * * *', 'Nothing is not a minute'],
  ['-1 * * * *', 'Nothing is not a minute'],
  ['0 0 31 2 *', 'There is no such day in any year'],
  ['@daily', 'five fields'],
])('refuses %j: %s', (text, message) => {
  expect(() => parseCron(text)).toThrow(CronProblem)
  expect(() => parseCron(text)).toThrow(message)
})

test.each([
  ['*/15 * * * *', ['2026-01-31T10:15', '2026-01-31T10:30', '2026-01-31T10:45']],
  ['5/20 10 * * *', ['2026-01-31T10:05', '2026-01-31T10:25', '2026-01-31T10:45']],
  ['0 9 * * 1-5', ['2026-02-02T09:00', '2026-02-03T09:00', '2026-02-04T09:00']],
  ['0 9 * * MON,wed', ['2026-02-02T09:00', '2026-02-04T09:00', '2026-02-09T09:00']],
  ['30 6 1 jan-mar/2 *', ['2026-03-01T06:30', '2027-01-01T06:30', '2027-03-01T06:30']],
  ['0 0 * * 7', ['2026-02-01T00:00', '2026-02-08T00:00', '2026-02-15T00:00']],
  ['0 0 29 2 *', ['2028-02-29T00:00', '2032-02-29T00:00', '2036-02-29T00:00']],
  // Of two that are given, one is enough.
  ['0 0 13 * 5', ['2026-02-06T00:00', '2026-02-13T00:00', '2026-02-20T00:00']],
  ['0 0 */2 * 0', ['2026-02-01T00:00', '2026-02-15T00:00', '2026-03-01T00:00']],
])('%s in UTC', (cron, times) => {
  expect(next(cron, 'UTC', '2026-01-31T10:00:00Z')).toEqual(times)
})

test('a time is that of the clocks of its zone, before and after they are moved', () => {
  expect(next('0 9 * * *', 'Europe/Berlin', '2026-03-27T12:00:00Z')).toEqual([
    '2026-03-28T08:00',
    '2026-03-29T07:00',
    '2026-03-30T07:00',
  ])
  expect(next('0 9 * * *', 'Asia/Kolkata', '2026-03-27T00:00:00Z', 1)).toEqual(['2026-03-27T03:30'])
  expect(next('0 0 * * *', 'Pacific/Kiritimati', '2026-03-27T00:00:00Z', 1)).toEqual(['2026-03-27T10:00'])
  expect(next('0 23 * * *', 'Pacific/Pago_Pago', '2026-03-27T00:00:00Z', 1)).toEqual(['2026-03-27T10:00'])
})

test('a time that the clock skips is when it skips it, once', () => {
  // From 02:00 to 03:00 on 29 March 2026, which is 01:00 in UTC.
  expect(next('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z')).toEqual([
    '2026-03-29T01:00',
    '2026-03-30T00:30',
    '2026-03-31T00:30',
  ])
  expect(next('*/30 1-3 * * *', 'Europe/Berlin', '2026-03-28T23:45:00Z', 5)).toEqual([
    '2026-03-29T00:00',
    '2026-03-29T00:30',
    '2026-03-29T01:00',
    '2026-03-29T01:30',
    '2026-03-29T23:00',
  ])
  // Half an hour, and no later time is lost.
  expect(next('10,35 2 * * *', 'Australia/Lord_Howe', '2026-10-03T10:00:00Z', 2)).toEqual([
    '2026-10-03T15:30',
    '2026-10-03T15:35',
  ])
})

test('a time that the clock has twice is the first of them, and both for what runs in every hour', () => {
  // From 03:00 back to 02:00 on 25 October 2026, which is 01:00 in UTC.
  expect(next('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z')).toEqual([
    '2026-10-25T00:30',
    '2026-10-26T01:30',
    '2026-10-27T01:30',
  ])
  expect(next('30 2 * * *', 'Europe/Berlin', '2026-10-25T00:30:00Z', 1)).toEqual(['2026-10-26T01:30'])
  expect(next('30 * * * *', 'Europe/Berlin', '2026-10-24T23:45:00Z', 4)).toEqual([
    '2026-10-25T00:30',
    '2026-10-25T01:30',
    '2026-10-25T02:30',
    '2026-10-25T03:30',
  ])
  // At midnight, where the day before ends twice.
  expect(next('45 23 * * *', 'America/Havana', '2026-10-31T12:00:00Z', 2)).toEqual([
    '2026-11-01T03:45',
    '2026-11-02T04:45',
  ])
})

test('every time is later than the one before, through a year of every kind of zone', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC'])
    for (const cron of ['0 */5 * * *', '30 2 * * *', '17 0,23 * * *']) {
      const times = next(cron, zone, '2026-01-01T00:00:00Z', 400)
      expect(times, `${cron} ${zone}`).toEqual([...new Set(times)].toSorted())
    }
})

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['America/Argentina/Buenos_Aires', true],
  ['Europe/Berlin\n', false],
  ['europe/berlin', false],
  ['+02:00', false],
  ['Nowhere/Land', false],
  ['', false],
])('%j is a time zone: %s', (name, isZone) => {
  expect(isTimeZone(name)).toBe(isZone)
})

import '../../../i18n/schedules.ts'
import { expect, test } from 'vitest'
import { timeInZone } from './next-runs.tsx'
import { cronOf, cronWords, NEW_WHEN, whenOf, whenProblems } from './repeats.ts'

test.each([
  ['5 * * * *', 'Every hour at minute 5'],
  ['0 9 * * *', 'Every day at 09:00'],
  ['30 23 * * 0', 'Every Sunday at 23:30'],
  ['0 9 * * 1-5', '0 9 * * 1-5'],
  ['*/5 * * * *', '*/5 * * * *'],
  ['0 9 1 * *', '0 9 1 * *'],
])('%s is %j, and stays what it is', (cron, words) => {
  expect(cronWords(cron)).toBe(words)
  expect(cronOf(whenOf(cron))).toBe(cron)
})

test('an invalid minute and an invalid time have their message at the field', () => {
  expect(whenProblems({ ...NEW_WHEN, kind: 'hourly', minute: '60' })).toEqual({
    minute: 'Enter a minute from 0 to 59.',
  })
  expect(whenProblems({ ...NEW_WHEN, kind: 'weekly', time: '' })).toEqual({
    time: 'Enter a time such as 09:00.',
  })
  expect(whenProblems({ ...NEW_WHEN, kind: 'cron', time: '' })).toEqual({})
})

test('a time is shown by the clocks of its zone, before and after they are moved', () => {
  const zone = 'Europe/Berlin'
  expect(timeInZone(new Date('2026-03-28T08:00:00Z'), zone)).toBe('Saturday, 28 March 2026 at 09:00 CET')
  expect(timeInZone(new Date('2026-03-30T07:00:00Z'), zone)).toBe('Monday, 30 March 2026 at 09:00 CEST')
})

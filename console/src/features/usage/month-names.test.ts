import { afterEach, expect, test } from 'vitest'
import { cents, dayName, lastDayBefore, latestMonths, monthName, monthOf } from './month-names.ts'

const own = process.env['TZ']
afterEach(() => {
  if (own === undefined) delete process.env['TZ']
  else process.env['TZ'] = own
})

test('cents are rounded in decimals', () => {
  expect(['0', '0.004999', '0.005', '1.005000', '9.58', '8.575', '1234567890123.455'].map(cents)).toEqual([
    '0.00',
    '0.00',
    '0.01',
    '1.01',
    '9.58',
    '8.58',
    '1234567890123.46',
  ])
})

const MONTHS = Array.from({ length: 26 }, (_, index) => new Date(Date.UTC(2026, 10 + index, 1)))
const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

test.each([
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Asia/Kolkata',
  'America/St_Johns',
  'Europe/Berlin',
])('two years of months, leap day included, are those of UTC for a reader in %s', (zone) => {
  process.env['TZ'] = zone
  expect(new Date(2026, 0, 1).getTimezoneOffset() === 0, 'the zone is in force').toBe(zone === 'UTC')
  for (const first of MONTHS) {
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()]
    const text = first.toISOString().slice(0, 7)
    expect(monthOf(first)).toBe(text)
    expect(monthOf(new Date(first.getTime() - 1))).not.toBe(text)
    expect(monthName(text)).toMatch(new RegExp(` ${year}$`))
    const next = new Date(Date.UTC(year, month + 1, 1)).toISOString()
    const days = month === 1 && year === 2028 ? 29 : LAST_DAYS[month]
    expect(lastDayBefore(next)).toMatch(new RegExp(` ${days}$`))
    expect(latestMonths(first)[0]).toBe(text)
    expect(latestMonths(new Date(new Date(next).getTime() - 1))[0]).toBe(text)
    expect(new Set(latestMonths(first)).size).toBe(12)
  }
  expect(dayName('2028-02-29')).toBe('Tuesday, February 29')
  expect(lastDayBefore('2028-03-01T00:00:00.000Z')).toBe('February 29')
})

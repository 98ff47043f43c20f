import { expect, test } from 'vitest'
import { historyBegins, monthOf } from './history-time.ts'

const at = (text: string): Date => new Date(text)

test('a month is one of UTC, also over the end of a year', () => {
  expect(monthOf(at('2026-12-31T23:59:59.999Z'))).toEqual(at('2026-12-01T00:00:00Z'))
  expect(monthOf(at('2026-12-31T23:59:59.999Z'), 1)).toEqual(at('2027-01-01T00:00:00Z'))
  expect(monthOf(at('2027-01-01T00:30:00+01:00'))).toEqual(at('2026-12-01T00:00:00Z'))
})

test('what is 90 days old is kept with its month', () => {
  expect(historyBegins(at('2026-05-29T23:59:59Z'))).toEqual(at('2026-02-01T00:00:00Z'))
  expect(historyBegins(at('2026-05-30T00:00:00Z'))).toEqual(at('2026-03-01T00:00:00Z'))
})

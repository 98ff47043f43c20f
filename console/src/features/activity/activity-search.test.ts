import { expect, test } from 'vitest'
import { filterOf, momentOf } from './activity-search.ts'

const NOW = Date.parse('2026-03-01T09:00:00Z')

test('the address is what the service is asked for, without what makes no sense', () => {
  expect(filterOf({}, NOW)).toEqual({})
  expect(
    filterOf(
      { text: ' join ', duration: 'long', state: 'failed', user: 'ada', warehouse: 'etl', door: 'mysql' },
      NOW,
    ),
  ).toEqual({ text: 'join', duration: 'long', state: 'failed', user: 'ada', warehouse: 'etl', door: 'mysql' })
  expect(filterOf({ text: '  ', duration: 'eternal', state: 'running', door: 'x', time: 'y' }, NOW)).toEqual(
    {},
  )
})

test('a time is counted back from now, or lies between two that a clock here shows', () => {
  expect(filterOf({ time: 'day', until: '2026-01-01T00:00' }, NOW)).toEqual({
    from: '2026-02-28T09:00:00.000Z',
  })
  const from = new Date('2026-02-01T08:00').toISOString()
  expect(filterOf({ from: '2026-02-01T08:00', until: 'soon' }, NOW)).toEqual({ from })
})

test('a time that a clock leaves out or shows twice is still one moment', () => {
  for (const local of ['2026-03-29T02:30', '2026-10-25T02:30'])
    expect(momentOf(local)).toMatch(/^2026-(03-29|10-25)T\d\d:30:00\.000Z$/)
  expect(momentOf('2026-13-01T00:00')).toBeUndefined()
})

import { expect, onTestFinished, test } from 'vitest'
import { filterOf, momentOf } from './activity-search.ts'

const NOW = Date.parse('2026-03-01T09:00:00Z')

test('the address is what is requested from the service, without invalid values', () => {
  expect(filterOf({}, NOW)).toEqual({})
  expect(
    filterOf(
      {
        text: ' join ',
        duration: 'long',
        state: 'failed',
        user: 'ada',
        warehouse: 'etl',
        door: 'mysql',
        key: ' nightly ',
      },
      NOW,
    ),
  ).toEqual({
    text: 'join',
    duration: 'long',
    state: 'failed',
    user: 'ada',
    warehouse: 'etl',
    door: 'mysql',
    key: 'nightly',
  })
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
    for (const end of ['from', 'until'] as const)
      expect(momentOf(local, end)).toMatch(/^2026-(03-29|10-25)T\d\d:30:00\.000Z$/)
  expect(momentOf('2026-13-01T00:00', 'from')).toBeUndefined()
})

test('a range that begins and ends with a time that is shown twice leaves out neither of both', () => {
  const zone = process.env['TZ']
  onTestFinished(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  process.env['TZ'] = 'Europe/Berlin'
  expect(filterOf({ from: '2026-10-25T02:30', until: '2026-10-25T02:30' }, NOW)).toEqual({
    from: '2026-10-25T00:30:00.000Z',
    until: '2026-10-25T01:30:00.000Z',
  })
  expect(filterOf({ from: '2026-10-25T01:00', until: '2026-10-25T04:00' }, NOW)).toEqual({
    from: '2026-10-24T23:00:00.000Z',
    until: '2026-10-25T03:00:00.000Z',
  })
})

import { expect, test } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDateTime,
  formatDuration,
  formatMemory,
  formatRelative,
  formatSeconds,
  formatZone,
} from './format.ts'

test.each([
  [0, '0'],
  [7, '7'],
  [0.25, '0.3'],
  [999, '999'],
  [999.96, '1k'],
  [1000, '1k'],
  [1024, '1k'],
  [1250, '1.3k'],
  [999_949, '999.9k'],
  [999_950, '1M'],
  [2.5e9, '2.5G'],
  [1e12, '1T'],
  [1.5e15, '1.5P'],
  [1e18, '1E'],
  [5e21, '5000E'],
  [-1500, '-1.5k'],
  [Number.NaN, '–'],
  [Number.POSITIVE_INFINITY, '–'],
])('counts %d as %s [LIMIT-04, LIMIT-05]', (count, text) => {
  expect(formatCount(count)).toBe(text)
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_234, '1.2 KB'],
  [999_960, '1 MB'],
  [34_000_000, '34 MB'],
  [5e15, '5000 TB'],
  [-1, '–'],
  [Number.NaN, '–'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [0, '0 ms'],
  [0.42, '0.4 ms'],
  [12.4, '12 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1234, '1.23 s'],
  [59_994, '59.99 s'],
  [59_996, '1 min'],
  [60_000, '1 min'],
  [125_900, '2 min 5 s'],
  [3_600_000, '1 h'],
  [12_000_000, '3 h 20 min'],
  [90_000_000, '1 d 1 h'],
  [-1, '–'],
  [Number.NaN, '–'],
])('a duration of %d ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('a moment is shown in the time zone of the reader', () => {
  const local = new Date(2026, 2, 1, 9, 5, 7)
  expect(formatDateTime(local.toISOString())).toBe(`2026-03-01 09:05:07 ${formatZone(local)}`)
  expect(formatDateTime('')).toBe('–')
})

test.each([
  [0, 'UTC'],
  [-60, 'UTC+1'],
  [300, 'UTC-5'],
  [-330, 'UTC+5:30'],
  [150, 'UTC-2:30'],
])('%d minutes behind UTC is the zone %s', (offset, text) => {
  const at = new Date()
  at.getTimezoneOffset = () => offset
  expect(formatZone(at)).toBe(text)
})

test.each([
  ['2026-03-01T12:00:00Z', 'now'],
  ['2026-03-01T11:59:30Z', '30 seconds ago'],
  ['2026-03-01T11:55:00Z', '5 minutes ago'],
  ['2026-03-01T14:30:00Z', 'in 2 hours'],
  ['2026-02-28T12:00:00Z', 'yesterday'],
  ['2025-12-01T12:00:00Z', '3 months ago'],
  ['2020-03-01T12:00:00Z', '6 years ago'],
  ['nonsense', '–'],
])('from noon, %s is %s', (iso, text) => {
  expect(formatRelative(iso, Date.parse('2026-03-01T12:00:00Z'))).toBe(text)
})

test.each([
  [512 * 1024 ** 2, '512 MiB'],
  [1024 ** 3, '1 GiB'],
  [1.5 * 1024 ** 3, '1.5 GiB'],
  [-1, '–'],
])('memory of %d bytes reads %s', (bytes, text) => {
  expect(formatMemory(bytes)).toBe(text)
})

test.each([
  [0, '0 s'],
  [0.9, '0 s'],
  [12.7, '12 s'],
  [77_760, '21 h 36 min'],
])('%d whole seconds read %s', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})

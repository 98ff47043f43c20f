import type { HistoryEntry } from '@boathouse/contract/query'
import { expect, test } from 'vitest'
import { phasesOf } from './time-bar.tsx'

const AT = Date.parse('2026-03-01T09:00:00Z')
const iso = (ms: number): string => new Date(AT + ms).toISOString()
const entryOf = (of: Partial<HistoryEntry>) =>
  ({ acceptedAt: iso(0), compileMs: null, fetchMs: null, ...of }) as HistoryEntry
const sum = (of: Partial<HistoryEntry>, now = 0) =>
  phasesOf(entryOf(of), AT + now).reduce((all, { ms }) => all + ms, 0)

const CASES: readonly (readonly [string, Partial<HistoryEntry>, Record<string, number>])[] = [
  [
    'behind others of its text',
    { startedAt: iso(2_300), endedAt: iso(2_370), durationMs: 70, compileMs: 10, fetchMs: 5 },
    { compiled: 10, run: 55, fetched: 5 },
  ],
  [
    'that waited for a slot behind others',
    { startedAt: iso(5_000), endedAt: iso(6_000), durationMs: 3_000 },
    { queued: 2_000, run: 1_000 },
  ],
  ['that never ran', { startedAt: null, endedAt: iso(2_370), durationMs: null }, { run: 0 }],
  ['stopped in the queue', { startedAt: null, endedAt: iso(900), durationMs: 900 }, { queued: 900, run: 0 }],
  ['that was cut off', { startedAt: iso(0), endedAt: iso(90_000), durationMs: null }, { run: 0 }],
  [
    'whose engine measured more than its end tells',
    { startedAt: iso(0), endedAt: iso(4), durationMs: 3, compileMs: 2.5, fetchMs: 1 },
    { compiled: 2.5, run: 0, fetched: 0.5 },
  ],
]

test.each(CASES)('the parts of a statement %s are its own time', (_, of, expected) => {
  const phases = phasesOf(entryOf(of), AT + 99_000)
  expect(Object.fromEntries(phases.map(({ name, ms }) => [name, ms]))).toEqual(expected)
  expect(sum(of)).toBe(of.durationMs ?? 0)
})

test('one that runs is timed since it began', () => {
  expect(sum({ startedAt: iso(1_000), endedAt: null, durationMs: null }, 4_000)).toBe(3_000)
})

import { expect, test } from 'vitest'
import { lookAgainMs } from './look-again.ts'

const NOW = Date.parse('2026-11-18T12:00:00Z')

const due = (nextRunAt: string | null) => ({ lastRun: null, nextRunAt })

test.each([
  ['nothing is scheduled', [], false],
  ['all are paused', [due(null)], false],
  ['the next one is due in 30 seconds', [due('2026-11-19T00:00:00Z'), due('2026-11-18T12:00:30Z')], 32_000],
  ['one was due and has not begun', [due('2026-11-18T11:59:59Z')], 2_000],
  ['the next one is due next year', [due('2027-11-18T12:00:00Z')], 600_000],
] as const)('where %s, the list is asked for again in due time', (_what, schedules, expected) => {
  expect(lookAgainMs([...schedules], NOW)).toBe(expected)
})

import { expect, test } from 'vitest'
import { startOf } from '../sessions/door-variables.ts'
import type { Connection } from '../sessions/connection.ts'
import { patienceOf } from './watched-sink.ts'

const HOUR_MS = 3_600_000

test.each([
  ['60', 60_000],
  ['600', 600_000],
  ['0', HOUR_MS],
  ['31536000', HOUR_MS],
])('a client that set net_write_timeout to %s holds its slot for %i ms at most', (seconds, ms) => {
  const variables = { ...startOf('mysql'), net_write_timeout: seconds }
  expect(patienceOf({ variables } as unknown as Connection)).toBe(ms)
})

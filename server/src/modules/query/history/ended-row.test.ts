import { objectOf } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { EMPTY_RESULT } from '../answers/answer.ts'
import { cancelled, cutOff, type Ending, failed, finished, withError } from '../running/ending.ts'
import type { StatementRow } from '../statement-row.ts'
import { endedRow, endingIn } from './ended-row.ts'

const AT = new Date('2026-03-01T10:00:00Z')

const ENDED = { at: AT, timeUsedMs: 1.5 }

/** As it is accepted. */
const ROW: StatementRow = {
  query_id: 'q',
  sql_bytes: null,
  bound_values: null,
  sql_hash: null,
  needed: null,
  account_id: 'ABC12345',
  user_id: 'u',
  user_name: 'ada',
  connection_id: 7,
  request_id: 'r',
  statement_index: 0,
  statement_count: 1,
  door: 'channel',
  client_ip: null,
  private_endpoint: null,
  program: null,
  key_name: null,
  warehouse_id: null,
  warehouse: 'oars',
  catalog: 'default_catalog',
  catalog_id: 'default_catalog',
  database_name: 'main',
  sql: 'SELECT 1',
  kind: 'select',
  state: 'running',
  accepted_at: AT,
  started_at: AT,
  ended_at: null,
  duration_us: null,
  row_count: null,
  error: null,
  visible: true,
  writes: false,
  effect: null,
  queued_at: null,
  peak_memory_bytes: null,
  engine: null,
  compile_us: null,
  fetch_us: null,
  peak_spill_bytes: null,
  profile: null,
  plan: null,
  result_state: 'none',
  result_rows: null,
  result_complete: null,
  result_bytes: null,
  result_columns: null,
  result_expires_at: null,
  shown_bytes: null,
}

const KEY = { queryId: 'q', acceptedAt: AT }

const readBack = (ending: Ending, row: Partial<StatementRow> = {}): Ending => {
  const written = endedRow(KEY, ending, ENDED)
  const error: unknown = JSON.parse(JSON.stringify(written.error))
  return endingIn({ ...ROW, ...row, ...written, error })
}

const measured = { compileMs: 1.5, fetchMs: 0.25, peakSpillBytes: 4096 }
const figures = { peakMemoryBytes: 1024, bytes: 3, measured }

test.each([
  ['failed', { ...withError(failed('QueryFailed', 'No.', 4), { kind: 'syntax' }), ...figures }],
  ['cancelled', { ...cancelled('Stopped at your request.'), ...figures }],
  ['cut off', cutOff('The engine ended.', null)],
  ['cut off, of unknown effect', cutOff('The engine ended.', 'unknown')],
])('an ending is read as it was written: %s', (_, ending) => {
  expect(readBack(ending)).toEqual({ ...ending, needed: [] })
})

test('an ending is read as it was written: finished, with its rows kept, which are in a file', () => {
  const rows = [['1'], ['2']]
  const kept = { rows: 5, complete: true, bytes: 0 }
  const object = objectOf('table', { catalog: 'c', database: 'd', name: 't' })
  const needed = [{ privilege: 'SELECT', object }] as const
  const ending = { ...finished({ ...EMPTY_RESULT, rows }), ...figures, kept, needed }
  expect(readBack(ending)).toEqual({ ...ending, needed, result: { ...EMPTY_RESULT, truncated: true } })
})

test('a write says again how many rows it changed, a read that its rows are gone', () => {
  const wrote = { ...finished({ ...EMPTY_RESULT, rowsChanged: 3 }), effect: 'taken' } as const
  expect(readBack(wrote, { writes: true })).toEqual({ ...wrote, needed: [] })
  expect(readBack(finished(EMPTY_RESULT)).notice).toContain('its rows are no longer kept')
})

test('what the server died with is cut off, and what became known of it later is said', () => {
  // Of what it needed nothing was written: then it is all.
  expect(endingIn(ROW)).toMatchObject({ state: 'interrupted', error: { code: 'Interrupted' }, needed: 'all' })
  const unknown = endedRow(KEY, cutOff('The engine ended.', 'unknown'), ENDED)
  const settled = endingIn({ ...ROW, ...unknown, effect: 'not taken' })
  expect(settled).toEqual({ ...cutOff('The engine ended.', 'not taken'), needed: [] })
})

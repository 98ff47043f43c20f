import { expect, test } from 'vitest'
import { type Outcome, verdictOf } from './compared.ts'
import { knownDifference } from './known-differences.ts'

const rows = (...cells: (string | null)[][]): Outcome => ({ rows: cells })
const NOTHING_BEFORE = { afterChance: false, afterRefused: false }
const asked = (sql: string, product: Outcome, peer: Outcome, before: Partial<typeof NOTHING_BEFORE> = {}) =>
  knownDifference({ sql, product, peer, ...NOTHING_BEFORE, ...before })

test.each([
  ['EXPLAIN SELECT 1', rows(['a']), rows(['b']), 'EXPLAIN'],
  ['PREPARE p AS SELECT ?', rows(), { error: 'Binder Error' }, 'PREPARE'],
  ['SELECT oid FROM pg_class', rows(['17', 't']), rows(['4711', 't']), 'ids of objects'],
  ['SELECT random()', rows(['0.1']), rows(['0.2']), 'chance and time'],
  [
    "SELECT '1850-01-01'::TIMESTAMPTZ",
    rows(['1850-01-01 00:00:00-07:52:58']),
    rows(['1850-01-01']),
    'offsets of time zones',
  ],
] as const)('%s differs as the guide says', (sql, product, peer, what) => {
  expect(asked(sql, product, peer)).toBe(what)
})

test.each([
  ['SELECT 1', rows(['1']), rows(['2'])],
  ['SELECT relname FROM pg_class', rows(['t']), rows(['u'])],
  ['SELECT oid FROM pg_class', rows(['17']), rows(['17'], ['18'])],
  ['SELECT i FROM t USING SAMPLE 5', rows(['1']), rows(['1'], ['2'])],
  ['PREPARE p AS SELECT ?', rows(), rows(['1'])],
] as const)('%s is a difference that nobody has named', (sql, product, peer) => {
  expect(asked(sql, product, peer)).toBe(null)
})

test('rows that chance made are as many, unless they are grouped', () => {
  const before = { afterChance: true }
  expect(asked('SELECT * FROM drawn', rows(['1']), rows(['2']), before)).toBe('chance and time')
  expect(asked('SELECT * FROM drawn', rows(), rows(['2']), before)).toBe(null)
  expect(asked('SELECT i FROM drawn GROUP BY i', rows(), rows(['2']), before)).toBe('chance and time')
})

test('statements after a refused one may lack what that would have created', () => {
  const before = { afterRefused: true }
  expect(asked('FROM made', rows(), rows(['1']), before)).toBe('what a refused statement would have made')
})

test('a long cell is the same when its beginning is', () => {
  const long = 'ab'.repeat(5000)
  expect(verdictOf(rows([long.slice(0, 4096)]), rows([long]), true)).toBe('same')
  expect(verdictOf(rows([`${long.slice(0, 4095)}x`]), rows([long]), true)).toBe('different')
})

import { describe, expect, test } from 'vitest'
import { type NameRules, NO_NAME_RULES } from '../../../engines/engine/name-rules.ts'
import { analyseStatement } from '../analysis/analysed-text.ts'
import { judge } from './gate.ts'

const judgeText = (sql: string) => judge(analyseStatement(sql, NO_NAME_RULES))

describe('for everyone, whatever their roles, it refuses', () => {
  test.each([
    "ATTACH 'other.db'",
    "COPY (SELECT 1) TO '/tmp/out.csv'",
    'INSTALL httpfs',
    'LOAD httpfs',
    'PRAGMA database_list',
    'CALL pragma_version()',
    "EXPORT DATABASE '/tmp/x'",
    'CHECKPOINT',
    'ALTER TYPE mood RENAME TO moods',
    'florble the wozzle',
    'SELECT 1; DROP TABLE t',
    '',
  ])('%s', (sql) => {
    expect(judgeText(sql)).toMatchObject({ allowed: false, refusal: { code: 'QueryFailed' } })
  })
})

test.each([
  'EXPLAIN ("analyze") INSERT INTO t VALUES (1)',
  'EXPLAIN ("ANALYZE" true) INSERT INTO t VALUES (1)',
  'EXPLAIN (FORMAT json, "analyse") INSERT INTO t VALUES (1)',
  'EXPLAIN (whatever) INSERT INTO t VALUES (1)',
])('what may run the explained statement writes as that does: %s', (sql) => {
  expect(judgeText(sql)).toMatchObject({ allowed: true, class: 'writes' })
})

test('a name that no statement may have in it is refused at its place, with the reason', () => {
  const names: NameRules = {
    ...NO_NAME_RULES,
    refusedCalls: new Map([['peek', 'it would look outside']]),
    refusedNames: [[/^hidden$/i, 'it is hidden']],
  }
  const refusalIn = (sql: string) => {
    const verdict = judge(analyseStatement(sql, names))
    return verdict.allowed ? null : verdict.refusal
  }
  expect(refusalIn('SELECT /* here */ PEEK (1)')).toEqual({
    code: 'QueryFailed',
    message: 'PEEK is not allowed: it would look outside.',
    detail: 'not-supported',
    offset: 18,
  })
  expect(refusalIn('SELECT 1 FROM a."Hidden"')).toMatchObject({ offset: 16 })
  for (const sql of ['SELECT peek FROM t', "SELECT 'hidden' -- peek(1)", 'INSERT INTO peek (a) VALUES (1)'])
    expect([sql, refusalIn(sql)]).toEqual([sql, null])
})

test.each([
  ['explain selec 1', 'what follows here is not one that is known', 8],
  ['EXPLAIN', 'what follows here is not one that is known', 7],
  ['EXPLAIN ANALYZE SHOW TABLES', 'SHOW TABLES has none', 16],
  ["EXPLAIN COPY t TO 'x'", 'COPY has none', 8],
])('%s is refused for what is explained', (sql, reason, offset) => {
  expect(judgeText(sql)).toMatchObject({
    allowed: false,
    refusal: {
      message: `EXPLAIN shows the plan of a statement that reads or writes; ${reason}.`,
      offset,
    },
  })
})

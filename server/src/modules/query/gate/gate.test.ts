import { describe, expect, test } from 'vitest'
import { judgeText } from './gate.ts'

const OUTSIDE = "would reach outside this account's data"
const MACHINE = 'would show the server, or data of everyone in the account'
const FOR_OTHERS = 'would change how the engine works for everyone in the account'
const UNSEEN = 'would run or show unchecked SQL text'
const OURS = 'belongs to the service'

describe('for everyone, whatever their roles, it refuses', () => {
  test.each([
    "ATTACH 'other.duckdb'",
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

  test.each([
    ["SELECT * FROM read_csv('/etc/passwd')", 'read_csv', OUTSIDE],
    ['SELECT * FROM "read_text"(\'/etc/passwd\')', 'read_text', OUTSIDE],
    ["SELECT * FROM READ_PARQUET ('s3://bucket/x')", 'READ_PARQUET', OUTSIDE],
    ["SELECT * FROM /* hidden */ read_blob /* here */ ('x')", 'read_blob', OUTSIDE],
    ["INSERT INTO t SELECT * FROM glob('*')", 'glob', OUTSIDE],
    ["SELECT getenv('HOME')", 'getenv', OUTSIDE],
    ["WITH x AS (SELECT * FROM read_json('a')) SELECT * FROM x", 'read_json', OUTSIDE],
    ["EXPLAIN SELECT * FROM read_csv('a')", 'read_csv', OUTSIDE],
    ['SELECT * FROM duckdb_memory()', 'duckdb_memory', MACHINE],
    ['SELECT * FROM duckdb_logs', 'duckdb_logs', MACHINE],
    ['SELECT * FROM "pragma_database_list"', 'pragma_database_list', MACHINE],
    ["SELECT * FROM enable_logging('QueryLog')", 'enable_logging', FOR_OTHERS],
    ["FROM query('SELECT 42')", 'query', UNSEEN],
    ["SELECT json_serialize_plan('SELECT 1')", 'json_serialize_plan', UNSEEN],
    ['SELECT * FROM boathouse_internal.effects', 'boathouse_internal', OURS],
    ['DELETE FROM default_catalog."boathouse_internal".effects', 'boathouse_internal', OURS],
    ['SELECT * FROM boathouse_results.r_1', 'boathouse_results', OURS],
  ])('a name that no statement may have in it, with the reason: %s', (sql, name, why) => {
    expect(judgeText(sql)).toMatchObject({
      allowed: false,
      refusal: { message: `${name} is not allowed: it ${why}.`, offset: sql.search(new RegExp(`"?${name}`)) },
    })
  })
})

test.each([
  'CREATE TABLE delta_log (a int)',
  'INSERT INTO glob (a) VALUES (1)',
  'CREATE TABLE IF NOT EXISTS "query" (a int)',
  'SELECT read_count(a) FROM sqlite_days',
  'SELECT checkpoint FROM t',
])('a name that is like that of a forbidden function is no reason to refuse: %s', (sql) => {
  expect(judgeText(sql)).toMatchObject({ allowed: true })
})

test.each([
  'EXPLAIN ("analyze") INSERT INTO t VALUES (1)',
  'EXPLAIN ("ANALYZE" true) INSERT INTO t VALUES (1)',
  'EXPLAIN (FORMAT json, "analyse") INSERT INTO t VALUES (1)',
  'EXPLAIN (whatever) INSERT INTO t VALUES (1)',
])('what may run the explained statement writes as that does: %s', (sql) => {
  expect(judgeText(sql)).toMatchObject({ allowed: true, class: 'writes' })
})

test('a harmless string or comment that looks like a forbidden function is no reason to refuse', () => {
  expect(judgeText("SELECT 'read_csv(x)' AS text -- glob(*)")).toMatchObject({ allowed: true })
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

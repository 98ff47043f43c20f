import { expect, test } from 'vitest'
import { analyseStatement } from '../../../modules/query/analysis/analysed-text.ts'
import { judge } from '../../../modules/query/gate/gate.ts'
import { DUCKDB_NAMES } from './name-rules.ts'

const OUTSIDE = "would reach outside this account's data"
const MACHINE = 'would show the server, or data of everyone in the account'
const FOR_OTHERS = 'would change how the engine works for everyone in the account'
const UNSEEN = 'would run or show unchecked SQL text'
const OURS = 'belongs to the service'

const judgeText = (sql: string) => judge(analyseStatement(sql, DUCKDB_NAMES))

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
])(
  'for everyone, whatever their roles, it refuses a name that no statement may have in it, with the reason: %s',
  (sql, name, why) => {
    expect(judgeText(sql)).toMatchObject({
      allowed: false,
      refusal: { message: `${name} is not allowed: it ${why}.`, offset: sql.search(new RegExp(`"?${name}`)) },
    })
  },
)

test.each([
  'CREATE TABLE delta_log (a int)',
  'INSERT INTO glob (a) VALUES (1)',
  'CREATE TABLE IF NOT EXISTS "query" (a int)',
  'SELECT read_count(a) FROM sqlite_days',
  'SELECT checkpoint FROM t',
])('a name that is like that of a forbidden function is no reason to refuse: %s', (sql) => {
  expect(judgeText(sql)).toMatchObject({ allowed: true })
})

test('a harmless string or comment that looks like a forbidden function is no reason to refuse', () => {
  expect(judgeText("SELECT 'read_csv(x)' AS text -- glob(*)")).toMatchObject({ allowed: true })
})

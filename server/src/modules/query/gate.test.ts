import { type BuiltInRole, permissionsOf } from '@boathouse/contract'
import { describe, expect, test } from 'vitest'
import type { Actor } from '../../kernel/actor.ts'
import { judge } from './gate.ts'

const actor = (...activeRoles: BuiltInRole[]): Actor => ({
  userId: 'u',
  user: 'rower',
  creator: 'somebody',
  accountId: 'ABC12345',
  region: 'local-1',
  isOrgAdmin: false,
  activeRoles,
  perms: permissionsOf(activeRoles),
  loginId: 'l',
})
const admin = actor('account_admin')

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
    "CREATE TYPE s.mood AS ENUM ('calm')",
    'PREPARE p AS SELECT 1',
    'EXECUTE p',
    'florble the wozzle',
    'SELECT 1; DROP TABLE t',
    '',
  ])('%s', (sql) => {
    expect(judge(admin, sql)).toMatchObject({ allowed: false, refusal: { code: 'QueryFailed' } })
  })

  test.each([
    "SELECT * FROM read_csv('/etc/passwd')",
    'SELECT * FROM "read_text"(\'/etc/passwd\')',
    "SELECT * FROM READ_PARQUET ('s3://bucket/x')",
    "SELECT * FROM /* hidden */ read_blob /* here */ ('x')",
    "INSERT INTO t SELECT * FROM glob('*')",
    'SELECT * FROM duckdb_settings()',
    'SELECT * FROM duckdb_databases',
    'SELECT * FROM "pragma_database_list"',
    "SELECT current_setting('allowed_paths')",
    "SELECT * FROM enable_logging('QueryLog')",
    'SELECT * FROM boathouse_internal.effects',
    'DELETE FROM default_catalog."boathouse_internal".effects',
    'SELECT * FROM boathouse_results.r_1',
    "SELECT getenv('HOME')",
    "WITH x AS (SELECT * FROM read_json('a')) SELECT * FROM x",
    "EXPLAIN SELECT * FROM read_csv('a')",
  ])('a function that reaches outside: %s', (sql) => {
    expect(judge(admin, sql)).toMatchObject({
      allowed: false,
      refusal: { message: expect.stringContaining('outside this account') },
    })
  })
})

test.each([
  ['SELECT 1', 'table:select'],
  ['INSERT INTO t VALUES (1)', 'table:insert'],
  ['CREATE TABLE t (a int)', 'table:create'],
  ['DROP TABLE t', 'table:drop'],
  ['CREATE DATABASE d', 'database:create'],
  ['EXPLAIN ANALYZE DELETE FROM t', 'table:delete'],
])('%s is refused to a role without %s and open to one with it', (sql, permission) => {
  expect(judge(actor('public'), sql)).toMatchObject({
    allowed: false,
    refusal: { code: 'NoPermission', message: expect.stringContaining(permission) },
  })
  expect(judge(actor('db_admin'), sql)).toMatchObject({ allowed: true })
})

test('a harmless string or comment that looks like a forbidden function is no reason to refuse', () => {
  expect(judge(admin, "SELECT 'read_csv(x)' AS text -- glob(*)")).toMatchObject({ allowed: true })
})

test.each([
  ['explain selec 1', 'what follows here is not one that is known', 8],
  ['EXPLAIN', 'what follows here is not one that is known', 7],
  ['EXPLAIN ANALYZE SHOW TABLES', 'SHOW TABLES has none', 16],
  ["EXPLAIN COPY t TO 'x'", 'COPY has none', 8],
])('%s is refused for what is explained', (sql, reason, offset) => {
  expect(judge(admin, sql)).toMatchObject({
    allowed: false,
    refusal: {
      message: `EXPLAIN shows the plan of a statement that reads or writes; ${reason}.`,
      offset,
    },
  })
})

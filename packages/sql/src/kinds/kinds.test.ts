import { expect, test } from 'vitest'
import { STATEMENT_KINDS } from './statement-kinds.ts'
import { kindOf, readStatement } from '../statement.ts'

/** The kinds of some texts, each once. */
const kindsOf = (...texts: string[]) => [...new Set(texts.map(kindOf))]

const classOf = (text: string) => readStatement(text).class

test('recognises SHOW VARIABLES [EDITOR-45]', () => {
  expect(kindsOf('SHOW VARIABLES', 'show session variables', `SHOW GLOBAL VARIABLES LIKE 'sql%'`)).toEqual([
    'show-variables',
  ])
})

test('recognises SET WAREHOUSE [EDITOR-46]', () => {
  expect(kindsOf('SET WAREHOUSE w', 'SET WAREHOUSE = w', 'SET SESSION WAREHOUSE = "w"')).toEqual([
    'set-warehouse',
  ])
  expect(kindsOf('SET warehouses = 1', 'SET GLOBAL warehouse = w')).toEqual(['set-variable'])
})

test('recognises SET CATALOG [EDITOR-47]', () => {
  expect(kindsOf('SET CATALOG c', 'SET CATALOG `my catalog`', 'SET SESSION CATALOG = c')).toEqual([
    'set-catalog',
  ])
})

test('recognises CREATE DATABASE [EDITOR-48]', () => {
  expect(kindsOf('CREATE DATABASE d', 'CREATE DATABASE IF NOT EXISTS c.d', 'CREATE SCHEMA d')).toEqual([
    'create-database',
  ])
})

test('recognises USE DATABASE, with USE and USE catalog.database for the same [EDITOR-49, EDITOR-57]', () => {
  expect(kindsOf('USE DATABASE d', 'USE d', 'USE c.d', 'use `c`."d"', 'USE SCHEMA d')).toEqual([
    'use-database',
  ])
})

test('recognises SHOW DATABASES [EDITOR-50]', () => {
  expect(
    kindsOf('SHOW DATABASES', 'SHOW DATABASES FROM c', `SHOW DATABASES LIKE 'a%'`, 'SHOW SCHEMAS'),
  ).toEqual(['show-databases'])
})

test('recognises CREATE TABLE [EDITOR-51]', () => {
  expect(
    kindsOf(
      'CREATE TABLE t (a int)',
      'CREATE TABLE IF NOT EXISTS t AS SELECT 1',
      'CREATE OR REPLACE TEMP TABLE t(a int)',
      'CREATE TEMPORARY TABLE t AS TABLE u',
    ),
  ).toEqual(['create-table'])
})

test('recognises INSERT INTO [EDITOR-52]', () => {
  expect(
    kindsOf(
      'INSERT INTO t VALUES (1)',
      'INSERT OR REPLACE INTO t SELECT 1',
      'INSERT OVERWRITE t SELECT 1',
      'REPLACE INTO t VALUES (1)',
      'WITH x AS (SELECT 1) INSERT INTO t FROM x',
    ),
  ).toEqual(['insert'])
})

test('recognises SET SQL_SELECT_LIMIT with any value [EDITOR-53, EDITOR-57]', () => {
  expect(
    kindsOf(
      'SET SQL_SELECT_LIMIT=1000',
      'SET SESSION sql_select_limit = 5',
      'SET @@session.sql_select_limit = DEFAULT',
      'SET @@sql_select_limit=1',
    ),
  ).toEqual(['set-sql-select-limit'])
})

test('recognises SELECT in each of its spellings [EDITOR-54, EDITOR-57]', () => {
  expect(
    kindsOf(
      'SELECT 1',
      'select/**/1',
      'SELECT(1)',
      'FROM t',
      'FROM t SELECT a',
      'VALUES (1)',
      'TABLE t',
      '(SELECT 1)',
      '((FROM t)) UNION ALL SELECT 1',
      'WITH x AS (SELECT 1) SELECT * FROM x',
    ),
  ).toEqual(['select'])
})

test('letter case makes no difference [EDITOR-56]', () => {
  expect(kindsOf('SET sql_select_limit=1000', 'set Sql_Select_Limit=1000')).toEqual(['set-sql-select-limit'])
  expect(kindsOf('select 1', 'Select 1', 'SELECT 1')).toEqual(['select'])
  expect(kindsOf('use Db', 'Use db')).toEqual(['use-database'])
  expect(kindsOf('ſelect 1', 'ınsert into t values (1)')).toEqual(['unknown'])
})

test('comments, hints and a last semicolon make no difference [EDITOR-57]', () => {
  expect(kindsOf('-- drop table t\nselect 1;', '/* a; */ select /*+ SET_VAR(a=b) */ 1 ; ;')).toEqual([
    'select',
  ])
  expect(kindsOf('set /* x */ session -- y\n warehouse = z')).toEqual(['set-warehouse'])
})

test('words count only where they are words of the statement [EDITOR-57]', () => {
  expect(kindsOf(`'select' 1`, '"select" 1', '$$select$$', ':select')).toEqual(['unknown'])
  expect(kindsOf('SET x = "warehouse"')).toEqual(['set-variable'])
  expect(kindsOf('USE "show"')).toEqual(['use-database'])
})

test('a text of several statements has no kind of its own [EDITOR-57]', () => {
  expect(kindsOf('select 1; select 2', 'select (1; drop table t)', ';select 1; drop table t')).toEqual([
    'unknown',
  ])
  expect(kindsOf('', ';', '-- select 1')).toEqual(['unknown'])
})

test('texts that the engine would read otherwise have no kind', () => {
  expect(kindsOf('select 1\0', 'select 1 `; drop table t')).toEqual(['unknown'])
  expect(kindsOf('select `a;b`', `select 'a`, 'select /* a')).toEqual(['select'])
})

test.each([
  ['WITH x AS (SELECT 1) UPDATE t SET a = 1', 'update'],
  ['WITH x AS (SELECT 1), y(a, b) AS NOT MATERIALIZED (SELECT 1, (2)) DELETE FROM t', 'delete'],
  ['WITH RECURSIVE x(n) USING KEY (n) AS (SELECT 1) MERGE INTO t USING x ON (true)', 'merge'],
  ['WITH "insert" AS (SELECT 1) FROM "insert"', 'select'],
  ['WITH insert AS (SELECT 1) SELECT * FROM insert', 'select'],
  ['WITH x AS (SELECT 1) (SELECT 2)', 'select'],
  ['(WITH x AS (SELECT 1) FROM x)', 'select'],
  ['WITH x AS (SELECT 1) PIVOT x ON a', 'pivot'],
  ['WITH x AS (SELECT 1)', 'unknown'],
  ['WITH x AS (SELECT 1', 'unknown'],
  ['WITH x AS (SELECT 1) DROP TABLE t', 'unknown'],
  ['WITH x AS (SELECT 1) COPY t TO x', 'unknown'],
  ['(INSERT INTO t VALUES (1))', 'unknown'],
  ['(DROP TABLE t)', 'unknown'],
])('%s is of kind %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind)
})

test.each([
  ['EXPLAIN SELECT 1', 'reads', { kind: 'select', analyze: false }],
  ['EXPLAIN (SELECT 1)', 'reads', { kind: 'select', analyze: false }],
  ['EXPLAIN ((FROM t))', 'reads', { kind: 'select', analyze: false }],
  ['EXPLAIN (FORMAT JSON) (SELECT 1)', 'reads', { kind: 'select', analyze: false }],
  ['EXPLAIN VERBOSE INSERT INTO t VALUES (1)', 'reads', { kind: 'insert', analyze: false }],
  ['EXPLAIN ANALYZE SELECT 1', 'reads', { kind: 'select', analyze: true }],
  ['EXPLAIN ANALYZE INSERT INTO t VALUES (1)', 'writes', { kind: 'insert', analyze: true }],
  ['EXPLAIN (ANALYZE, FORMAT JSON) DELETE FROM t', 'writes', { kind: 'delete', analyze: true }],
  ['EXPLAIN (ANALYZE false) DELETE FROM t', 'writes', { kind: 'delete', analyze: true }],
  ['EXPLAIN ANALYZE WITH x AS (SELECT 1) UPDATE t SET a = 1', 'writes', { kind: 'update', analyze: true }],
  [`EXPLAIN COPY t TO 'x'`, 'forbidden', { kind: 'copy', analyze: false }],
  ['EXPLAIN SHOW TABLES', 'forbidden', { kind: 'show-tables', analyze: false }],
  ['EXPLAIN EXPLAIN SELECT 1', 'forbidden', { kind: 'unknown', analyze: false }],
  ['EXPLAIN', 'forbidden', { kind: 'unknown', analyze: false }],
])('%s is an explain whose class is %s', (text, statementClass, explained) => {
  expect(readStatement(text)).toMatchObject({ kind: 'explain', class: statementClass, explained })
})

test('says where the explained statement begins', () => {
  expect(readStatement('explain /* a */ analyze select 1').explained?.start).toBe(24)
})

const OTHERS: Record<string, string> = {
  'CREATE OR REPLACE VIEW v AS SELECT 1': 'create-view',
  'CREATE RECURSIVE VIEW v(a) AS SELECT 1': 'create-view',
  'CREATE MATERIALIZED VIEW m AS SELECT 1': 'create-materialized-view',
  'ALTER MATERIALIZED VIEW m RENAME n': 'alter-materialized-view',
  'REFRESH MATERIALIZED VIEW m': 'refresh-materialized-view',
  'CREATE UNIQUE INDEX i ON t(a)': 'create-index',
  'CREATE TEMP SEQUENCE s': 'create-sequence',
  [`CREATE TYPE e AS ENUM ('a')`]: 'create-type',
  'SHOW SELECT * FROM t': 'describe-query',
  'CREATE OR REPLACE TEMP MACRO f(a) AS a': 'create-macro',
  'CREATE FUNCTION f(a) AS a': 'create-macro',
  'CREATE EXTERNAL CATALOG c': 'create-catalog',
  'CREATE CATALOG c': 'create-catalog',
  'CREATE WAREHOUSE w': 'create-warehouse',
  [`CREATE USER u IDENTIFIED BY 'x'`]: 'create-user',
  'DROP ROLE r': 'drop-role',
  'DROP SCHEMA d CASCADE': 'drop-database',
  'DROP TABLE t': 'drop-table',
  'ALTER TABLE t ADD COLUMN b int': 'alter-table',
  'ALTER DATABASE d SET ALIAS TO e': 'alter-database',
  'ALTER WAREHOUSE w SET (size = 2)': 'alter-warehouse',
  'SUSPEND WAREHOUSE w': 'suspend-warehouse',
  'RESUME WAREHOUSE w': 'resume-warehouse',
  'GRANT SELECT ON t TO r': 'grant',
  'REVOKE SELECT ON t FROM r': 'revoke',
  'SET ROLE r': 'set-role',
  'SET DEFAULT ROLE r TO u': 'set-default-role',
  [`SET PASSWORD = PASSWORD('x')`]: 'set-password',
  'SHOW CATALOGS': 'show-catalogs',
  'SHOW FULL TABLES FROM d': 'show-tables',
  'SHOW VIEWS': 'show-views',
  'SHOW MATERIALIZED VIEWS': 'show-materialized-views',
  'SHOW FULL COLUMNS FROM t': 'show-columns',
  'SHOW CREATE TABLE t': 'show-create-table',
  'SHOW CREATE MATERIALIZED VIEW m': 'show-create-materialized-view',
  'SHOW WAREHOUSES': 'show-warehouses',
  'SHOW GRANTS FOR u': 'show-grants',
  'SHOW ROLES': 'show-roles',
  'SHOW USERS': 'show-users',
  'SHOW FULL PROCESSLIST': 'show-processlist',
  'SHOW t': 'unknown',
  'DESC t': 'describe',
  'DESCRIBE TABLE t': 'describe',
  'DESC WAREHOUSE w': 'describe-warehouse',
  'DESCRIBE "warehouse"': 'describe',
  'DESCRIBE SELECT 1': 'describe-query',
  'DESC (FROM t)': 'describe-query',
  'SUMMARIZE t': 'summarize',
  'KILL QUERY 7': 'kill',
  'SHOW LOAD FROM d': 'show-load',
  'SHOW PIPES': 'show-pipes',
  'DESC PIPE p': 'describe-pipe',
  'CREATE OR REPLACE PIPE p AS INSERT INTO t SELECT * FROM FILES("path" = "x")': 'create-pipe',
  'ALTER PIPE p SUSPEND': 'alter-pipe',
  'DROP PIPE p': 'drop-pipe',
  [`CANCEL LOAD FROM d WHERE LABEL = 'a'`]: 'cancel-load',
  'START TRANSACTION': 'begin',
  BEGIN: 'begin',
  END: 'commit',
  ROLLBACK: 'rollback',
  'LOCK TABLES t READ LOCAL, u WRITE': 'lock-tables',
  'UNLOCK TABLES': 'unlock-tables',
  'SET query_timeout = 5': 'set-variable',
  'SET VARIABLE a = 1': 'set-user-variable',
  'SET @a = 1': 'set-user-variable',
  'RESET query_timeout': 'reset-variable',
  'TRUNCATE TABLE t': 'truncate',
  'PIVOT t ON a': 'pivot',
  'UNPIVOT t ON a': 'unpivot',
  [`COMMENT ON TABLE t IS 'x'`]: 'comment-on',
  'ANALYZE t': 'analyze',
  VACUUM: 'vacuum',
  'SUBMIT TASK AS INSERT INTO t SELECT 1': 'submit-task',
  'ALTER TASK t PAUSE': 'alter-task',
  'DROP TASK IF EXISTS t': 'drop-task',
  HELLO: 'unknown',
  'CREATE TRIGGER x': 'unknown',
}

test.each(Object.entries(OTHERS))('%s is of kind %s, too', (text, kind) => {
  expect(kindOf(text)).toBe(kind)
})

test('what reaches outside the account, or hides what it would run, is forbidden', () => {
  const texts = [
    `ATTACH 'x.db'`,
    'DETACH x',
    `COPY t TO 'x'`,
    `EXPORT DATABASE 'x'`,
    `IMPORT DATABASE 'x'`,
    'FORCE INSTALL httpfs',
    'LOAD httpfs',
    'PRAGMA database_list',
    'CALL pragma_version()',
    'FORCE CHECKPOINT',
    'UPDATE EXTENSIONS',
    'CREATE PERSISTENT SECRET s (TYPE s3)',
    'DROP SECRET s',
    'HELLO',
  ]
  expect(texts.filter((text) => classOf(text) !== 'forbidden')).toEqual([])
})

test('each class holds the kinds one expects of it', () => {
  expect(classOf('select 1')).toBe('reads')
  expect(classOf('insert into t values (1)')).toBe('writes')
  expect(classOf('show warehouses')).toBe('service')
  expect(classOf('use d')).toBe('session')
  expect(STATEMENT_KINDS.unknown).toBe('forbidden')
})

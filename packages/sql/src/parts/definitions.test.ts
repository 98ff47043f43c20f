import { expect, test } from 'vitest'
import { readDefinition } from './definitions.ts'
import { readStatement } from '../statement.ts'

test.each([
  ['CREATE DATABASE x', 'database', ['x']],
  ['create schema if not exists c.x;', 'database', ['c', 'x']],
  ['DROP DATABASE IF EXISTS x CASCADE', 'database', ['x']],
  ['CREATE TABLE t (n int)', 'table', ['t']],
  ['CREATE OR REPLACE TABLE d.t AS SELECT 1', 'table', ['d', 't']],
  ['create table if not exists `my c`."d""e".t as from range(3)', 'table', ['my c', 'd"e', 't']],
  ['DROP /* really */ TABLE IF EXISTS a.b.c', 'table', ['a', 'b', 'c']],
  ['ALTER TABLE IF EXISTS d.t ADD COLUMN n int', 'table', ['d', 't']],
  ['CREATE OR REPLACE VIEW v AS SELECT 1', 'view', ['v']],
  ['CREATE RECURSIVE VIEW d.v (n) AS SELECT 1', 'view', ['d', 'v']],
  ['DROP VIEW d.v', 'view', ['d', 'v']],
  ['DROP MATERIALIZED VIEW d.v', 'materialized-view', ['d', 'v']],
  ['CREATE SEQUENCE d.s START 1', 'sequence', ['d', 's']],
  ['CREATE MACRO d.m(a) AS a + 1', 'macro', ['d', 'm']],
  ['DROP TYPE d.y', 'type', ['d', 'y']],
  ['CREATE UNIQUE INDEX IF NOT EXISTS i ON d.t (n)', 'index', ['d', 't']],
  ['CREATE INDEX ON t (n)', 'index', ['t']],
  ['DROP INDEX d.i', 'index', ['d', 'i']],
  ['CREATE EXTERNAL CATALOG lake PROPERTIES ()', 'catalog', ['lake']],
  ['DROP TABLE if', 'table', ['if']],
])('reads what %s names', (text, object, name) => {
  expect(readDefinition(readStatement(text))).toEqual({ object, name, temporary: false })
})

test.each(['CREATE TEMP TABLE t (n int)', 'create or replace temporary view t as select 1'])(
  '%s is for the session alone',
  (text) => {
    expect(readDefinition(readStatement(text))).toMatchObject({ name: ['t'], temporary: true })
  },
)

test.each([
  'SELECT 1',
  'INSERT INTO t VALUES (1)',
  'CREATE TABLE',
  'DROP TABLE a.',
  'COMMENT ON TABLE t IS 1',
  '',
])('finds no definition in %j', (text) => {
  expect(readDefinition(readStatement(text))).toBeNull()
})

import { expect, test } from 'vitest'
import { queryPart } from './query-part.ts'
import { readStatement } from '../statement.ts'

const partOf = (text: string) => {
  const part = queryPart(readStatement(text))
  return part && text.slice(part.start, part.end).trim()
}

test.each([
  ['CREATE TABLE t AS SELECT 1', 'SELECT 1'],
  ['CREATE OR REPLACE TEMP TABLE a.b AS (FROM x);', '(FROM x)'],
  ['CREATE TABLE t (a, b) AS FROM x WITH NO DATA', 'FROM x'],
  ['CREATE TABLE t AS FROM x WITH DATA', 'FROM x'],
  ['CREATE VIEW "as" (a) AS WITH c AS (SELECT 1) FROM c', 'WITH c AS (SELECT 1) FROM c'],
  ['CREATE TABLE t (a INTEGER)', null],
  ['INSERT INTO t SELECT 1', 'SELECT 1'],
  ['INSERT INTO t (a, b) SELECT 1 ON CONFLICT DO NOTHING', 'SELECT 1'],
  ['INSERT OR REPLACE INTO a.t AS x BY NAME FROM y RETURNING *', 'FROM y'],
  ['INSERT INTO t (SELECT a FROM b)', '(SELECT a FROM b)'],
  ['INSERT INTO t (a) VALUES (1)', 'VALUES (1)'],
  ['INSERT INTO t DEFAULT VALUES', 'VALUES'],
  ['UPDATE t SET a = 1', null],
  ['WITH c AS (SELECT 1) INSERT INTO t FROM c', null],
  ['CREATE TABLE t AS', null],
])('the query in %s is %s', (text, query) => {
  expect(partOf(text)).toBe(query)
})

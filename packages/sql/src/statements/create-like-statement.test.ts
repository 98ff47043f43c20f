import { expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import { readCreateLike, tableBody } from './create-like-statement.ts'

const PLAIN = { temporary: false, lenient: false }

test.each([
  ['CREATE TABLE a LIKE b', { ...PLAIN, name: ['a'], like: ['b'] }],
  [
    'create temporary table if not exists x.a like y.b;',
    { temporary: true, lenient: true, name: ['x', 'a'], like: ['y', 'b'] },
  ],
  ['CREATE TABLE a (LIKE b)', { ...PLAIN, name: ['a'], like: ['b'] }],
  ['CREATE TABLE a LIKE b c', null],
  ['CREATE TABLE a (b INT)', null],
  [`SELECT 1 LIKE 'a'`, null],
])('%s', (sql, expected) => {
  expect(readCreateLike(readStatement(sql))).toEqual(expected)
})

test.each([
  [
    'CREATE TABLE a(id INTEGER PRIMARY KEY, n DECIMAL(4,2) DEFAULT(1));',
    '(id INTEGER PRIMARY KEY, n DECIMAL(4,2) DEFAULT(1))',
  ],
  [
    'CREATE TABLE a(id INTEGER, FOREIGN KEY (id) REFERENCES b(id), CHECK((id > 0)))',
    '(id INTEGER, CHECK((id > 0)))',
  ],
  [`CREATE TABLE a("x,(" VARCHAR DEFAULT('),('))`, `("x,(" VARCHAR DEFAULT('),('))`],
])('%s has the columns %s', (sql, body) => {
  expect(tableBody(readStatement(sql))).toBe(body)
})

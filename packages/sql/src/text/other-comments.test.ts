import { expect, test } from 'vitest'
import { analyse, readStatement } from '../statement.ts'
import { withStandardQuotes } from './requoting.ts'

const MYSQL = { escapes: true, doubleIsText: true, comments: 'mysql' } as const

const standard = (text: string): string => withStandardQuotes(readStatement(text, MYSQL))

test.each([
  ['select 5--1', 'select 5- -1'],
  ['select 5---1', 'select 5- - -1'],
  ['select 5 -- 1', 'select 5 '],
  ['select 5 --', 'select 5 '],
  ['select 5 # 1\n+ 1', 'select 5\n+ 1'],
  ['select 5 /* # -- */ + 1', 'select 5 + 1'],
  [`select '# -- --1', "#"`, `select '# -- --1', '#'`],
  ['select `#`', 'select "#"'],
])('comments as MySQL has them mean the same in standard SQL: %s', (text, expected) => {
  expect(standard(text)).toBe(expected)
})

test('a semicolon in such a comment parts nothing, and one behind --1 does', () => {
  expect(analyse('select 1 # ; select 2\n; select 3--1; select 4', 10, MYSQL).count).toBe(3)
  expect(analyse('select 3--1; select 4', 10).count).toBe(1)
})

test('without them everything is read as before', () => {
  const { comments: _, ...quotes } = MYSQL
  expect(readStatement('select 5--1', quotes).tokens.kinds).toHaveLength(2)
  expect(readStatement('select #1', quotes).tokens.kinds).toHaveLength(3)
})

import { expect, test } from 'vitest'
import { withShorterLists } from './shorter-lists.ts'
import { readStatement } from '../statement.ts'

const shorter = (text: string) =>
  withShorterLists(readStatement(text))
    .replace(/\s+/g, ' ')
    .replace(/ ([,)])/g, '$1')
    .trim()

test.each([
  [`INSERT INTO t VALUES (1, 'a'), (2, 'b'), (-3, NULL)`, `INSERT INTO t VALUES (1, 'a')`],
  ['INSERT INTO t VALUES (1), (2) RETURNING *', 'INSERT INTO t VALUES (1) RETURNING *'],
  ['INSERT INTO t VALUES (1), (f(2)), (3)', 'INSERT INTO t VALUES (1), (f(2)), (3)'],
  [
    'INSERT INTO t VALUES (1), (2), ((SELECT max(a) FROM s)), (3)',
    'INSERT INTO t VALUES (1), ((SELECT max(a) FROM s)), (3)',
  ],
  ['SELECT * FROM t WHERE a IN (-1, 2, 3) AND b', 'SELECT * FROM t WHERE a IN (-1) AND b'],
  ['SELECT * FROM t WHERE a IN (1, b, 3)', 'SELECT * FROM t WHERE a IN (1, b, 3)'],
  [`FROM 'a', 'b', ('c')`, `FROM 'a', 'b', ('c')`],
  ['SELECT 1', 'SELECT 1'],
  ['VALUES (1', 'VALUES (1'],
  ['SELECT a IN ()', 'SELECT a IN ()'],
])('%s is as short as %s', (text, expected) => {
  expect(shorter(text)).toBe(expected)
})

test('a megabyte of rows is one row', () => {
  expect(
    shorter(`INSERT INTO t VALUES ${Array.from({ length: 100_000 }, (_, n) => `(${n})`).join(', ')}`),
  ).toBe('INSERT INTO t VALUES (0)')
})

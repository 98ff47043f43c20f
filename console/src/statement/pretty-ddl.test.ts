import { Lexer, TOKEN } from '@boathouse/sql'
import { describe, expect, test } from 'vitest'
import { prettyDdl } from './pretty-ddl.ts'

const tokensOf = (sql: string): string[] => {
  const lexer = new Lexer(sql)
  const found: string[] = []
  while (lexer.next()) if (lexer.kind !== TOKEN.whitespace) found.push(sql.slice(lexer.start, lexer.end))
  return found
}

const CASES: readonly (readonly [string, string])[] = [
  [
    `CREATE TABLE boats(id BIGINT PRIMARY KEY, "name, or (so)" VARCHAR DEFAULT('a, b'), price DECIMAL(18,2) NOT NULL, CHECK((price > 0)));`,
    `CREATE TABLE boats(
  id BIGINT PRIMARY KEY,
  "name, or (so)" VARCHAR DEFAULT('a, b'),
  price DECIMAL(18,2) NOT NULL,
  CHECK((price > 0))
);`,
  ],
  [
    'CREATE TABLE one(a STRUCT(x INTEGER, y INTEGER)[]);',
    'CREATE TABLE one(\n  a STRUCT(x INTEGER, y INTEGER)[]\n);',
  ],
  [
    `CREATE VIEW v AS SELECT left(a, 2), count(b, c) AS "from", (SELECT max(x) FROM u) FROM t LEFT OUTER JOIN u ON ((t.id = u.id)) WHERE (a > 1) GROUP BY a ORDER BY a, b;`,
    `CREATE VIEW v AS
SELECT left(a, 2),
  count(b, c) AS "from",
  (SELECT max(x) FROM u)
FROM t
LEFT OUTER JOIN u ON ((t.id = u.id))
WHERE (a > 1)
GROUP BY a
ORDER BY a, b;`,
  ],
]

test.each(CASES)('a definition of one line is laid out, word for word the same: %s', (sql, expected) => {
  expect(prettyDdl(sql)).toBe(expected)
  expect(tokensOf(prettyDdl(sql))).toEqual(tokensOf(sql))
})

describe('what is laid out already, or is no definition, stays as it is', () => {
  test.each([
    'CREATE MATERIALIZED VIEW v\nREFRESH MANUAL\nAS SELECT 1, 2',
    'CREATE VIEW v AS SELECT 1 -- a, b',
    'select a, b from t',
    '',
    `CREATE TABLE t(a ${'x'.repeat(60_000)})`,
  ])('%#', (sql) => {
    expect(prettyDdl(sql)).toBe(sql)
  })
})

import { expect, test } from 'vitest'
import { asClientsMean } from './driver-questions.ts'

const meant = (sql: string) => asClientsMean(sql, undefined)

test.each([
  [
    'a variable that a column sets is what later columns read',
    'SELECT CASE a WHEN 1 THEN @x:=(-6) ELSE @x:= 5 END AS A, CASE @x WHEN 5 THEN 1 END B FROM information_schema.columns',
    'SELECT CASE a WHEN 1 THEN (-6) ELSE  5 END AS A, CASE (CASE a WHEN 1 THEN (-6) ELSE  5 END) WHEN 5 THEN 1 END B FROM information_schema.columns',
  ],
  [
    'HAVING without groups is one more condition',
    `SELECT if(t = 'X', 'T', t) AS T, n FROM information_schema.tables WHERE a = 1 OR b = 2 HAVING T IN ('T', null) ORDER BY T`,
    `SELECT if(t = 'X', 'T', t) AS T, n FROM information_schema.tables WHERE ( a = 1 OR b = 2 ) AND ( (if(t = 'X', 'T', t)) IN ('T', null)) ORDER BY T`,
  ],
  [
    'words that are names are quoted',
    'SELECT COLLATION ASC_OR_DESC, 3 TYPE FROM information_schema.statistics',
    'SELECT "COLLATION" ASC_OR_DESC, 3 "TYPE" FROM information_schema.statistics',
  ],
  [
    'the first catalog is no part of the name of a database',
    `SELECT 1 FROM information_schema.tables WHERE table_schema = 'default_catalog.main'`,
    `SELECT 1 FROM information_schema.tables WHERE table_schema = 'main'`,
  ],
  [
    'a catalog and a database in one name are two',
    'SELECT `a.b`.`t`.`c.d` FROM `a.b`.`t`',
    'SELECT "a"."b".`t`.`c.d` FROM "a"."b".`t`',
  ],
  ['also where nothing is read', 'SELECT 0 SCOPE, 1 X FROM DUAL', 'SELECT 0 "SCOPE", 1 X FROM DUAL'],
  ['other texts are as they were', 'SELECT @x := 1, COLLATION FROM t', 'SELECT @x := 1, COLLATION FROM t'],
])('%s', (_, sql, expected) => {
  expect(meant(sql)).toBe(expected)
})

test('a value that would be bound twice, or grow without end, is put in nowhere', () => {
  const twice = 'SELECT @x := (SELECT 1) AS a, @x AS b FROM information_schema.tables'
  expect(meant(twice)).toBe('SELECT  (SELECT 1) AS a, @x AS b FROM information_schema.tables')
  const items = Array.from({ length: 90 }, (_, at) => `@v${at + 1} := concat(@v${at}, @v${at}) AS c${at}`)
  const grown = meant(`SELECT @v0 := 'abcdefgh' AS c, ${items.join(', ')} FROM information_schema.tables`)
  expect(grown.length).toBeLessThan(128 * 1024)
})

import { expect, test } from 'vitest'
import '../../../i18n/editor.ts'
import { firstWords, ranWords } from './ran-words.ts'

test.each([
  ['SELECT * FROM "c"."d"."t" LIMIT 100', 'first 100 rows of c.d.t'],
  ['SELECT * FROM "my ""own"""."a.b"."t" LIMIT 100', 'first 100 rows of my "own".a.b.t'],
  ['SHOW CREATE MATERIALIZED VIEW "c"."d"."v"', 'of SHOW CREATE MATERIALIZED VIEW c.d.v'],
  ['SELECT * FROM t LIMIT 100', 'of SELECT * FROM t LIMIT 100'],
  ['-- why\nselect  1', 'of select 1'],
])('a result of %s is named', (sql, words) => {
  expect(ranWords(sql)).toBe(words)
})

test('of a long statement the beginning is enough', () => {
  expect(firstWords(`select ${'a, '.repeat(500)}`)).toHaveLength(24)
})

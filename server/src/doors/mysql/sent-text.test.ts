import { expect, test } from 'vitest'
import { isAboutKeys, withEscapedZeros, withoutViewOptions } from './sent-text.ts'
import { withWrittenValues } from './written-values.ts'

test.each([
  [`'\0a'`, String.raw`'\0a'`],
  [`'\\\0a'`, String.raw`'\0a'`],
  [`'\\\\\0a'`, String.raw`'\\\0a'`],
  [`'\\\0\0'`, String.raw`'\0\0'`],
  [String.raw`'\\a'`, String.raw`'\\a'`],
])('a zero byte is written with a backslash once: %j', (sent, written) => {
  expect(withEscapedZeros(sent)).toBe(written)
})

test('many backslashes do not take the square of their number', () => {
  const many = '\\'.repeat(2_000_000)
  expect(withEscapedZeros(many)).toBe(many)
})

test.each([
  ['/*!40000 ALTER TABLE `a b` DISABLE KEYS */', true],
  ['/*!40000 ALTER TABLE `a`.`b` ENABLE KEYS */;', true],
  ['/*!40000 ALTER TABLE t DROP COLUMN a */', false],
  ['/*!40000 ALTER TABLE t DISABLE KEYS, DROP COLUMN a */', false],
  ['/*!50003 CREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW SET @a = 1 */', false],
  ['/*!40000 ALTER TABLE t DISABLE KEYS */ DROP TABLE t', false],
  ['/* ALTER TABLE t DISABLE KEYS */', false],
])('%s changes nothing and is accepted: %j', (sql, expected) => {
  expect(isAboutKeys(sql)).toBe(expected)
})

test.each([
  [
    'CREATE ALGORITHM=UNDEFINED DEFINER=`a`@`%` SQL SECURITY DEFINER VIEW v AS SELECT 1',
    'CREATE VIEW v AS SELECT 1',
  ],
  ['create or replace algorithm = merge view v as select 1', 'create or replace view v as select 1'],
  ['CREATE SQL SECURITY INVOKER VIEW v AS SELECT 1', 'CREATE SQL SECURITY INVOKER VIEW v AS SELECT 1'],
  ["SELECT 'CREATE ALGORITHM=MERGE VIEW v'", "SELECT 'CREATE ALGORITHM=MERGE VIEW v'"],
  ['CREATE ALGORITHM=MERGE TABLE v', 'CREATE ALGORITHM=MERGE TABLE v'],
])('words about a view that change nothing are left out, at the same length: %s', (sent, meant) => {
  const written = withoutViewOptions(sent)
  expect(written.replaceAll(/ +/g, ' ')).toBe(meant)
  expect(written).toHaveLength(sent.length)
})

test('SHOW and SET behind comments take values, and comments before anything else do not take long', () => {
  const five = [{ type: 'text', text: "it's" }] as const
  expect(withWrittenValues('/* a */ -- b\n# c\n SHOW TABLES LIKE ?', five, false)).toMatch(
    /LIKE \s*'it''s'\s*$/,
  )
  for (const many of [2_000, 1_000_000])
    expect(withWrittenValues(`${'/**/'.repeat(many)}SELECT ?`, five, false)).toBeNull()
})

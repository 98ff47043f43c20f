import { expect, test } from 'vitest'
import { sqlLines, sqlParts, splitLine } from './sql-parts.ts'

const joined = (parts: readonly { text: string }[]): string => parts.map(({ text }) => text).join('')

test('keywords, strings, numbers and comments have colours; what is put together is the text again', () => {
  const sql = `SELECT name, 'it''s', 1.5 -- why\nFROM "from"`
  const parts = sqlParts(sql)
  expect(joined(parts)).toBe(sql)
  expect(parts.filter(({ kind }) => kind !== null).map(({ text, kind }) => [kind, text])).toEqual([
    ['keyword', 'SELECT'],
    ['string', `'it''s'`],
    ['number', '1.5'],
    ['comment', '-- why'],
    ['keyword', 'FROM'],
  ])
})

test('a part of a name has no colour, also when it is called like a keyword', () => {
  const colored = sqlParts('select * from sample.index').filter(({ kind }) => kind !== null)
  expect(colored.map(({ text }) => text)).toEqual(['select', 'from'])
})

test('a comment or a string over several lines has its colour in each', () => {
  const lines = sqlLines(`/* a\n\nb */ SELECT`)
  expect(lines.map((line) => line.map(({ kind }) => kind))).toEqual([
    ['comment'],
    [],
    ['comment', null, 'keyword'],
  ])
})

test('a line is split at a column, inside of a part or between two', () => {
  const [line = []] = sqlLines('SELECT 12')
  expect(splitLine(line, 8).map(joined)).toEqual(['SELECT 1', '2'])
  expect(splitLine(line, 0).map(joined)).toEqual(['', 'SELECT 12'])
  expect(splitLine(line, 99).map(joined)).toEqual(['SELECT 12', ''])
})

test.each(['', `'never closed`, '/* never closed', '\u0000\uD800 ☃', 'x'.repeat(60_000)])(
  'any text comes out as it went in: %#',
  (sql) => {
    expect(joined(sqlParts(sql))).toBe(sql)
    expect(sqlLines(sql).map(joined).join('\n')).toBe(sql)
  },
)

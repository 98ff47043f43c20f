import { expect, test } from 'vitest'
import { rowMatcher, unknownColumn } from './row-condition.ts'
import { readShow } from './show-statements.ts'
import { readStatement } from '../statement.ts'

const COLUMNS = ['Name', 'Value']
const ROWS = [
  ['alpha', '1'],
  ['Beta', '20'],
  ['gamma', null],
] as const

const named = (where: string) => {
  const condition = readShow(readStatement(`SHOW VARIABLES WHERE ${where}`))?.where
  return condition ? ROWS.filter(rowMatcher(condition, COLUMNS)).map(([name]) => name) : null
}

test.each([
  [`name = 'beta'`, ['Beta']],
  [`Name <> 'beta'`, ['alpha', 'gamma']],
  ["`name` LIKE '%a' AND NOT name LIKE 'g%'", ['alpha', 'Beta']],
  [`name IN ('alpha', 'gamma') OR value > 5`, ['alpha', 'Beta', 'gamma']],
  [`name NOT IN ('alpha') AND (value IS NULL OR value >= '20')`, ['Beta', 'gamma']],
  ['value IS NOT NULL', ['alpha', 'Beta']],
  [`value < 3`, ['alpha']],
  [`name = `, null],
  [`name LIKE`, null],
  [`name = 'a' extra`, null],
  [`(name = 'a'`, null],
  [`upper(name) = 'A'`, null],
])('WHERE %s gives %j', (where, expected) => {
  expect(named(where)).toEqual(expected)
})

test('an unknown column is reported with its place', () => {
  const condition = readShow(readStatement(`SHOW VARIABLES WHERE Name = 'a' OR other = 'b'`))?.where
  expect(condition && unknownColumn(condition, COLUMNS)).toMatchObject({ column: 'other', offset: 35 })
})

test('a condition of any depth is read in bounded time', () => {
  expect(named(`${'('.repeat(10_000)}name = 'a'${')'.repeat(10_000)}`)).toBeNull()
  expect(named(`${'NOT '.repeat(10_000)}name = 'a'`)).toBeNull()
})

import { expect, test } from 'vitest'
import { rendered } from '../rendering/rendered.ts'
import { readStatement } from '../statement.ts'
import { usedVariables } from './used-variables.ts'

const MYSQL = { escapes: true, doubleIsText: true }

test.each([
  ['select @a, b=@B, -@`c d`', ['a', 'b', 'c d']],
  ['select @@version, a @> b, a <@ b, x ^@ y', []],
  [`select '@a', "@b", \`@c\` -- @d`, []],
  ['select @ a', []],
  ['select 1 from t where a in (@a,@b)', ['a', 'b']],
])('%s uses %j', (sql, names) => {
  expect(usedVariables(readStatement(sql, MYSQL)).map(({ name }) => name)).toEqual(names)
})

test('an assignment differs from a use', () => {
  const found = usedVariables(readStatement('select @a := @b + 1'))
  expect(found.map(({ name, isAssigned }) => [name, isAssigned])).toEqual([
    ['a', true],
    ['b', false],
  ])
})

test('those that are named are written in the words of the engine, and called as they were written', () => {
  const userVariables = { a: 'v(1)', b: 'v(2)' }
  const text = (sql: string) =>
    rendered(sql, { quotes: MYSQL, systemVariables: {}, userVariables, rules: null })?.text
  expect(text('select @a, 1+@B from t where x=@b')).toBe('select v(1) AS "@a", 1+v(2) from t where x=v(2)')
  expect(text('select @a')).toBe('select v(1) AS "@a"')
  expect(text('select @c')).toBeUndefined()
})

import { describe, expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import { namedParametersIn, withNamedValues } from './named-parameters.ts'

describe('what is a parameter', () => {
  test.each([
    ['select :region', ['region']],
    ['select * from t where a=:a and b>:b or (:c)', ['a', 'b', 'c']],
    ['select {{region}}, {{ Region }}', ['region']],
    ['select :größe', ['größe']],
    ['where d between :period.from and :period.to', ['period.from', 'period.to']],
    ['select {{period.from}}', ['period.from']],
    ['select :period . from t', ['period']],
    ['select x in (:ids)', ['ids']],
    ['select 1; select :later', ['later']],
    ['explain select :x', ['x']],
    ["select {'a': :b}, [1, :c], x[1: :d], [{{e}}]", ['b', 'c', 'd', 'e']],
    ['select a::int = :x', ['x']],
    ['insert into t values (:a,:b)', ['a', 'b']],
  ])('%s has %j', (text, names) => {
    expect(namedParametersIn(text)).toEqual(names)
  })

  test.each([
    `select ':name', '{{name}}', "a:b", "{{b}}", \`x :y\``,
    'select 1 -- :name {{name}}',
    'select 1 /* :name {{name}} */',
    'select $$ :name $$, $x$ {{name}} $x$',
    'select a::int, a ::int, cast(a as int)::text',
    `select time '12:30', '12:30'::time`,
    'select x[1:2], x[a:b], x[:b], x[1 :b], x[ :b], f(y)[a :b]',
    `select {'a':b}, {'a' :b}, {a :b}`,
    'select payload:customer.name',
    'select list_transform(l, lambda x :x + 1), list_reduce(l, lambda x, y :x)',
    'select a: 42',
    'prepare p as select :x',
    'set @a := 1',
    'select {{a b}}, {{1}}, {{}}, { {a} }, {{a} }',
    'select $1, $name, ?',
  ])('%s has none', (text) => {
    expect(namedParametersIn(text)).toEqual([])
  })

  test('a long text without any is not read', () => {
    expect(namedParametersIn(`select '${'x'.repeat(1_000_000)}'`)).toEqual([])
  })
})

describe('a statement with values', () => {
  const bound = (text: string, values: Record<string, string | string[]>) =>
    withNamedValues(readStatement(text), new Map(Object.entries(values)))
  const textOf = (text: string, values: Record<string, string | string[]>) => {
    const found = bound(text, values)
    return 'text' in found ? found.text.replaceAll(/\s+/g, ' ') : found
  }

  test('has them in the places of its parameters and nowhere else', () => {
    expect(textOf(`select :a, ':a', {{a}} -- :a`, { a: "'x'" })).toBe(`select ('x') , ':a', ('x') -- :a`)
    expect(textOf('select 1-:a', { a: '-1' })).toBe('select 1-(-1 )')
    expect(textOf('select :p.from', { 'p.from': "CAST('2026-01-01' AS DATE)" })).toBe(
      "select (CAST('2026-01-01' AS DATE) )",
    )
  })

  test('a list stands behind IN', () => {
    expect(textOf('select x in (:ids)', { ids: ['1', '2'] })).toBe('select x in ( 1, 2 )')
    expect(textOf('select x not in :ids', { ids: ['1', '2'] })).toBe('select x not in (1, 2) ')
    expect(textOf('select x in (0, :ids, f(3))', { ids: ['1'] })).toBe('select x in (0, 1 , f(3))')
    expect(textOf('select x in :id', { id: '1' })).toBe('select x in (1) ')
  })

  test.each([
    'select :ids',
    'select f(:ids)',
    'select x = :ids',
    'select x in (f(:ids))',
    'select x in (1 + :ids)',
  ])('%s takes no list', (text) => {
    expect(bound(text, { ids: ['1', '2'] })).toEqual({ misplaced: 'ids' })
  })

  test.each(["'a", '/*', "'a' /* b"])('%s, which is no literal, is found out', (literal) => {
    expect(() => bound('select :a and b or c', { a: literal })).toThrow(
      'changed what a statement consists of',
    )
  })
})

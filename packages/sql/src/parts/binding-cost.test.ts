import { expect, test } from 'vitest'
import { bindingCost, MOST_STEPS } from './binding-cost.ts'
import { readStatement } from '../statement.ts'

const nested = (levels: number, open: string, close: string, inner: string): string =>
  open.repeat(levels) + inner + close.repeat(levels)
const listed = (count: number, one: (at: number) => string, between: string): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(between)

const costOf = (sql: string) => bindingCost(readStatement(sql))

test.each([
  ['lambdas', `select ${nested(25, 'list_transform([1], x -> ', ')', 'x')}`],
  [
    'lambdas of other functions',
    `select ${nested(20, 'list_filter([[1]], (x, i) -> len(', ') > 0)', '[1]')}`,
  ],
  ['lambdas by their word', `select ${nested(22, 'apply([1], lambda x: ', ')', 'x')}`],
  ['lambdas by their word, of two', `select ${nested(22, 'list_reduce([1], lambda x, y: ', ')', 'x')}`],
  ['subqueries as values', `select ${nested(22, '(select ', ')', '1')}`],
  ['subqueries in brackets', `select ${nested(22, '((select ', '))', '1')}`],
  ['EXISTS', `select 1 where ${nested(22, 'exists (select 1 where ', ')', 'true')}`],
  ['IN', `select 1 from t where ${nested(22, 'a in (select a from t where ', ')', 'true')}`],
  ['ARRAY of a subquery', `select ${nested(11, 'array(select ', ')', '1')}`],
  ['FROM first', `select ${nested(22, '(from t select ', ')', '1')}`],
  ['arrows in a row', `select j${"->'a'".repeat(24)} from t`],
  ['arrows in brackets', `select ${'('.repeat(24)}j${"->'a')".repeat(24)} from t`],
  ['arrows with casts', `select ${'('.repeat(24)}j${"->'a')::json".repeat(24)} from t`],
  ['arrows joined by operators', `select ${listed(24, (at) => `j->'a${at}'`, ' || ')} from t`],
  ['BETWEEN', `select ${nested(20, '(', ' between 1 and 2)::int', '1')}`],
  [
    'queries in the place of their names',
    `with c0 as (select 1 a), ${listed(16, (at) => `c${at + 1} as not materialized (select x.a from c${at} x, c${at} y)`, ', ')} select * from c16`,
  ],
  ['lists', `select ${nested(101, '[', ']', '1')}`],
  ['structures', `select ${nested(101, "{'a': ", '}', '1')}`],
])('too many %s within one another are found, with their place', (_, sql) => {
  const { tooComplex } = costOf(sql)
  expect(tooComplex?.offset).toBeGreaterThan(0)
  expect(tooComplex?.offset).toBeLessThan(sql.length)
})

test.each([
  ['a list of 100,000 values', `select * from t where a in (${listed(100_000, String, ', ')})`],
  [
    '5000 columns with their casts',
    `select ${listed(5000, (at) => `(a${at})::decimal(18,2) as "a${at}"`, ', ')} from t`,
  ],
  [
    '2000 conditions of a generator',
    `select 1 from t where ${listed(2000, (at) => `((("t"."a") = (${at})) and (("t"."b") between 1 and 2))`, ' or ')}`,
  ],
  ['1000 brackets', `select ${nested(1000, '(', ')', '1')}`],
  ['200 subqueries that are tables', nested(200, 'select * from (', ') t', 'select 1')],
  [
    '100 queries by name',
    `with c0 as (select 1), ${listed(100, (at) => `c${at + 1} as (select * from c${at} union all select * from c${at})`, ', ')} select * from c100`,
  ],
  ['300 values of JSON', `select ${listed(300, (at) => `j->'a'->'b${at}'->>'c'`, ', ')} from t`],
  ['300 values of JSON that are added', `select ${listed(300, (at) => `(j->'b${at}')::int`, ' + ')} from t`],
  ['a path of 10 arrows', `select j${"->'a'".repeat(10)} from t`],
  ['30 lambdas one behind the other', `select ${nested(30, 'list_transform(', ', x -> x + 1)', '[1]')}`],
  ['30 lambdas by their word', `select ${nested(30, 'list_transform(', ', lambda x: x + 1)', '[1]')}`],
  ['4 lambdas within one another', `select ${nested(4, 'list_transform(l, x -> ', ')', 'x')} from t`],
  ['8 subqueries within one another', `select ${nested(8, '(select max(a) from t where a < ', ')', '1')}`],
  ['500 rows', `insert into t values ${listed(500, (at) => `(${at}, (select 1), '{}')`, ', ')}`],
  [
    'a CASE of 2000 branches',
    `select case a ${listed(2000, (at) => `when ${at} then (select ${at})`, ' ')} end from t`,
  ],
  ['500 unions in brackets', listed(500, (at) => `(select ${at})`, ' union all ')],
])('%s are accepted', (_, sql) => {
  expect(costOf(sql).tooComplex).toBeNull()
})

test('what a name stands for counts wherever it stands, and its arguments as often as it reads them', () => {
  const statement = readStatement(`select ${nested(12, 'twice(', ')', '1')}`)
  const twice = (name: string) => (name === 'twice' ? { steps: 64, factor: 2 } : null)
  expect(bindingCost(statement, twice).tooComplex?.what).toBe('steps')
  expect(bindingCost(statement).steps).toBe(0)
  const views = readStatement('select * from v join v as w using (a)')
  const heavy = (name: string) => (name === 'v' ? { steps: MOST_STEPS / 2, factor: 1 } : null)
  expect(bindingCost(views, heavy).steps).toBe(MOST_STEPS)
  const placed = (name: string, qualifier: string | null) => (qualifier === 'b' ? heavy(name) : null)
  expect(bindingCost(readStatement('select * from a.v, b."v"'), placed).steps).toBe(MOST_STEPS / 2)
})

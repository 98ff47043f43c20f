import { expect, test } from 'vitest'
import { tableReferences } from './table-references.ts'

const names = (text: string) =>
  tableReferences(text).map(({ catalog, schema, name }) => [catalog, schema, name].filter(Boolean).join('.'))

test('gives the parts of a name and its place', () => {
  expect(tableReferences('select * from c."my s".`t` x')).toEqual([
    { catalog: 'c', schema: 'my s', name: 't', start: 14, end: 26 },
  ])
})

test.each([
  ['select a, b from t, u as v, (select * from w) x, y(1), z where c in (1, d)', ['t', 'u', 'w', 'z']],
  ['from t select a, b', ['t']],
  [
    'select * from a left join b using (x, y) join lateral (select 1 from c) on true cross join only d',
    ['a', 'b', 'c', 'd'],
  ],
  ['select * from (a join b on a.x = b.x), c', ['a', 'b', 'c']],
  ['select 1 from x: t', ['t']],
  ['select extract(year from d), trim(both from e), a is distinct from b from t', ['t']],
  ['select * from t where a in (from u) union select b from v order by c, d', ['t', 'u', 'v']],
  ['insert into t(a, b) select x, y from u', ['t', 'u']],
  ['insert into t values (1) on conflict do update set a = 1', ['t']],
  ['update s.t set a = 1, b = 2 from u, v where c', ['s.t', 'u', 'v']],
  ['delete from t using u where a', ['t', 'u']],
  ['merge into t using u on (t.a = u.a) when matched then update set a = 1', ['t', 'u']],
  ['create table if not exists t as select 1 from u', ['t', 'u']],
  ['drop table if exists a, s.b', ['a', 's.b']],
  ['create macro f() as table select 1 from t', ['t']],
  ['table t', ['t']],
  [`select * from 'a.csv', read_csv('b')`, []],
  ['select * from "unfinished', []],
  ['select * from s.', []],
  ['select * from a.b.c.d', []],
  ['show tables from d', []],
  ['revoke select on t from u', []],
  ['unpivot t on a into name n value v', []],
  ['', []],
])('finds the tables of %s', (text, tables) => {
  expect(names(text)).toEqual(tables)
})

test('leaves the names of common table expressions out, at any depth', () => {
  expect(names('with x as (select * from t), "Y"(a) as (from x) select * from x, y, s.x')).toEqual([
    't',
    's.x',
  ])
  expect(names('select * from (with x as (from t) from x) z')).toEqual(['t'])
})

import { expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import { namedTables } from './named-tables.ts'

const named = (sql: string): string[] =>
  namedTables(readStatement(sql)).map(({ parts, writes }) => `${writes ? 'w' : 'r'} ${parts.join('.')}`)

test.each([
  ['select * from orders', ['r orders']],
  ['select 1', []],
  [
    'select * from sample.orders o, "Line Items" as l join c.d.nation using (key)',
    ['r sample.orders', 'r Line Items', 'r c.d.nation'],
  ],
  ['with a as (select * from t), b (x) as (select * from a) select * from a, b', ['r t']],
  ['with recursive a as not materialized (select 1) select * from a join s.a using (x)', ['r s.a']],
  ['select extract(year from day), trim(both from name) from t', ['r t']],
  ['select * from (select * from inner_one) x left join lateral (select 1) y on true', ['r inner_one']],
  ['select * from range(10), unnest([1])', []],
  ['select a is distinct from b from t', ['r t']],
  ['insert into a.b (x, y) select * from c', ['w a.b', 'r c']],
  ['insert into t values (1) on conflict do update set a = 1', ['w t']],
  ['insert overwrite t select * from s', ['w t', 'r s']],
  ['update t set a = 1 from s where t.x = s.x', ['w t', 'r s']],
  ['delete from t using s where t.x = s.x', ['w t', 'r s']],
  ['create or replace table a.b as select * from c', ['w a.b', 'r c']],
  ['create table if not exists a (x int)', ['w a']],
  ['truncate table a', ['w a']],
  ['merge into t using s on t.a = s.a when matched then update set a = 1', ['w t', 'r s']],
  ['select * from t for update', ['r t']],
  ['select \'from x\', "from" from t -- from y', ['r t']],
])('%s', (sql, tables) => {
  expect(named(sql)).toEqual(tables)
})

test('a long list of values takes no longer: its tables are named at the beginning', () => {
  const values = Array.from({ length: 20_000 }, (_, index) => `(${index})`).join(', ')
  expect(named(`insert into t values ${values}`)).toEqual(['w t'])
})

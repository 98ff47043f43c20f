import { describe, expect, test } from 'vitest'
import { dangersIn } from './dangers.ts'

describe('pain 29: dangerous statements', () => {
  test.each([
    ['delete from sample.orders', 'delete', ['sample', 'orders']],
    ['DELETE FROM "My table" -- where', 'delete', ['My table']],
    ["update t set a = 'where'", 'update', ['t']],
    ['truncate table c.d.t', 'truncate', ['c', 'd', 't']],
    ['truncate t', 'truncate', ['t']],
    ['drop table if exists t', 'drop', ['t']],
    ['drop database sales cascade', 'drop', ['sales']],
    ['drop view v', 'drop', ['v']],
    ['explain analyze delete from t', 'delete', ['t']],
  ])('%s', (sql, what, path) => {
    expect(dangersIn(sql)).toMatchObject([{ what, path }])
  })

  test.each([
    'delete from t where a = 1',
    'update t set a = 1 where b',
    'select * from t',
    "select 'drop table t'",
    'insert into t values (1)',
    'create table t (a int)',
    'explain delete from t',
  ])('nothing is asked about %s', (sql) => expect(dangersIn(sql)).toEqual([]))

  test('each statement of a text is looked at', () => {
    expect(dangersIn('select 1; delete from a; drop table b').map(({ what }) => what)).toEqual([
      'delete',
      'drop',
    ])
  })
})

import { KEYWORD_LIST } from '../../../statement/keywords.ts'
import type { Clause } from './query-blocks.ts'

const JOINS = ['join', 'left join', 'inner join', 'right join', 'full join', 'cross join']
const CONDITIONS = ['and', 'or', 'in', 'is null', 'is not null', 'like', 'ilike', 'between']
const ENDS = ['group by', 'having', 'order by', 'limit', 'union all']
const VALUES = ['case', 'not', 'exists', 'null', 'true', 'false', 'interval', 'cast']

/** What people write next, the most likely first: behind a value or a table, and where a value begins. */
const NEXT: Readonly<Record<Clause, readonly string[]>> = {
  start:
    'select,with,from,insert into,update,delete from,create table,create view,explain,show,describe,use,set,drop table,alter table,truncate,grant,revoke'.split(
      ',',
    ),
  with: ['as', 'recursive', 'select'],
  select: ['from', 'as', 'over', 'filter', 'exclude', 'end', 'when', 'then', 'else', 'union all'],
  from: ['where', ...JOINS, 'on', 'using', 'as', ...ENDS],
  on: [...CONDITIONS, 'where', ...JOINS, ...ENDS],
  where: [...CONDITIONS, ...ENDS, 'returning'],
  group: ['having', 'order by', 'limit', 'union all'],
  having: [...CONDITIONS, 'order by', 'limit', 'union all'],
  order: ['asc', 'desc', 'nulls first', 'nulls last', 'limit'],
  limit: ['offset'],
  insert: ['values', 'select', 'by name'],
  set: ['where', 'returning'],
  values: ['on conflict', 'returning'],
  other: ['as', 'if exists', 'if not exists', 'select'],
}
const BEGINS: Partial<Readonly<Record<Clause, readonly string[]>>> = {
  select: ['distinct', ...VALUES],
  group: ['all'],
  order: ['all'],
  values: ['default', ...VALUES],
}

/** Keywords that fit the place, in their order. */
export const keywordsFor = (clause: Clause, beginsValue: boolean): readonly string[] =>
  beginsValue ? (BEGINS[clause] ?? VALUES) : NEXT[clause]

/** All others, which are offered behind them. */
export const otherKeywords = (fitting: readonly string[]): readonly string[] =>
  KEYWORD_LIST.filter((keyword) => !fitting.includes(keyword))

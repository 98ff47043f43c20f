import { expect, test } from 'vitest'
import { originalOffset } from '@boathouse/sql'
import { render } from '../render.ts'

const WRITTEN = {
  quotes: { escapes: true, doubleIsText: true, comments: 'mysql' },
  systemVariables: { version: '8.0.33' },
  variables: {},
  words: 'mysql',
} as const

const sent = (text: string, written: Parameters<typeof render>[1] = WRITTEN): string =>
  render(text, written)?.text ?? text

/** Without the name that every column is given. */
const value = (expression: string): string =>
  sent(`select ${expression} as x`).slice('select '.length, -' as x'.length)

test.each([
  ['a / b', 'mysql_divide(a , b)'],
  ['a / b / c', 'mysql_divide(mysql_divide(a , b) , c)'],
  ['a * b / c', 'mysql_divide(a * b , c)'],
  ['a / b * 100', 'mysql_divide(a , b , 100)'],
  ['a + b / c', 'a + mysql_divide(b , c)'],
  ['(a + b) / f(c)', 'mysql_divide((a + b) , f(c))'],
  ['sum(a) over (order by b) / 2', 'mysql_divide(sum(a) over (order by b) , 2)'],
  ['case when a then b end / c', 'mysql_divide(case when a then b end , c)'],
  ['7 div 2 mod 3', 'mysql_mod(mysql_div(7 , 2) , 3)'],
  ['a && b || !c', 'a  AND  mysql_true(b)  OR  (NOT c)'],
  ['a <=> b', 'a  IS NOT DISTINCT FROM  b'],
  ['a xor b = 1', 'mysql_xor(a , b = 1)'],
  ['a ^ b', 'mysql_xor_bits(a , b)'],
  [`a->>'$.b' = 1`, `mysql_json_value(a,'$.b') = 1`],
  [`a regexp 'b'`, `mysql_regexp(a , 'b')`],
  [`a not rlike concat(b)`, `(NOT mysql_regexp(a  , (mysql_text(b))))`],
  [`a like 'b%'`, `mysql_text(a) like 'b%'`],
  [`a collate utf8mb4_bin not like 'b%'`, `mysql_text(a)   not like 'b%'`],
  [`'10' + 5`, ' 10  + 5'],
  ['(a = 1) + true', 'CAST((a = 1) AS INTEGER) + 1'],
  ['d + interval 1 day', 'mysql_plus_days(d , mysql_interval_day( 1 ))'],
  ['d - interval n hour', 'mysql_minus_time(d , mysql_interval_hour( n ))'],
  [
    'd + interval 1 day - interval f(x) * 2 second',
    'mysql_minus_time(mysql_plus_days(d , mysql_interval_day( 1 )) , mysql_interval_second( f(x) * 2 ))',
  ],
  [
    `date_add('2024-01-31', interval '1 2' day_hour)`,
    `mysql_plus_time(TRY_CAST('2024-01-31' AS DATE), mysql_interval_day_hour( '1 2' ))`,
  ],
  ['adddate(d, 3)', 'mysql_plus_days(d, mysql_interval_day(3))'],
  ['date_sub(?, interval 1 week)', 'mysql_minus_days(CAST(? AS VARCHAR), mysql_interval_week( 1 ))'],
  [`date_format(d, '%Y-%m')`, `mysql_date_format(d, '%Y-%m')`],
  ['length(a)', 'mysql_length(a)'],
  ['log(a)', 'mysql_log(a)'],
  ['length(?)', 'mysql_length(CAST(? AS VARCHAR))'],
  ['cast(? as signed)', 'mysql_signed(CAST(? AS VARCHAR) )'],
  ['s.length(a)', 's.length(a)'],
  ['now()', `date_trunc('second', current_localtimestamp())`],
  ['current_timestamp', `date_trunc('second', current_localtimestamp())`],
  ['current_date', 'CAST(current_localtimestamp() AS DATE)'],
  ['current_date()', 'CAST(current_localtimestamp() AS DATE)'],
  ['current_user', '"current_user"()'],
  ['session_user()', '"session_user"()'],
  ['cast(a as signed)', 'mysql_signed(a )'],
  ['convert(a, decimal(10,2))', 'CAST(a AS DECIMAL(10,2))'],
  ['convert(a using utf8mb4)', '(mysql_text(a) )'],
  [`ifnull(a, 'none')`, `ifnull(mysql_text(a), 'none')`],
  [`ifnull(a, '0')`, `ifnull(a, '0')`],
  ['greatest(a, b)', 'mysql_greatest([a, b])'],
  [`group_concat(distinct a order by b separator ';')`, `mysql_joined(list(distinct a order by b ), ';')`],
  [`trim(leading '0' from a)`, `mysql_trim_leading( '0' , a)`],
  ['extract(year_month from d)', 'mysql_year_month( d)'],
  [`{fn concat(a, {d '2024-01-31'})}`, `  ("||"(mysql_text(a),  mysql_text(DATE  '2024-01-31' ))) `],
  [`'a' 'b'`, `'ab'`],
  [`_utf8mb4'a'`, `'a'`],
  ['0x4142', `from_hex('4142')`],
  ['at', '"at"'],
  [
    'concat(5, concat(a), ?, 1e3)',
    '("||"("||"("||"(CAST(5 AS VARCHAR),  CAST((mysql_text(a)) AS VARCHAR)),  CAST(? AS VARCHAR)),  mysql_text(1e3)))',
  ],
  [`concat(if(a, if(b, c, 'd'), e))`, `(CAST(if(a, if(b, mysql_text(c), 'd'), e) AS VARCHAR))`],
  ['cast(a as char(10))', '(mysql_text(a) )'],
  ['hex(5e0) + f(-7.0e0)', 'mysql_hex(5) + f(-7)'],
  ['5e0 + 1e0 * -(2e0)', '5e0 + 1e0 * -(2e0)'],
  ['a / 3e0', 'mysql_divide_floating(a , 3e0)'],
  ['sum(a) / count(*)', 'mysql_divide_exactly(sum(a) , count(*))'],
  ['1 / b', 'mysql_divide(1 , b)'],
  ['1 / 3', 'mysql_divide_exactly(1 , 3)'],
  ['a / -(3e0)', 'mysql_divide_floating(a , -(3e0))'],
  ['d + 0', 'mysql_number(d) + 0'],
  ['d + 0 * 2', 'd + 0 * 2'],
  ['d + 0x41', `d + from_hex('41')`],
  ['(select max(d) from t where d + 0 = 1)', '(select max(d) from t where d + 0 = 1)'],
  ['~a & 1', 'mysql_inverted( a) & 1'],
  ['a + 1 << 2', 'mysql_bits(a + 1) << 2'],
  [`year('20240131')`, `mysql_year(TRY_CAST('2024-01-31' AS DATE))`],
  ['year(20240131101500)', `mysql_year(TRY_CAST('2024-01-31 10:15:00' AS TIMESTAMP))`],
  [`date('24-1-31')`, `mysql_date(TRY_CAST('2024-1-31' AS DATE))`],
  [
    `cast('2024-01-31 10:00:00+02:00' as datetime)`,
    `TRY_CAST(CAST(TRY_CAST('2024-01-31 10:00:00+02:00' AS TIMESTAMPTZ) AS TIMESTAMP)  AS TIMESTAMP)`,
  ],
  ['timestampdiff(month, a, b)', 'mysql_months_between( TRY_CAST(a AS TIMESTAMP), TRY_CAST(b AS TIMESTAMP))'],
  ['timestampdiff(day, a, b)', `date_sub('day', TRY_CAST(a AS TIMESTAMP), TRY_CAST(b AS TIMESTAMP))`],
  ['now(3)', '(current_localtimestamp() - to_microseconds(epoch_us(current_localtimestamp()) % 1000))'],
])('%s is written as %s', (expression, expected) => {
  expect(value(expression)).toBe(expected)
})

test.each([
  ['select a from t use index (i) order by null', 'select a AS "a" from t    '],
  ['select 1 from dual', 'select 1 AS "1"  '],
  ['select sql_no_cache a from t limit 2, 3', 'select   a AS "a" from t limit 3 OFFSET 2'],
  [
    'select a, sum(b) from t group by a with rollup order by a',
    'select a AS "a", sum(b) AS "sum(b)" from t group BY ROLLUP ( a )  order by a',
  ],
  ['insert into t set a = 1, at = f(2, 3)', 'insert into t BY NAME SELECT  1 AS "a",  f(2, 3) AS "at"'],
  ['insert ignore t values (1)', 'INSERT OR IGNORE INTO   t values (1)'],
  ['replace into t values (1)', 'INSERT OR REPLACE into t values (1)'],
  [
    'insert into t values (1) on duplicate key update a = values(a)',
    'insert into t values (1) ON CONFLICT DO UPDATE SET a = excluded.a',
  ],
  [
    'create table t (id int(11) unsigned not null, at datetime(6) default null comment "x", primary key (id), key k (at)) engine=InnoDB',
    'create table t (id UINTEGER not null, "at" TIMESTAMP default null  , PRIMARY KEY  (id) )  ',
  ],
  [
    'create table t (a float, b int check (b <=> 1), constraint `c d` check (a > 0 && a / 2 < 9), check (a <= 10) enforced, check (a = 3) not enforced)',
    'create table t (a FLOAT, b INTEGER check (b IS NOT DISTINCT FROM 1), constraint "c d" check (a > 0 AND mysql_divide(a , 2) < 9), check (a <= 10) )',
  ],
  ['create table t select 1 as a', 'create table t AS select 1 as a'],
  ['create table t engine=MyISAM select a from u', 'create table t AS select a from u'],
  ['create table t as select 1 as a', 'create table t as select 1 as a'],
])('%s is written as %s', (text, expected) => {
  expect(sent(text).replaceAll(/ +/g, ' ').trim()).toBe(expected.replaceAll(/ +/g, ' ').trim())
})

test('what one statement cannot do is refused, with what to do instead', () => {
  const text = sent('create table t (id int auto_increment primary key)')
  expect(text).toMatch(
    /^SELECT system\.main\.error\('\[boathouse:permission\] AUTO_INCREMENT is not available\. Create/,
  )
})

test.each([
  ['select count( * ), a+1, `A`.`B`, t.*, *', ['count( * )', 'a+1', 'B']],
  [`select 'it''s', "a" 'b', (x), +y`, [`it's`, 'ab', 'x', 'y']],
  ['select a as b, c d, 1 e', []],
  ['with c as (select 1) select a*2 from c union select b*3', ['a*2']],
  ['(select a*2) union (select b*3)', ['a*2']],
  ['select a from (select b+1 from t) x', ['a']],
  ['select @@version', ['@@version']],
  ['insert into t select a+1', []],
  ['create table t as select count(*), a from u', ['count(*)', 'a']],
  ['create view v (x) as (select a+1 from u)', ['a+1']],
  ['create table t (a int)', []],
])('a column without a name is called as it is written: %s', (text, names) => {
  const found = [...sent(text).matchAll(/ AS "((?:[^"]|"")*)"/g)].map(([, name]) => name)
  expect(found).toEqual(names)
})

test('a number of many digits does not take the square of their number', () => {
  const many = '1'.repeat(1_000_000)
  expect(value(`concat(${many}, a / ${many})`)).toContain(many)
})

test('a name is as long as in MySQL, and a quote in it ends nothing', () => {
  expect(sent(`select concat("a""b", '${'x'.repeat(300)}')`)).toContain(` AS "concat(""a""""b"", 'xxx`)
  const [, name = ''] = / AS "(.*)"$/.exec(sent(`select ${'1+'.repeat(200)}1`)) ?? []
  expect(name).toHaveLength(256)
})

test.each([
  ['select 5--1', 'select 5- -1 AS "5--1"'],
  ['select 1 # ; drop table t', 'select 1 AS "1" '],
  ['select 1 -- ; drop table t', 'select 1 AS "1" '],
  ['select a/ -b', 'select mysql_divide(a, -b) AS "a/ -b"'],
  ['select -(-1) - -2', 'select -(-1) - -2 AS "-(-1) - -2"'],
])('no two signs become a comment, and a comment ends where it does: %s', (text, expected) => {
  expect(sent(text)).toBe(expected)
})

test.each([
  [
    String.raw`select 'a\'; drop table t; -- '`,
    String.raw`select 'a''; drop table t; -- ' AS "a'; drop table t; --"`,
  ],
  [
    String.raw`select "\"; drop table t; -- "`,
    String.raw`select '"; drop table t; -- ' AS """; drop table t; --"`,
  ],
  [
    String.raw`select date_format(a, '\'; drop table t; -- ')`,
    String.raw`mysql_date_format(a, '''; drop table t; -- ')`,
  ],
  [
    String.raw`select group_concat(a separator '\'); drop table t; -- ')`,
    String.raw`string_agg(mysql_text(a), '''); drop table t; -- ' )`,
  ],
  [String.raw`select a as '\"; drop table t; -- '`, String.raw`a as """; drop table t; -- "`],
  ['select `a``; drop table t; -- `', 'select "a`; drop table t; -- " AS "a`; drop table t; -- "'],
  [String.raw`select x'41\'; drop table t; -- '`, String.raw`x '41''; drop table t; -- '`],
])('no text of a user leaves its quotes: %s', (text, expected) => {
  expect(sent(text)).toContain(expected)
})

test('places in what was sent are found in the text again', () => {
  const text = 'select a / b, `x"y`, nowhere from t where d > now() - interval 1 day'
  const rewriting = render(text, WRITTEN)
  if (!rewriting) throw new Error('Nothing was rendered.')
  for (const word of ['nowhere', ' t ', 'where d', 'd >'])
    expect(originalOffset(rewriting, rewriting.text.indexOf(word))).toBe(text.indexOf(word))
})

test('in the words of the engine nothing of it is done', () => {
  for (const text of ['select length(a), a || b, a / b', 'select log(2), count(*)'])
    expect(sent(text, { ...WRITTEN, words: 'engine' })).toBe(text)
})

test('where sql_mode says that || joins texts, it does', () => {
  expect(sent('select a || b as x', { ...WRITTEN, words: 'mysql with pipes' })).toBe('select a || b as x')
  expect(sent('select a || b as x')).toBe('select mysql_true(a)  OR  mysql_true(b) as x')
})

test.each([
  ['rows', 'insert into t values ', "(1, 'text', 2.5, null),"],
  ['calls', 'select ', "date_format(a, '%Y'),"],
  ['quotients', 'select 1', ' / 2'],
  ['parentheses', 'select ', '(('],
  ['cases', 'select ', 'case when a then '],
  ['sums of intervals', 'select a', ' + interval 1 day'],
  ['exclusive conditions', 'select a', ' xor b'],
])('the time for many %s grows with their number, not with the square of it', (_, begin, part) => {
  const time = (count: number): number => {
    const text = begin + part.repeat(count)
    const before = process.cpuUsage()
    render(text, WRITTEN)
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  time(1000)
  const [few, many] = [time(4000), time(32_000)]
  expect(many).toBeLessThan(Math.max(few, 5000) * 8 * 6)
})

import { expect, test } from 'vitest'
import { originalOffset, type Quotes, STANDARD_QUOTES } from '@boathouse/sql'
import { render } from './render.ts'

const systemVariables = { version: '8.0.33', autocommit: '1', motto: `it's` }
const STANDARD = { quotes: STANDARD_QUOTES, systemVariables, variables: {} }
const MYSQL: Quotes = { escapes: true, doubleIsText: true }

const sent = (text: string, written = STANDARD): string => render(text, written)?.text ?? text

test.each([
  ['select 1', 'select 1'],
  ['select `a``b"c`', 'select "a`b""c"'],
  ['select `a`"b"`c`', 'select "a" "b" "c"'],
  ['select * from t limit 2, 3', 'select * from t limit 3 OFFSET 2'],
  ['select 1 limit 5, 18446744073709551615', 'select 1 limit 9223372036854775807 OFFSET 5'],
  ['select 1 limit 18446744073709551615 offset 5', 'select 1 limit 9223372036854775807 offset 5'],
  ['select * from (select 1 LIMIT 5 ,10) limit 1', 'select * from (select 1 LIMIT 10 OFFSET 5) limit 1'],
  ['select * from t limit ?, ?', 'select * from t limit ? OFFSET ?'],
  ['select limit, 3 from t', 'select limit, 3 from t'],
  [`select 'limit 1, 2', "limit 1, 2" -- limit 1, 2`, `select 'limit 1, 2', "limit 1, 2" -- limit 1, 2`],
  ['select @@version', `select '8.0.33' AS "@@version"`],
  ['select @@session.autocommit, 1', 'select 1 AS "@@session.autocommit", 1'],
  ['SELECT @@version AS v', `SELECT '8.0.33' AS v`],
  ['select a from t where @@autocommit = 1', 'select a from t where 1 = 1'],
  ['select (@@version)', `select ('8.0.33')`],
  ['select @@motto', `select 'it''s' AS "@@motto"`],
  ['select @@nobody', 'select @@nobody'],
  [`select '@@version'`, `select '@@version'`],
  [`select date_format(a, '%Y-%m %i %M')`, `select strftime(CAST(a AS TIMESTAMP), '%Y-%m %M %B')`],
  [`select DATE_FORMAT(f(a, b), "x")`, `select DATE_FORMAT(f(a, b), "x")`],
  [`select date_format(a, '%D')`, `select date_format(a, '%D')`],
  [`select s.date_format(a, '%Y')`, `select s.date_format(a, '%Y')`],
  [`select str_to_date(a, '%d/%c')`, `select CAST(try_strptime(a, '%d/%-m') AS DATE)`],
  [`select str_to_date(a, '%H:%i')`, `select CAST(try_strptime(a, '%H:%M') AS TIMESTAMP)`],
  [`select group_concat(a separator ';')`, `select group_concat(a , ';' )`],
  [
    `select group_concat(distinct a order by b desc SEPARATOR ', ') from t`,
    `select group_concat(distinct a , ', ' ORDER by b desc  ) from t`,
  ],
  ['select separator from t', 'select separator from t'],
  ['select timestampdiff(DAY, a, b)', `select date_sub('day', CAST( a AS TIMESTAMP), CAST( b AS TIMESTAMP))`],
  ['select timestampadd(month, 2, a)', `select timestampadd('month', 2, a)`],
  ['select a + interval -1 day', 'select a + INTERVAL ( -1 ) day'],
  ['select a + interval f(x, 1) hour', 'select a + INTERVAL ( f(x, 1) ) hour'],
  ['select a + interval n day', 'select a + INTERVAL ( n ) day'],
  ['select a + interval 1 day', 'select a + interval 1 day'],
  ['select a::interval as day', 'select a::interval as day'],
  ['select 7 div 2, a MOD b from t', 'select 7 // 2, a % b from t'],
  ['select a div from t', 'select a div from t'],
  ['select * from range(3) div(x)', 'select * from range(3) div(x)'],
  ['select mod(7, 2), 1 mod', 'select mod(7, 2), 1 mod'],
  [`select a regexp 'b+'`, `select a ~ '(?s).*(?:b+).*'`],
  [`select a not rlike '^b'`, `select a !~  '(?s).*(?:^b).*'`],
  ['select regexp from t', 'select regexp from t'],
  [
    'select cast(a as unsigned), cast(a as unsigned integer)',
    'select cast(a as UBIGINT), cast(a as UBIGINT )',
  ],
  ['select sql_no_cache a from t', 'select  a from t'],
  ['select sql_no_cache from t', 'select sql_no_cache from t'],
  [
    `select date_format(str_to_date(a, '%Y'), '%y')`,
    `select strftime(CAST(CAST(try_strptime(a, '%Y') AS DATE) AS TIMESTAMP), '%y')`,
  ],
])('%s is sent as %s', (text, expected) => {
  expect(sent(text)).toBe(expected)
})

test('places in what was sent are found in the text again', () => {
  const text = 'select `a"b`, x from t limit 2, 3'
  const rewriting = render(text, STANDARD)
  if (!rewriting) throw new Error('Nothing was rendered.')
  for (const word of ['select', 'x', 'from', 't', 'limit'])
    expect([word, originalOffset(rewriting, rewriting.text.indexOf(word))]).toEqual([
      word,
      text.indexOf(word),
    ])
  expect(originalOffset(rewriting, rewriting.text.indexOf('OFFSET'))).toBe(text.indexOf('2, 3'))
  expect(originalOffset(rewriting, rewriting.text.length)).toBe(text.length)
})

test('what is as long as before moves nothing', () => {
  expect(render('select `a`, `b`', STANDARD)).toEqual({ text: 'select "a", "b"', moves: [] })
})

test('backticked identifiers stand in double quotes and all else is left alone', () => {
  const text = 'select `a;b`, `c"d``e`, \'`\', "`" -- `x`\nfrom `t'
  expect(sent(text)).toBe('select "a;b", "c""d`e", \'`\', "`" -- `x`\nfrom `t')
})

test('keywords that are called as functions lose their parentheses, and every place stays', () => {
  const text =
    'select CURRENT_USER(), user ( ), `a`, session_user, current_role(/* none */) from user_role (1)'
  expect(sent(text)).toBe(
    'select CURRENT_USER  , user    , "a", session_user, current_role /* none */  from user_role (1)',
  )
  for (const other of ["select 'user()'", 'select s.user()', 'select "user"()', 'select user(1)', 'user ('])
    expect(sent(other)).toBe(other)
  const macro = 'create macro current_role() as 1'
  expect(sent(macro)).toBe(macro)
})

test.each([
  [String.raw`select a regexp 'x\\d'`, String.raw`select a ~ '(?s).*(?:x\d).*'`],
  [`select group_concat(a separator "','")`, `select group_concat(a , ''',''' )`],
  [`select date_format(a, "%i")`, `select strftime(CAST(a AS TIMESTAMP), '%M')`],
])('texts in other quotes are read as what they stand for: %s', (text, expected) => {
  expect(sent(text, { ...STANDARD, quotes: MYSQL })).toBe(expected)
})

test.each([
  [
    'select a div ? limit ?, ?',
    "select a //  coalesce(getvariable('n')\n) limit (getvariable('m')\n) OFFSET (getvariable('it''s')\n)",
  ],
  ['select ?', "select (getvariable('n')\n)"],
])('parameters that stand for variables of the session read them: %s', (text, expected) => {
  expect(sent(text, { ...STANDARD, variables: { 1: 'n', 2: "it's", 3: 'm' } })).toBe(expected)
})

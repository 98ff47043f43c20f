import { expect, test } from 'vitest'
import { kindOf, readStatement } from '../statement.ts'
import { readSet as read } from './set-statement.ts'

const readSet = (text: string) => read(readStatement(text))
const text = (value: string) => ({ is: 'literal', text: value, isNumber: false }) as const
const number = (value: string) => ({ is: 'literal', text: value, isNumber: true }) as const
const byDefault = { is: 'default' } as const

/** As `name = value`, with the scope where it is not the session's. */
const named = (name: string, value: object, scope: 'session' | 'global' = 'session') => ({
  sets: 'variable',
  name,
  value,
  scope,
})

test.each([
  ['SET SQL_SELECT_LIMIT=1000', named('sql_select_limit', number('1000'))],
  [`SET x TO 'it''s'`, named('x', text("it's"))],
  ['SET GLOBAL `x` = on', named('x', text('on'), 'global')],
  ['SET @@session.x := -1', named('x', number('-1'))],
  ['SET @@x = 1', named('x', number('1'))],
  ['SET LOCAL x = 1', named('x', number('1'))],
  ['SET SESSION c.p = DEFAULT', named('c.p', byDefault)],
  ['SET session = 1', named('session', number('1'))],
  ['RESET x', named('x', byDefault)],
  [`set time zone 'UTC'`, named('time_zone', text('UTC'))],
  ['SET SESSION TIME ZONE "Asia/Tokyo"', named('time_zone', text('Asia/Tokyo'))],
  [`SET GLOBAL TIME ZONE 'UTC'`, named('time_zone', text('UTC'), 'global')],
  ['SET TIME ZONE LOCAL', named('time_zone', byDefault)],
  ['SET TIME ZONE DEFAULT', named('time_zone', byDefault)],
  ['RESET TIME ZONE', named('time_zone', byDefault)],
  [`SET TIME ZONE '-08:00'`, named('time_zone', text('-08:00'))],
  ['SET TIME ZONE -8', named('time_zone', text('-08:00'))],
  ['SET TIME ZONE 5.5', named('time_zone', text('+05:30'))],
  [`SET TIME ZONE INTERVAL '-08:00' HOUR TO MINUTE`, named('time_zone', text('-08:00'))],
  ['SET time = 1', named('time', number('1'))],
  ['SET names = 1', named('names', number('1'))],
  ['SET character_set_results = NULL', named('character_set_results', { is: 'null' })],
  ['SET sql_mode = @@global.sql_mode', named('sql_mode', { is: 'variable', name: 'sql_mode' })],
  ['SET time_zone = @old', named('time_zone', { is: 'user-variable', name: 'old' })],
])('reads %s', (sql, found) => {
  expect(readSet(sql)).toEqual([found])
})

test.each([
  [
    `SET autocommit=1, sql_mode = concat(@@sql_mode,',STRICT_TRANS_TABLES')`,
    [
      named('autocommit', number('1')),
      named('sql_mode', {
        is: 'call',
        function: 'CONCAT',
        values: [{ is: 'variable', name: 'sql_mode' }, text(',STRICT_TRANS_TABLES')],
      }),
    ],
  ],
  [
    'SET @OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0',
    [
      { sets: 'user-variable', name: 'old_unique_checks', value: { is: 'variable', name: 'unique_checks' } },
      named('unique_checks', number('0')),
    ],
  ],
  [
    'SET GLOBAL a = 1, b = 2, SESSION c = 3, d = 4, @@global.e = 5, f = 6',
    [
      named('a', number('1'), 'global'),
      named('b', number('2'), 'global'),
      named('c', number('3')),
      named('d', number('4')),
      named('e', number('5'), 'global'),
      named('f', number('6')),
    ],
  ],
  [
    `SET NAMES 'utf8mb4' COLLATE utf8mb4_unicode_ci`,
    [
      named('character_set_client', text('utf8mb4')),
      named('character_set_connection', text('utf8mb4')),
      named('character_set_results', text('utf8mb4')),
      named('collation_connection', text('utf8mb4_unicode_ci')),
    ],
  ],
  [
    'SET CHARACTER SET DEFAULT',
    [
      named('character_set_client', byDefault),
      named('character_set_results', byDefault),
      named('character_set_connection', byDefault),
      named('collation_connection', byDefault),
    ],
  ],
  [
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY',
    [named('transaction_isolation', text('READ-COMMITTED')), named('transaction_read_only', text('1'))],
  ],
  [
    'SET TRANSACTION READ WRITE',
    [{ sets: 'next-transaction', name: 'transaction_read_only', value: text('0') }],
  ],
])('reads all of %s', (sql, found) => {
  expect(readSet(sql)).toEqual(found)
})

test.each([
  'SET',
  'SET x',
  'SET x =',
  'SET x = 1,',
  'SET x = 1, y',
  'SET x = 1 y = 2',
  'SET x = f(1)',
  'SET x = 1 + 1',
  `SET x = CONCAT('a'`,
  `SET x = CONCAT('a', DEFAULT)`,
  `SET x = REPLACE('a', 'b')`,
  'SET x = (SELECT 1)',
  'SET @x = 1, @y = 1 + 1',
  'SET VARIABLE x = 1',
  `SET x = 'a`,
  'SET NAMES',
  'SET NAMES utf8mb4 COLLATE',
  'SET TRANSACTION',
  'SET TRANSACTION ISOLATION LEVEL',
  'SET TRANSACTION ISOLATION LEVEL SNAPSHOT',
  'SET TIME ZONE',
  `SET TIME ZONE = 'UTC'`,
  `SET TIME ZONE 'UTC' 'UTC'`,
  `SET TIME ZONE INTERVAL '1' DAY`,
  'SET TIME ZONE -UTC',
  `SET "TIME" "ZONE" 'UTC'`,
  'RESET',
  'RESET a, b',
  'USE x',
  `SET x = ${'CONCAT('.repeat(10_000)}1${')'.repeat(10_000)}`,
])('finds no assignments in %s', (sql) => {
  expect(readSet(sql)).toBeNull()
})

test('several assignments are of the service, one to a variable of the user is worked out by an engine', () => {
  expect(kindOf('SET @a = (SELECT max(x) FROM t)')).toBe('set-user-variable')
  expect(kindOf('SET @a = greatest(1, [2, 3][1])')).toBe('set-user-variable')
  expect(kindOf('SET VARIABLE a = 1')).toBe('set-user-variable')
  expect(kindOf('SET @a = 1, @b = 2')).toBe('set-variable')
  expect(kindOf('SET NAMES utf8mb4')).toBe('set-variable')
  expect(kindOf('SET sql_select_limit = 1')).toBe('set-sql-select-limit')
  expect(kindOf('SET sql_select_limit = 1, @b = 2')).toBe('set-variable')
})

test('reads what MariaDB’s driver for Java asks when it connects', () => {
  const tracked = '@@session_track_system_variables'
  const ifTracked = `IF(LOCATE('*',${tracked})>0 OR FIND_IN_SET('last_gtid',LOWER(REPLACE(${tracked},' ','')))>0,',last_gtid','')`
  expect(readSet(`set session_track_system_variables=CONCAT('autocommit',${ifTracked}),x=1`)).toEqual([
    named('session_track_system_variables', {
      is: 'call',
      function: 'CONCAT',
      values: [text('autocommit'), text('')],
    }),
    named('x', number('1')),
  ])
  expect(readSet(`set x = IF(1 = 1, 'a', 'b')`)).toBeNull()
})

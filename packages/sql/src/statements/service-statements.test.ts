import { expect, test } from 'vitest'
import * as statements from './service-statements.ts'
import { readShow as show } from './show-statements.ts'
import { readStatement } from '../statement.ts'

const readUse = (text: string) => statements.readUse(readStatement(text))
const readSetCatalog = (text: string) => statements.readSetCatalog(readStatement(text))
const readSetRole = (text: string) => statements.readSetRole(readStatement(text))
const readSetWarehouse = (text: string) => statements.readSetWarehouse(readStatement(text))
const readCreateDatabase = (text: string) => statements.readCreateDatabase(readStatement(text))
const readDropDatabase = (text: string) => statements.readDropDatabase(readStatement(text))
const readShow = (text: string) => show(readStatement(text))

test.each([
  ['USE d', { database: 'd' }],
  ['use c.d;', { catalog: 'c', database: 'd' }],
  ['USE DATABASE d', { database: 'd' }],
  ['USE DATABASE c.d', { catalog: 'c', database: 'd' }],
  ['USE `my "c"`."a""b" -- x', { catalog: 'my "c"', database: 'a"b' }],
  ['USE database', { database: 'database' }],
  ['USE schema.d', { catalog: 'schema', database: 'd' }],
])('reads %s [EDITOR-57]', (text, found) => {
  expect(readUse(text)).toEqual(found)
})

test.each(['USE', 'USE a.b.c', 'USE a b', 'USE a.', `USE 'a'`, 'USE "a', 'SELECT 1', 'USE a; USE b'])(
  'finds no USE in %s',
  (text) => {
    expect(readUse(text)).toBeNull()
  },
)

test('reads SET CATALOG and SET WAREHOUSE', () => {
  expect(readSetCatalog('SET CATALOG c')).toEqual({ catalog: 'c' })
  expect(readSetCatalog('set catalog `my c`;')).toEqual({ catalog: 'my c' })
  for (const text of [
    'SET WAREHOUSE w',
    'SET WAREHOUSE = w',
    `SET SESSION WAREHOUSE = 'w'`,
    'set warehouse to "w"',
  ])
    expect([text, readSetWarehouse(text)]).toEqual([text, { warehouse: 'w' }])
})

test.each([
  'SET WAREHOUSE',
  'SET WAREHOUSE =',
  'SET WAREHOUSE a b',
  'SET GLOBAL WAREHOUSE = w',
  'SET CATALOG c',
])('finds no SET WAREHOUSE in %s', (text) => {
  expect(readSetWarehouse(text)).toBeNull()
})

test('reads CREATE and DROP DATABASE', () => {
  expect(readCreateDatabase('CREATE DATABASE d')).toEqual({ database: 'd', lenient: false })
  expect(readCreateDatabase('create schema if not exists c."d"')).toEqual({
    catalog: 'c',
    database: 'd',
    lenient: true,
  })
  expect(readDropDatabase('DROP DATABASE IF EXISTS d FORCE')).toEqual({
    database: 'd',
    lenient: true,
    cascade: true,
  })
  expect(readDropDatabase('DROP SCHEMA c.d RESTRICT')).toMatchObject({ catalog: 'c', cascade: false })
  expect(readCreateDatabase('CREATE DATABASE d PROPERTIES (1)')).toBeNull()
  expect(readCreateDatabase('CREATE TABLE d')).toBeNull()
  expect(readDropDatabase('DROP DATABASE a, b')).toBeNull()
})

test.each([
  ['SHOW VARIABLES', { what: 'show-variables', full: false }],
  [`SHOW GLOBAL VARIABLES LIKE 'sql_%'`, { what: 'show-variables', full: false, like: 'sql_%' }],
  ['SHOW DATABASES FROM c', { what: 'show-databases', full: false, from: ['c'] }],
  [`show full tables in \`c\`.d like 'a'`, { what: 'show-tables', full: true, from: ['c', 'd'], like: 'a' }],
  ['SHOW FULL COLUMNS FROM t FROM d', { what: 'show-columns', full: true, from: ['d', 't'] }],
  ['SHOW CREATE TABLE c.d.t', { what: 'show-create-table', full: false, from: ['c', 'd', 't'] }],
  ['SHOW FULL PROCESSLIST', { what: 'show-processlist', full: true }],
  ['SHOW GRANTS FOR u', { what: 'show-grants', full: false, grantee: { type: 'user', name: 'u' } }],
  ['SHOW GRANTS FOR CURRENT_USER', { what: 'show-grants', full: false }],
  ['show grants for current_user()', { what: 'show-grants', full: false }],
  [
    'SHOW GRANTS FOR "current_user"',
    { what: 'show-grants', full: false, grantee: { type: 'user', name: 'current_user' } },
  ],
  ['SHOW GRANTS FOR ROLE "r"', { what: 'show-grants', full: false, grantee: { type: 'role', name: 'r' } }],
])('reads %s', (text, found) => {
  expect(readShow(text)).toEqual(found)
})

test.each([
  'SHOW',
  'SHOW t',
  'SHOW CREATE TABLE',
  'SHOW TABLES LIKE a',
  'SHOW TABLES FROM',
  'SHOW TABLES x',
  'SELECT 1',
])('finds no SHOW it could answer in %s', (text) => {
  expect(readShow(text)).toBeNull()
})

test.each([
  ['SET ROLE db_admin', { roles: ['db_admin'] }],
  ['set role "a b", `c`, d;', { roles: ['a b', 'c', 'd'] }],
  ['SET ROLE ALL', { roles: 'ALL' }],
  ['SET ROLE DEFAULT', { roles: 'DEFAULT' }],
  ['SET ROLE NONE', { roles: 'NONE' }],
  ['SET ROLE', null],
  ['SET ROLE a b', null],
  ['SET x = 1', null],
])('the roles of %s are read', (text, expected) => {
  expect(readSetRole(text)).toEqual(expected)
})

test.each([
  ['KILL 7', { what: 'connection', id: '7' }],
  ['kill connection 7;', { what: 'connection', id: '7' }],
  [`KILL QUERY '0190-a'`, { what: 'query', id: '0190-a' }],
  ['KILL query', { what: 'connection', id: 'query' }],
  ['KILL', null],
  ['KILL QUERY 7 8', null],
  ['KILL 7, 8', null],
])('reads %s', (text, found) => {
  expect(statements.readKill(readStatement(text))).toEqual(found)
})

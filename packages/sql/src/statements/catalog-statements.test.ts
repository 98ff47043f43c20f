import { expect, test } from 'vitest'
import { readCreateCatalog, readDropCatalog } from './catalog-statements.ts'
import { readStatement } from '../statement.ts'

const created = (sql: string) => readCreateCatalog(readStatement(sql))
const dropped = (sql: string) => readDropCatalog(readStatement(sql))

test('CREATE CATALOG is read with its comment and properties', () => {
  const plain = { external: false, lenient: false, comment: '', properties: {} }
  expect(created('create catalog a')).toEqual({ ...plain, name: 'a' })
  expect(created(`CREATE CATALOG IF NOT EXISTS "A b" COMMENT = 'it''s';`)).toEqual({
    ...plain,
    name: 'A b',
    lenient: true,
    comment: `it's`,
  })
  expect(
    created(`CREATE EXTERNAL CATALOG lake COMMENT 'x' PROPERTIES ("type" = "folder", 'folder' = 'a/b')`),
  ).toEqual({
    ...plain,
    name: 'lake',
    external: true,
    comment: 'x',
    properties: { type: 'folder', folder: 'a/b' },
  })
})

test.each([
  'CREATE CATALOG',
  'CREATE CATALOG a.b',
  'CREATE CATALOG a b',
  'CREATE CATALOG a COMMENT',
  'CREATE CATALOG a COMMENT b',
  'CREATE CATALOG a PROPERTIES',
  'CREATE CATALOG a PROPERTIES ()',
  `CREATE CATALOG a PROPERTIES ('x' = 'y'`,
  `CREATE CATALOG a PROPERTIES ('x' 'y')`,
  `CREATE CATALOG a PROPERTIES ('x' = 'y', 'x' = 'z')`,
  'CREATE DATABASE a',
])('%s is not read', (sql) => expect(created(sql)).toBeNull())

test('DROP CATALOG is read, and nothing that is like it', () => {
  expect(dropped('DROP CATALOG a')).toEqual({ name: 'a', lenient: false, cascade: false })
  expect(dropped('drop catalog if exists a cascade')).toEqual({ name: 'a', lenient: true, cascade: true })
  expect(dropped('DROP CATALOG a RESTRICT')).toEqual({ name: 'a', lenient: false, cascade: false })
  for (const sql of ['DROP CATALOG', 'DROP CATALOG a.b', 'DROP CATALOG a, b', 'DROP DATABASE a'])
    expect(dropped(sql)).toBeNull()
})

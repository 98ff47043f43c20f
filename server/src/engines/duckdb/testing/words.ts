import type { SuiteDialect } from '../../conformance.ts'
import { TEXT, columnOf } from '../../engine/columns.ts'

const values = (numbers: readonly number[]): string => numbers.map((value) => `(${value})`).join(', ')

export const DUCKDB_SUITE: SuiteDialect = {
  example: {
    sql: `SELECT 42 AS answer, 'it''s' AS word, NULL::DATE AS day, true AS yes`,
    columns: [
      columnOf('answer', 'INTEGER', { kind: 'integer', bits: 32, isSigned: true }),
      columnOf('word', 'VARCHAR', TEXT),
      columnOf('day', 'DATE', { kind: 'date' }),
      columnOf('yes', 'BOOLEAN', { kind: 'boolean' }),
    ],
    row: ['42', "it's", null, 'true'],
  },
  one: (value) => `SELECT ${value}`,
  numbers: (count, order) => `SELECT i FROM range(${count}) t(i)${order ? ' ORDER BY i DESC' : ''}`,
  longText: (character, length) => `SELECT repeat('${character}', ${length})`,
  endless: 'SELECT count(*) FROM range(1000000000000) a, range(1000) b WHERE (a.range * b.range) % 7 = 3',
  createTable: (name) => `CREATE TABLE ${name} (i BIGINT)`,
  createKeyed: (name) => `CREATE TABLE ${name} (i BIGINT PRIMARY KEY)`,
  createTemporary: (name) => `CREATE TEMP TABLE ${name} (i BIGINT)`,
  createUnlessThere: (name) => `CREATE TABLE IF NOT EXISTS ${name} (i BIGINT)`,
  createNumbered: (name, count) => `CREATE TABLE ${name} AS SELECT range AS i FROM range(${count})`,
  insert: (table, ...numbers) => `INSERT INTO ${table} VALUES ${values(numbers)}`,
  insertNumbers: (table, count) => `INSERT INTO ${table} SELECT range FROM range(${count})`,
  deleteValue: (table, value) => `DELETE FROM ${table} WHERE i = ${value}`,
  select: (table) => `SELECT * FROM ${table}`,
  count: (table) => `SELECT count(*) FROM ${table}`,
  dropTable: (name) => `DROP TABLE ${name}`,
  createView: (name, table) => `CREATE VIEW ${name} AS SELECT * FROM ${table}`,
  dropView: (name) => `DROP VIEW ${name}`,
  begin: 'BEGIN',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  currentUser: 'SELECT current_user',
  currentRole: 'SELECT current_role',
  variable: (name) => `SELECT getvariable('${name}')`,
  failing: `SELECT 'x'::INTEGER`,
  failingLate: (rows) =>
    `SELECT CASE WHEN i = ${rows} THEN error('late') ELSE i::VARCHAR END FROM range(${rows + 1}) t(i)`,
  unreadable: [
    { sql: 'selec 1', offset: 0 },
    { sql: `SELECT 'déjà 🎉 日本', 1 FROM FROM x`, offset: 28 },
  ],
  missing: [
    { sql: 'SELECT *\n  FROM nowhere', offset: 16 },
    { sql: 'UPDATE nowhere SET i = 1', offset: 7 },
  ],
  purposes: [
    ['SELECT * FROM used', 'reads'],
    ['INSERT INTO used VALUES (1)', 'writes'],
    ['DELETE FROM used', 'writes'],
    ['DROP TABLE IF EXISTS used_too', 'writes'],
    ['BEGIN', 'session'],
    ['USE main', null],
    [`SET TimeZone = 'UTC'`, null],
  ],
}

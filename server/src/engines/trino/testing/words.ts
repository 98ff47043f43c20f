import type { SuiteDialect } from '../../conformance.ts'
import { columnOf } from '../../engine/columns.ts'

const values = (numbers: readonly number[]): string => numbers.map((value) => `(${value})`).join(', ')

/** A list has no more elements than this. */
const LONGEST_LIST = 10_000

/** Lists of numbers, one in the other: rows come in their order, as they are asked for. */
function numbers(count: number): string {
  if (count === 0) return `SELECT i FROM (VALUES BIGINT '0') t(i) WHERE i < 0`
  let width = 1
  while (count / width > LONGEST_LIST) width *= LONGEST_LIST
  let lists = `UNNEST(sequence(BIGINT '0', ${Math.ceil(count / width) - 1})) t${width}(n${width})`
  for (let outer = width; outer > 1; outer /= LONGEST_LIST) {
    const inner = outer / LONGEST_LIST
    const first = `n${outer} * ${LONGEST_LIST}`
    lists += ` CROSS JOIN UNNEST(sequence(${first}, ${first} + ${LONGEST_LIST - 1})) t${inner}(n${inner})`
  }
  return `SELECT n1 AS i FROM ${lists} WHERE n1 < ${count}`
}

export const TRINO_SUITE: SuiteDialect = {
  // Each is a query of a cluster.
  tries: 20,
  // The catalog of files that these tests have lists a quote in a name as %22.
  oddName: 'odd name',
  lacks: new Set(['transactions', 'temporary tables', 'keys', 'letter case', 'a folder']),
  example: {
    sql: `SELECT 42 AS answer, 'it''s' AS word, CAST(NULL AS DATE) AS day, true AS yes`,
    columns: [
      columnOf('answer', 'integer', { kind: 'integer', bits: 32, isSigned: true }),
      columnOf('word', 'varchar(4)', { kind: 'text', length: 4 }),
      columnOf('day', 'date', { kind: 'date' }),
      columnOf('yes', 'boolean', { kind: 'boolean' }),
    ],
    row: ['42', "it's", null, 'true'],
  },
  one: (value) => `SELECT ${value}`,
  numbers: (count, order) => `${numbers(count)}${order ? ' ORDER BY i DESC' : ''}`,
  longText: (character, length) => `SELECT rpad('', ${length}, '${character}')`,
  endless: `SELECT count(*) FROM (${numbers(1_000_000_000_000)}) WHERE i % 7 = 3`,
  createTable: (name) => `CREATE TABLE ${name} (i BIGINT)`,
  createKeyed: () => '',
  createTemporary: () => '',
  createUnlessThere: (name) => `CREATE TABLE IF NOT EXISTS ${name} (i BIGINT)`,
  createNumbered: (name, count) => `CREATE TABLE ${name} AS ${numbers(count)}`,
  insert: (table, ...numbers) => `INSERT INTO ${table} VALUES ${values(numbers)}`,
  insertNumbers: (table, count) => `INSERT INTO ${table} ${numbers(count)}`,
  deleteValue: (table, value) => `DELETE FROM ${table} WHERE i = ${value}`,
  select: (table) => `SELECT * FROM ${table} ORDER BY i`,
  count: (table) => `SELECT count(*) FROM ${table}`,
  dropTable: (name) => `DROP TABLE ${name}`,
  createView: (name, table) => `CREATE VIEW ${name} AS SELECT * FROM ${table}`,
  dropView: (name) => `DROP VIEW ${name}`,
  begin: 'START TRANSACTION',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  currentUser: 'SELECT current_user',
  currentRole: 'SELECT current_role',
  variable: (name) => `SELECT session_variable('${name}')`,
  failing: `SELECT CAST('x' AS INTEGER)`,
  failingLate: (rows) => `SELECT 1 / (${rows} - i) FROM (${numbers(rows + 1)})`,
  unreadable: [
    { sql: 'selec 1', offset: 0 },
    { sql: `SELECT 'déjà 🎉 日本', 1 FROM FROM x`, offset: 28 },
  ],
  missing: [
    { sql: 'SELECT *\n  FROM nowhere', offset: 16 },
    { sql: 'SELECT 1 FROM nowhere', offset: 14 },
  ],
  purposes: [
    ['SELECT * FROM used', 'reads'],
    ['INSERT INTO used VALUES (1)', 'writes'],
    ['DELETE FROM used', 'writes'],
    ['DROP TABLE IF EXISTS used_too', 'writes'],
    ['EXPLAIN ANALYZE INSERT INTO used VALUES (1)', 'writes'],
    ['EXPLAIN INSERT INTO used VALUES (1)', 'reads'],
    ['USE main', null],
    [`SET TIME ZONE 'UTC'`, null],
    ['SHOW SESSION', null],
    [`CALL system.runtime.kill_query('x', 'y')`, null],
  ],
}

import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { startApp } from '../../../testing/start-app.ts'

/** What clients of MySQL read for each type. */
const TYPES: Readonly<Record<string, string>> = {
  BOOLEAN: 'tinyint(1)',
  TINYINT: 'tinyint',
  SMALLINT: 'smallint',
  INTEGER: 'int',
  BIGINT: 'bigint',
  UTINYINT: 'tinyint unsigned',
  USMALLINT: 'smallint unsigned',
  UINTEGER: 'int unsigned',
  UBIGINT: 'bigint unsigned',
  HUGEINT: 'decimal(39,0)',
  UHUGEINT: 'decimal(39,0)',
  BIGNUM: 'varchar(65535)',
  'DECIMAL(10,2)': 'decimal(10,2)',
  FLOAT: 'float',
  DOUBLE: 'double',
  VARCHAR: 'varchar(65535)',
  BLOB: 'longblob',
  BIT: 'varchar(65535)',
  DATE: 'date',
  TIME: 'time(6)',
  'TIME WITH TIME ZONE': 'varchar(65535)',
  TIMESTAMP: 'datetime(6)',
  TIMESTAMP_S: 'datetime',
  TIMESTAMP_MS: 'datetime(3)',
  TIMESTAMP_NS: 'datetime(6)',
  'TIMESTAMP WITH TIME ZONE': 'timestamp(6)',
  INTERVAL: 'varchar(65535)',
  UUID: 'char(36)',
  JSON: 'json',
  "ENUM('a', 'b c')": "enum('a','b c')",
  'INTEGER[]': 'json',
  'INTEGER[3]': 'json',
  'STRUCT(a INTEGER, b VARCHAR)': 'json',
  'MAP(VARCHAR, INTEGER)': 'json',
  'UNION(num INTEGER, str VARCHAR)': 'json',
}

test('one column and all columns are described by the same types', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const connection = await openProgram(app, await app.admin())
  const rowsOf = async (sql: string) => {
    const [answer] = await connection.run(sql)
    expect([sql, answer?.message]).toEqual([sql, ''])
    return answer?.result?.rows ?? []
  }
  const columns = Object.keys(TYPES).map((type, at) => `c${at} ${type}`)
  await rowsOf(`SET sql_dialect = 'engine'`)
  await rowsOf(`CREATE TABLE typed (${columns.join(', ')})`)
  await rowsOf(`SET sql_dialect = 'mysql'`)
  const expected = Object.values(TYPES).map((type, at) => [`c${at}`, type])
  const shown = (await rowsOf('SHOW COLUMNS FROM typed')).map(([name, type]) => [name, type])
  expect(shown).toEqual(expected)
  const listed = `SELECT COLUMN_NAME, COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_NAME = 'typed'
    ORDER BY ORDINAL_POSITION`
  expect(await rowsOf(listed)).toEqual(expected)
})

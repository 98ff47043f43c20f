import { expect, test } from 'vitest'
import { readStatement } from '../statement.ts'
import { readAlterPipe, readCreatePipe, readDescribePipe, readDropPipe } from './pipe-statements.ts'

const create = (sql: string) => readCreatePipe(readStatement(sql))
const alter = (sql: string) => readAlterPipe(readStatement(sql))

const INSERT = `INSERT INTO t SELECT * FROM FILES("path" = "folder://landing/*.csv")`

test('what is no pipe as it is written is not read', () => {
  for (const sql of [
    'CREATE PIPE p',
    `CREATE PIPE p AS`,
    `CREATE OR REPLACE PIPE IF NOT EXISTS p AS ${INSERT}`,
    `CREATE PIPE p PROPERTIES ("a" = "1" AS ${INSERT}`,
    `CREATE PIPE p PROPERTIES ("a" = "1", "A" = "2") AS ${INSERT}`,
    'CREATE PIPE p AS INSERT INTO t VALUES (1)',
    'CREATE PIPE p AS INSERT INTO t SELECT * FROM other',
    'CREATE PIPE p AS INSERT INTO t SELECT a + 1 FROM FILES("path" = "x")',
    `CREATE PIPE p AS ${INSERT} GROUP BY 1`,
    `CREATE PIPE p AS ${INSERT} WHERE`,
    `CREATE PIPE p AS ${INSERT}, other`,
  ])
    expect([sql, create(sql)]).toEqual([sql, null])
  for (const sql of [
    'ALTER PIPE p',
    'ALTER PIPE p RETRY',
    'ALTER PIPE p SKIP FILE',
    'ALTER PIPE p SUSPEND now',
  ])
    expect([sql, alter(sql)]).toEqual([sql, null])
})

test('CREATE PIPE is read with its properties, its table, its files and its condition', () => {
  expect(
    create(
      `CREATE OR REPLACE PIPE d.p PROPERTIES ("POLL_INTERVAL" = "5") AS INSERT INTO c.d.t (a, \`b\`)
       SELECT x, y FROM FILES("path" = "s3://b/p/", "format" = "csv") WHERE x > 1;`,
    ),
  ).toMatchObject({
    name: ['d', 'p'],
    lenient: false,
    replaces: true,
    properties: { poll_interval: '5' },
    insert: {
      table: ['c', 'd', 't'],
      columns: ['a', 'b'],
      selected: ['x', 'y'],
      files: { path: 's3://b/p/', format: 'csv' },
      where: 'x > 1',
    },
  })
  expect(create(`CREATE PIPE IF NOT EXISTS p AS ${INSERT};`)).toEqual({
    name: ['p'],
    lenient: true,
    replaces: false,
    properties: {},
    insert: {
      table: ['t'],
      columns: null,
      selected: null,
      files: { path: 'folder://landing/*.csv' },
      where: null,
    },
    text: INSERT,
  })
})

test('a pipe is suspended, resumed, changed and dropped, and its files retried and skipped', () => {
  expect(alter('ALTER PIPE p SUSPEND')?.change).toEqual({ does: 'suspend' })
  expect(alter('ALTER PIPE IF EXISTS p RESUME;')).toEqual({
    name: ['p'],
    lenient: true,
    change: { does: 'resume' },
  })
  expect(alter('ALTER PIPE p RETRY ALL')?.change).toEqual({ does: 'retry-all' })
  expect(alter("ALTER PIPE p RETRY FILE 'a.csv'")?.change).toEqual({ does: 'retry', file: 'a.csv' })
  expect(alter("ALTER PIPE p SKIP FILE 'a.csv'")?.change).toEqual({ does: 'skip', file: 'a.csv' })
  for (const sql of [
    `ALTER PIPE p SET ("poll_interval" = "9")`,
    `ALTER PIPE p SET PROPERTY ("Poll_Interval" = 9)`,
    `ALTER PIPE p SET PROPERTY 'poll_interval' = '9'`,
  ])
    expect(alter(sql)?.change).toEqual({ does: 'set', properties: { poll_interval: '9' } })
  expect(readDropPipe(readStatement('DROP PIPE IF EXISTS d.p'))).toEqual({ name: ['d', 'p'], lenient: true })
  expect(readDescribePipe(readStatement('DESC PIPE p'))?.name).toEqual(['p'])
  expect(readDropPipe(readStatement('DROP PIPE p q'))).toBeNull()
})

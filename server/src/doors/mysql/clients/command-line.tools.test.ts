import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { odbcDriver, withCommandLine } from '../../../testing/mysql-clients.ts'
import { setUpScript } from '../../../testing/mysql-scenario.ts'
import {
  findProgram,
  hasMariadb,
  type MysqlServer,
  startMariadb,
  startMysqlEndpoint,
} from '../../../testing/mysql-servers.ts'

const run = promisify(execFile)
const EVERYTHING = 'select * from everything order by id'
const NUMBERS = 'select * from numbers order by id'

/** Bytes that are no text are written by their digits. */
const DUMP = ['--hex-blob']

async function dumpOf({ host, port, user, password, database }: MysqlServer, ...options: string[]) {
  const place = ['--no-defaults', `-h${host}`, `-P${port}`, `-u${user}`, '--protocol=tcp']
  const { stdout } = await run(
    'mariadb-dump',
    [...place, ...DUMP, ...options, database, 'everything', 'numbers'],
    {
      env: { ...process.env, MYSQL_PWD: password },
      maxBuffer: 2 ** 26,
    },
  )
  return stdout
}

/** MariaDB writes six zeros behind a whole second. */
const wholeSeconds = (text: string): string => text.replaceAll(/(:\d\d)\.0{6}/g, '$1')

/** By a connection string instead of a name in a file. */
async function withIsql({ host, port, user, password, database }: MysqlServer, sql: string): Promise<string> {
  const place = `DRIVER=${odbcDriver()};SERVER=${host};PORT=${port};UID=${user};PWD=${password};DATABASE=${database}`
  const sent = run('isql', ['-v', '-b', '-k', '-3', '-d|', place], { env: process.env })
  sent.child.stdin?.end(`${sql}\n`)
  return (await sent).stdout
}

describe.skipIf(!hasMariadb)('command lines', { timeout: 240_000 }, () => {
  let mariadb: MysqlServer
  let boathouse: MysqlServer
  beforeAll(async () => {
    mariadb = await startMariadb()
    boathouse = await startMysqlEndpoint()
    for (const server of [mariadb, boathouse]) await withCommandLine(server, [], setUpScript())
  }, 300_000)
  afterAll(async () => {
    await mariadb?.stop()
    await boathouse?.stop()
  })

  /** The same of both. */
  async function expectSame(...args: readonly string[]) {
    const right = await withCommandLine(mariadb, args)
    expect(wholeSeconds(await withCommandLine(boathouse, args))).toBe(wholeSeconds(right))
    return right
  }

  test.each([
    ['a row of all types', EVERYTHING],
    ['10,000 rows', NUMBERS],
    ['names of columns', "select count(*), 1+1, 'a', max(id) as `b c` from numbers"],
    ['several statements', 'select 1; select 2 as b'],
  ])('mariadb prints %s as with MariaDB [REAL-01]', async (_, sql) => {
    expect(await expectSame('--batch', '--ssl', '-e', sql)).not.toBe('')
  })

  test('mariadb draws a table without TLS as with MariaDB [REAL-01]', async () => {
    const cellsOf = (drawn: string) =>
      wholeSeconds(drawn)
        .split('\n')
        .filter((line) => line.startsWith('|'))
        .map((line) => line.split('|').map((cell) => cell.trim()))
    const args = ['--table', '--skip-ssl', '-e', EVERYTHING]
    const right = cellsOf(await withCommandLine(mariadb, args))
    expect(right.length).toBeGreaterThan(3)
    expect(cellsOf(await withCommandLine(boathouse, args))).toEqual(right)
  })

  test('mariadb ends no text early, also where a backslash means itself [REAL-01]', async () => {
    const texts = [
      `'\\'`,
      `'a''; insert into injected values (1); -- '`,
      `"\\"`,
      `'\\''; insert into injected values (2); #'`,
    ]
    const inserts = texts.map((text, at) => `insert into hostile values (${at}, ${text});`)
    const script = ["set sql_mode = 'NO_BACKSLASH_ESCAPES';", ...inserts].join('\n')
    for (const server of [mariadb, boathouse]) await withCommandLine(server, [], script)
    const read =
      "select id, text, hex(text) from hostile where text like '%' order by id; select * from injected"
    const right = await expectSame('--batch', '--raw', '-N', '-e', read)
    expect(right.trim().split('\n')).toHaveLength(texts.length)
  })

  test.each(['gbk', 'sjis', 'big5', 'cp932'])(
    'mariadb gets an error for the character set %s',
    async (charset) => {
      const place = [`--default-character-set=${charset}`, '-e', 'select 1']
      await expect(withCommandLine(boathouse, place)).rejects.toThrow('ERROR 1231 (42000)')
      await expect(withCommandLine(boathouse, ['-e', `set names ${charset}`])).rejects.toThrow(
        'ERROR 1231 (42000)',
      )
    },
  )

  test('bytes of a character set that mariadb alone takes for agreed are no statement', async () => {
    // The command does not look whether the server follows.
    const script = Buffer.from(
      "charset gbk\nselect '\xbf\x5c; insert into injected values (1); -- ';\n",
      'latin1',
    )
    await expect(withCommandLine(boathouse, [], script)).rejects.toThrow('ERROR 1300 (HY000)')
    expect(await withCommandLine(boathouse, ['--batch', '-N', '-e', 'select * from injected'])).toBe('')
  })

  test('mariadb refuses a wrong password', async () => {
    const wrong = { ...boathouse, password: 'not it' }
    await expect(withCommandLine(wrong, ['-e', 'select 1'])).rejects.toThrow('ERROR 1045 (28000)')
  })

  test('mariadb says the number and SQLSTATE of an error', async () => {
    const sent = withCommandLine(boathouse, ['-e', 'select * from missing_table'])
    await expect(sent).rejects.toThrow('ERROR 1146 (42S02)')
  })

  test('mariadb shows the status of the connection', async () => {
    const status = await withCommandLine(boathouse, ['--ssl', '-e', 'status'])
    expect(status).toMatch(/Current database:\s+clients/)
    expect(status).toMatch(/SSL:\s+Cipher in use is/)
  })

  test('mariadb loads a file of its own as with MariaDB, and says so when it may not [REAL-01]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'infile-'))
    const file = join(folder, 'boats.csv')
    await writeFile(file, 'id,name,built\n1,"a, b",2020-01-31\n2,\\N,2021-02-28\n3,"ü ""c""",\\N\n')
    const load = String.raw`load data local infile '${file}' into table boats fields terminated by ',' optionally enclosed by '"' lines terminated by '\n' ignore 1 lines (id, name, built)`
    const missing = load.replace('boats.csv', 'missing.csv')
    for (const server of [mariadb, boathouse]) {
      await withCommandLine(server, ['-e', 'create table boats (id bigint, name varchar(100), built date)'])
      const loaded = await withCommandLine(server, ['--local-infile=1', '-vvv', '-e', load])
      expect(loaded).toContain('Query OK, 3 rows affected')
      expect(loaded).toContain('Records: 3  Deleted: 0  Skipped: 0  Warnings: 0')
      await expect(withCommandLine(server, ['--local-infile=1', '-e', missing])).rejects.toThrow(
        'missing.csv',
      )
      await expect(withCommandLine(server, ['--local-infile=0', '-e', load])).rejects.toThrow('ERROR')
    }
    await rm(folder, { recursive: true })
    expect(await expectSame('--batch', '-e', 'select * from boats order by id')).toContain('ü "c"')
  })

  test('mariadb-dump gives the rows of tables as of MariaDB [REAL-01]', async () => {
    const options = ['--no-create-info', '--compact']
    const right = await dumpOf(mariadb, ...options)
    expect(wholeSeconds(await dumpOf(boathouse, ...options))).toBe(wholeSeconds(right))
  })

  test('a dump is loaded back by mariadb [REAL-01]', async () => {
    const dump = await dumpOf(boathouse)
    await withCommandLine(boathouse, ['-e', 'create database copied'])
    const copied = { ...boathouse, database: 'default_catalog.copied' }
    await withCommandLine(copied, [], dump)
    for (const sql of [EVERYTHING, NUMBERS])
      expect(await withCommandLine(copied, ['-e', sql])).toBe(await withCommandLine(boathouse, ['-e', sql]))
  })

  test.skipIf(!findProgram('isql') || !odbcDriver())(
    'isql prints rows as with MariaDB [REAL-01]',
    async () => {
      const right = await withIsql(mariadb, EVERYTHING)
      expect(right).toContain('2026-02-28 13:14:15')
      expect(wholeSeconds(await withIsql(boathouse, EVERYTHING))).toBe(wholeSeconds(right))
    },
  )
})

import { PassThrough, Readable } from 'node:stream'
import type { ConnectionOptions, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { expect, test, vi } from 'vitest'
import { filesOf } from '../../testing/load-kit.ts'
import { mysqlClient, refusalOf, WITH_MYSQL } from '../../testing/mysql-kit.ts'
import { sharedApp, startApp, type TestApp } from '../../testing/start-app.ts'

const startedApp = sharedApp(WITH_MYSQL, { engine: 'embedded' })

let tables = 0

/** A client in front of a table of its own. */
async function started(options: ConnectionOptions = {}) {
  const app = await startedApp()
  const client = await mysqlClient(app, options)
  const table = `boats_${++tables}`
  await client.query(`CREATE TABLE ${table} (id BIGINT, name VARCHAR, length DOUBLE)`)
  const asked: string[] = []
  const load = async (sql: string, file: Readable | string, by = client) => {
    const infileStreamFactory = (name: string) => {
      asked.push(name)
      return typeof file === 'string' ? Readable.from(file === '' ? [] : [Buffer.from(file)]) : file
    }
    const [answer] = await by.query({ sql: sql.replace('BOATS', table), infileStreamFactory })
    return answer as ResultSetHeader & { info: string; warningStatus: number }
  }
  const rows = async (sql = `SELECT * FROM ${table} ORDER BY ALL`) =>
    ((await client.query({ sql, rowsAsArray: true }))[0] as RowDataPacket[]).map((row) => [...row.values()])
  return { app, client, table, load, rows, asked }
}

const CSV = String.raw`LOAD DATA LOCAL INFILE 'boats.csv' INTO TABLE BOATS FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '"' LINES TERMINATED BY '\n' IGNORE 1 LINES`

/** Too much for memory, so that it is in a file while it arrives. */
const MUCH = Array.from({ length: 30_000 }, (_, at) => `${at},ship ${at},1.5\n`).join('')

const arrives = (app: TestApp) => vi.waitFor(async () => expect(await filesOf(app)).toHaveLength(1))
const isRemoved = (app: TestApp) => vi.waitFor(async () => expect(await filesOf(app)).toEqual([]))

test('who may not insert is refused before the file is asked for, whether there is such a table or not', async () => {
  const { app, client, table, load, rows, asked } = await started()
  const ada = await app.user()
  const stranger = await mysqlClient(app, { user: `${app.accountId}.${ada.name}` })
  const denied = { errno: 1142, sqlState: '42000' }
  expect(await refusalOf(load(CSV, 'x\n1,a,1\n', stranger))).toEqual(denied)
  expect(await refusalOf(load("LOAD DATA LOCAL INFILE 'f' INTO TABLE nowhere", '', stranger))).toEqual(denied)
  expect(await refusalOf(load("LOAD DATA LOCAL INFILE 'f' INTO TABLE nowhere", ''))).toEqual({
    errno: 1146,
    sqlState: '42S02',
  })
  await client.query(`GRANT SELECT ON TABLE ${table} TO USER ${ada.name}`)
  expect(await refusalOf(load(CSV, 'x\n1,a,1\n', stranger))).toEqual(denied)
  expect(asked).toEqual([])
  await client.query(`GRANT INSERT ON TABLE ${table} TO USER ${ada.name}`)
  expect(await load(CSV, 'x\n1,a,1\n', stranger)).toMatchObject({ affectedRows: 1 })
  expect(await rows()).toHaveLength(1)
})

test('roles that a session has not chosen give no right to load', async () => {
  const { app, client, table, load, asked } = await started()
  const ada = await app.user()
  await client.query(`CREATE ROLE loaders_${table}`)
  await client.query(`GRANT INSERT ON TABLE ${table} TO ROLE loaders_${table}`)
  await client.query(`GRANT loaders_${table} TO USER ${ada.name}`)
  const loader = await mysqlClient(app, { user: `${app.accountId}.${ada.name}` })
  await loader.query('SET ROLE NONE')
  expect(await refusalOf(load(CSV, 'x\n1,a,1\n', loader))).toMatchObject({ errno: 1142 })
  expect(asked).toEqual([])
  await loader.query(`SET ROLE loaders_${table}`)
  expect(await load(CSV, 'x\n1,a,1\n', loader)).toMatchObject({ affectedRows: 1 })
})

test('an operator can switch it off: 3948, no file is asked for, and @@local_infile says so', async () => {
  const app = await startApp({ ...WITH_MYSQL, BOATHOUSE_MYSQL_LOCAL_INFILE: 'false' }, { engine: 'embedded' })
  const client = await mysqlClient(app)
  await client.query('CREATE TABLE t (id BIGINT)')
  let isAsked = false
  const infileStreamFactory = () => {
    isAsked = true
    return Readable.from([])
  }
  const sql = "LOAD DATA LOCAL INFILE 'f' INTO TABLE t"
  expect(await refusalOf(client.query({ sql, infileStreamFactory }))).toMatchObject({ errno: 3948 })
  expect(isAsked).toBe(false)
  expect((await client.query('SELECT @@local_infile AS is_on'))[0]).toMatchObject([{ is_on: 0 }])
  expect(await refusalOf(client.query('SET GLOBAL local_infile = 1'))).not.toBeNull()
})

test('a client that does not offer it gets 3948, and stays connected', async () => {
  const { client, load, rows, asked } = await started({ flags: ['-LOCAL_FILES'] })
  expect(await refusalOf(load(CSV, 'x\n1,a,1\n'))).toMatchObject({ errno: 3948 })
  expect(asked).toEqual([])
  expect(await rows()).toEqual([])
  expect((await client.query('SELECT @@local_infile AS is_on'))[0]).toMatchObject([{ is_on: 1 }])
})

test('a file is loaded as its clauses say, and its rejected rows are warnings', async () => {
  const { app, client, table, load, rows, asked } = await started()
  const file = 'id,name,length\n1,"a, ""b""",2.5\nx,bad,1\n3,\\N,\\N\n'
  expect(await load(CSV, file)).toMatchObject({
    affectedRows: 2,
    warningStatus: 1,
    info: 'Records: 3  Deleted: 0  Skipped: 1  Warnings: 1',
  })
  expect(asked).toEqual(['boats.csv'])
  expect((await client.query('SHOW WARNINGS'))[0]).toMatchObject([
    { Level: 'Warning', Code: '1366', Message: expect.stringContaining('id') },
  ])
  const quoted = `/* of a tool */ LOAD DATA LOCAL INFILE "it's.tsv" INTO TABLE \`BOATS\` (@skipped, id) SET name = upper('o\\'neil'), length = id * 2;`
  expect(await load(quoted, '_\t7\n_\t8\n')).toMatchObject({ affectedRows: 2, warningStatus: 0 })
  expect(asked).toEqual(['boats.csv', "it's.tsv"])
  expect((await client.query('SHOW WARNINGS'))[0]).toEqual([])
  expect(await rows(`SELECT id, name FROM ${table} ORDER BY id`)).toEqual([
    [1, 'a, "b"'],
    [3, null],
    [7, "O'NEIL"],
    [8, "O'NEIL"],
  ])
  expect(await load(CSV, '')).toMatchObject({ affectedRows: 0 })
  expect(await rows()).toHaveLength(4)
  await app.endsWritten()
  const written = await app.store.db
    .selectFrom('statements')
    .selectAll()
    .where('sql', 'like', `STREAM LOAD%"${table}"`)
    .execute()
  expect(written[0]).toMatchObject({
    door: 'mysql',
    program: expect.stringContaining('oars'),
    client_ip: '127.0.0.1',
  })
})

test('what cannot be loaded so is refused with a number, and the client stays connected', async () => {
  const { load, rows, asked } = await started()
  for (const [sql, errno] of [
    ["LOAD DATA INFILE '/etc/hosts' INTO TABLE BOATS", 1235],
    ["LOAD DATA LOCAL INFILE 'f' REPLACE INTO TABLE BOATS", 1235],
    ["LOAD DATA LOCAL INFILE 'f' INTO BOATS", 1064],
    ["LOAD DATA LOCAL INFILE 'f' INTO TABLE BOATS; DROP TABLE BOATS", 1064],
  ] as const)
    expect(await refusalOf(load(sql, ''))).toMatchObject({ errno })
  expect(asked).toEqual([])
  expect(await rows()).toEqual([])
})

test('inside of a transaction that has written, or was begun, a file is refused; one that only read is ended', async () => {
  const { client, load, rows, asked } = await started()
  await client.query('BEGIN')
  expect(await refusalOf(load(CSV, 'x\n1,a,1\n'))).toEqual({ errno: 1179, sqlState: '25000' })
  await client.query('ROLLBACK')
  expect(asked).toEqual([])
  await client.query('SET autocommit = 0')
  expect(await rows()).toEqual([])
  expect(await load(CSV, 'x\n1,a,1\n')).toMatchObject({ affectedRows: 1 })
  expect(await rows()).toHaveLength(1)
  await client.query('ROLLBACK')
  expect(await rows()).toHaveLength(1)
  await client.query('SET SESSION TRANSACTION READ ONLY')
  await client.query('COMMIT')
  expect(await refusalOf(load(CSV, 'x\n1,a,1\n'))).toMatchObject({ errno: 1792 })
})

test('of a client that goes away in the middle of its file nothing is loaded', async () => {
  const { app, table, client, load } = await started()
  const file = new PassThrough()
  const ended = refusalOf(load(CSV, file))
  file.write(MUCH)
  await arrives(app)
  client.destroy()
  await isRemoved(app)
  void ended
  const other = await mysqlClient(app)
  expect((await other.query(`SELECT count(*) AS n FROM ${table}`))[0]).toMatchObject([{ n: 0 }])
})

test('KILL QUERY ends a load, of which nothing is stored, and KILL the connection with it', async () => {
  const { app, client, load, rows, table } = await started()
  const other = await mysqlClient(app)
  const file = new PassThrough()
  const ended = refusalOf(load(CSV, file))
  file.write(MUCH)
  await arrives(app)
  await other.query(`KILL QUERY ${client.threadId}`)
  await isRemoved(app)
  // What comes behind is taken and dropped.
  file.end(MUCH.repeat(5))
  expect(await ended).toEqual({ errno: 1317, sqlState: '70100' })
  expect(await rows()).toEqual([])
  const again = new PassThrough()
  const cut = refusalOf(load(CSV, again))
  again.write(MUCH)
  await arrives(app)
  await other.query(`KILL ${client.threadId}`)
  expect(await cut).not.toBeNull()
  await isRemoved(app)
  expect((await other.query(`SELECT count(*) AS n FROM ${table}`))[0]).toMatchObject([{ n: 0 }])
})

test('a file of 20 MB, many times the window, is loaded whole', async () => {
  const { load, rows, table } = await started()
  const times = Math.ceil((20 * 2 ** 20) / MUCH.length)
  const whole = Readable.from(
    (function* () {
      yield Buffer.from('id,name,length\n')
      for (let at = 0; at < times; at++) yield Buffer.from(MUCH)
    })(),
  )
  expect(await load(CSV, whole)).toMatchObject({ affectedRows: times * 30_000, warningStatus: 0 })
  expect(await rows(`SELECT count(*) FROM ${table}`)).toEqual([[times * 30_000]])
})

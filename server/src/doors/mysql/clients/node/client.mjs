import { readFileSync } from 'node:fs'
import { createConnection } from 'mysql2/promise'

/** mysql2 through the steps of the contract (see ../README.md). */
const scenario = JSON.parse(readFileSync(process.env.SCENARIO, 'utf8'))

const connect = ({ tls = true, ...others } = {}) =>
  createConnection({
    host: process.env.MYSQL_HOST,
    port: Number(process.env.MYSQL_PORT),
    user: process.env.MYSQL_USER,
    password: process.env.MYSQL_PASSWORD,
    database: process.env.MYSQL_DATABASE,
    ssl: tls ? { rejectUnauthorized: false } : undefined,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    rowsAsArray: true,
    ...others,
  })

const six = (text) => (text.includes('.') ? text.padEnd(text.indexOf('.') + 7, '0') : `${text}.000000`)
const MOMENT = /^\d+-\d+-\d+ \d+:\d+:\d+(?:\.\d+)?$/
const TIME = /^\d+:\d+:\d+(?:\.\d+)?$/

function said(value) {
  if (value === null) return null
  if (Buffer.isBuffer(value)) return ['Buffer', value.toString('hex')]
  if (typeof value === 'string' && (MOMENT.test(value) || TIME.test(value))) return ['string', six(value)]
  return [typeof value, String(value)]
}
const rowsOf = (rows) => rows.map((row) => row.map(said))
const texts = (rows) => rows.map((row) => row.map((value) => said(value)?.[1] ?? null))
const ask = async (connection, sql) => texts((await connection.query(sql))[0])
const change = async (connection, sql, values) => (await connection.query(sql, values))[0].affectedRows

const failure = (work) =>
  work.then(
    () => null,
    ({ errno, sqlState, message }) =>
      sqlState === undefined ? { message } : { code: errno, state: sqlState },
  )

const PARAMETERS = {
  integer: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
  unsigned: (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)),
  float: Number,
  double: Number,
  bytes: (text) => Buffer.from(text, 'hex'),
}

async function everything(connection, where, values) {
  const sql = `select * from everything ${where} order by id`
  const [rows, fields] = await (values ? connection.execute(sql, values) : connection.query(sql))
  return { columns: fields.map(({ name }) => name), rows: rowsOf(rows) }
}

async function hostile(run, connection, hostileTexts = scenario.hostile) {
  await change(connection, 'delete from hostile')
  for (const [at, text] of hostileTexts.entries())
    await connection[run]('insert into hostile values (?, ?)', [at, text])
  const found = []
  for (const text of hostileTexts)
    found.push((await connection[run]('select text from hostile where text = ?', [text]))[0].length)
  const values = await ask(connection, 'select text from hostile order by id')
  return { values: values.flat(), found }
}

const count = async (from) => (await ask(from, 'select count(*) from moved'))[0][0]

/** Runs the long query; gives its connection's id once others see it run, and its error. */
async function longRunning(connection, options = {}) {
  const [[number]] = await ask(connection, 'select connection_id()')
  const ended = failure(connection.query({ sql: scenario.long, ...options }))
  const watcher = await connect({ rowsAsArray: false })
  for (;;) {
    const [seen] = await watcher.query('show full processlist')
    if (seen.some(({ Id, Info }) => String(Id) === number && String(Info).includes('numbers a')))
      return { number, watcher, ended }
  }
}

async function killed(statement) {
  const connection = await connect()
  connection.on('error', () => undefined)
  const { number, watcher, ended } = await longRunning(connection)
  await watcher.query(`${statement} ${number}`)
  return { connection, error: await ended }
}

const STEPS = {
  tls: async () => ({ rows: await ask(await connect(), 'select 1') }),
  plain: async () => ({ rows: await ask(await connect({ tls: false }), 'select 1') }),
  'wrong-password': async () => ({ error: await failure(connect({ password: 'not it' })) }),
  database: async () => ({ value: (await ask(await connect(), 'select database()'))[0][0] }),
  async names() {
    const [rows, fields] = await (await connect()).query(scenario.names.sql)
    return { columns: fields.map(({ name }) => name), rows: texts(rows) }
  },
  'text-values': async () => everything(await connect(), 'where id < 4'),
  'binary-values': async () => everything(await connect(), 'where id < ?', [4]),
  async many() {
    const rows = await ask(await connect(), 'select id, label from numbers order by id')
    const sum = (of) => rows.reduce((before, row) => before + of(row), 0)
    return {
      count: rows.length,
      sum: String(sum(([id]) => Number(id))),
      bytes: sum(([, label]) => Buffer.byteLength(label)),
      last: rows.at(-1),
    }
  },
  async parameters() {
    const connection = await connect()
    await change(connection, 'delete from everything where id = 4')
    const values = scenario.columns.map(({ kind }, at) => {
      const text = scenario.added[at]
      return (PARAMETERS[kind] ?? String)(text)
    })
    const marks = values.map(() => '?').join(', ')
    const [{ affectedRows }] = await connection.execute(`insert into everything values (${marks})`, values)
    return { affected: affectedRows, rows: (await everything(connection, 'where id = ?', [4])).rows }
  },
  'hostile-prepared': async () => hostile('execute', await connect()),
  'hostile-escaped': async () => hostile('query', await connect({ multipleStatements: true })),
  async 'no-backslash'() {
    const connection = await connect({ multipleStatements: true })
    await connection.query(scenario.noBackslash.sql)
    // It quotes with backslashes in every mode, so its parameters go apart here.
    return hostile('execute', connection, scenario.noBackslash.texts)
  },
  async charsets() {
    const said = {}
    for (const { name, texts: hostileTexts } of scenario.charsets) {
      const work = connect({ charset: name, multipleStatements: true }).then((connection) =>
        hostile('query', connection, hostileTexts),
      )
      const error = await failure(work)
      said[name] = error ? { error } : await work
    }
    return said
  },
  async latin1() {
    const connection = await connect({ charset: 'latin1' })
    await change(connection, 'delete from hostile')
    await change(connection, 'insert into hostile values (1, ?)', [scenario.latin1])
    const read = 'select text from hostile'
    return { value: (await ask(connection, read))[0][0], seen: (await ask(await connect(), read))[0][0] }
  },
  async transaction() {
    const connection = await connect()
    const other = await connect()
    await change(connection, 'delete from moved')
    const seen = []
    await connection.beginTransaction()
    await change(connection, 'insert into moved values (1)')
    seen.push(await count(connection), await count(other))
    await connection.rollback()
    seen.push(await count(connection))
    await connection.query('set autocommit = 0')
    await change(connection, 'insert into moved values (2)')
    await connection.commit()
    seen.push(await count(other))
    await connection.query('set autocommit = 1')
    await change(connection, 'insert into moved values (3)')
    return { values: [...seen, await count(other)] }
  },
  async several() {
    const [results] = await (await connect({ multipleStatements: true })).query(scenario.several)
    return { results: results.map((one) => (Array.isArray(one) ? texts(one) : one.affectedRows)) }
  },
  async errors() {
    const connection = await connect()
    const errors = []
    for (const { sql } of scenario.errors) errors.push(await failure(connection.query(sql)))
    return { errors, rows: await ask(connection, 'select 1') }
  },
  async affected() {
    const connection = await connect()
    await change(connection, 'delete from moved')
    return {
      values: [
        await change(connection, 'insert into moved values (1), (2), (3)'),
        await change(connection, 'update moved set id = id + 10 where id > 1'),
        await change(connection, 'delete from moved where id = 1'),
        await change(connection, 'delete from moved where id = 1'),
      ],
    }
  },
  async 'kill-query'() {
    const { connection, error } = await killed('kill query')
    return { error, rows: await ask(connection, 'select 1') }
  },
  async kill() {
    const { connection, error } = await killed('kill')
    return { isRefused: error !== null, isLost: (await failure(connection.query('select 1'))) !== null }
  },
  async timeout() {
    const { number, watcher, ended } = await longRunning(await connect(), { timeout: 2000 })
    const error = await ended
    // It hangs up alone, which a server may notice late.
    await failure(watcher.query(`kill ${number}`))
    return { isTimeout: error?.message === 'Query inactivity timeout' }
  },
  async metadata() {
    const connection = await connect()
    const [, fields] = await connection.query('select * from everything where id = 0')
    const first = async (sql) => (await ask(connection, sql)).map(([value]) => value)
    const described = await ask(connection, 'show columns from everything')
    return {
      databases: await first('show databases'),
      tables: await first('show tables'),
      columns: fields.map(({ name, columnType, flags }) => [name, columnType, (flags & 1) === 0]),
      keys: described.filter(([, , , key]) => key === 'PRI').map(([name]) => name),
    }
  },
}

for (const [step, work] of Object.entries(STEPS)) {
  const said = await work().catch((error) => ({ failed: String(error) }))
  process.stdout.write(`${JSON.stringify({ step, ...said })}\n`)
}
process.exit(0)

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'

/** What drivers sent to MariaDB 10.11 with the tables below, and the columns and the number of rows that it gave. */
interface Recorded {
  readonly driver: string
  readonly asks: string
  readonly columns: readonly string[]
  /** Null: of every database of the server. */
  readonly rows: number | null
  readonly sql: string
}

const RECORDED = readFileSync(new URL('recorded/driver-questions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

const TABLES = [
  'CREATE DATABASE harbour',
  'USE harbour',
  `CREATE TABLE boats (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL UNIQUE, weight DECIMAL(10,2), launched TIMESTAMP)`,
  'CREATE INDEX k ON boats (weight)',
  'CREATE TABLE trips (no INTEGER, boat INTEGER REFERENCES boats (id), PRIMARY KEY (no, boat))',
  'CREATE VIEW fleet AS SELECT id FROM boats',
  'CREATE MACRO f1(a) AS a',
]

async function client(app: TestApp, user: TestUser) {
  const connection = await openProgram(app, user)
  await connection.run(`SET sql_dialect = 'mysql'`)
  return async (sql: string) => {
    const [answer] = await connection.run(sql)
    if (answer?.code !== 'Ok') return { failed: answer?.message }
    const { columns = [], rows = [] } = answer.result ?? {}
    return { columns: columns.map(({ name }) => name), rows }
  }
}

async function harbour() {
  const app = await startApp({}, { engine: 'embedded' })
  const ask = await client(app, await app.admin())
  for (const sql of TABLES) expect([sql, (await ask(sql)).failed]).toEqual([sql, undefined])
  return { app, ask }
}

/** Those of others ask the same tables. */
const OF_GRACE = /Connector\/J 9|ODBC|DBD/

const capitals = (names: readonly string[] = []) => names.map((name) => name.toUpperCase())

test('somebody who may see one table is shown no other, whatever the driver asks', async () => {
  const { app, ask } = await harbour()
  const grace = await app.user()
  await ask(`GRANT SELECT ON TABLE harbour.trips TO USER ${grace.name}`)
  const asGrace = await client(app, grace)
  await asGrace('USE harbour')
  let seen = 0
  for (const { sql } of RECORDED.filter(({ driver }) => OF_GRACE.test(driver))) {
    const { rows = [] } = await asGrace(sql)
    seen += rows.length
    expect(JSON.stringify(rows)).not.toMatch(/boats|fleet|f1/)
  }
  expect(seen).toBeGreaterThan(0)
})

test('what drivers ask is answered with the columns and rows that MariaDB gives', async () => {
  const { ask } = await harbour()
  const [answered, expected]: unknown[][] = [[], []]
  for (const { driver, asks, sql, columns, rows } of RECORDED) {
    const answer = await ask(sql)
    const count = rows === null ? null : answer.rows?.length
    answered?.push([driver, asks, answer.failed, capitals(answer.columns), count])
    expected?.push([driver, asks, undefined, capitals(columns), rows])
  }
  expect(answered).toEqual(expected)
})

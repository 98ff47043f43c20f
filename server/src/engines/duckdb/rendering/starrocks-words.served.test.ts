import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'

async function client(app: TestApp, user: TestUser) {
  const connection = await openProgram(app, user)
  await connection.run(`SET sql_dialect = 'mysql'`)
  return async (sql: string) => {
    const [answer] = await connection.run(sql)
    if (answer?.code !== 'Ok') return { failed: answer?.message ?? '' }
    return { rows: (answer.result?.rows ?? []).map((row) => row.map(String)) }
  }
}

async function harbour() {
  const app = await startApp({}, { engine: 'embedded' })
  const ask = await client(app, await app.admin())
  const all = [
    'CREATE DATABASE harbour',
    'USE harbour',
    'CREATE TABLE old (id INT, name VARCHAR(20))',
    `INSERT INTO old VALUES (1, 'Ida'), (2, 'Maja')`,
    'CREATE TABLE new (id INT, name VARCHAR(20))',
    `INSERT INTO new VALUES (3, 'Vega')`,
  ]
  for (const sql of all) expect([sql, (await ask(sql)).failed]).toEqual([sql, undefined])
  const grace = await app.user()
  const asGrace = await client(app, grace)
  const grants = async (...texts: readonly string[]) => {
    for (const text of texts)
      expect([text, (await ask(`GRANT ${text} TO USER ${grace.name}`)).failed]).toEqual([text, undefined])
  }
  return { ask, asGrace, grants }
}

const OLD = {
  rows: [
    ['1', 'Ida'],
    ['2', 'Maja'],
  ],
}
const NEW = { rows: [['3', 'Vega']] }

test('two tables take each other’s names, with what was granted on them', async () => {
  const { ask, asGrace, grants } = await harbour()
  await grants('SELECT ON TABLE harbour.old')
  expect(await ask('ALTER TABLE harbour.old SWAP WITH `new`')).toEqual({ rows: [] })
  expect(await ask('SELECT * FROM old ORDER BY id')).toEqual(NEW)
  expect(await ask('SELECT * FROM new ORDER BY id')).toEqual(OLD)
  expect(await asGrace('SELECT * FROM harbour.new ORDER BY id')).toEqual(OLD)
  expect((await asGrace('SELECT * FROM harbour.old')).failed).toBeDefined()
})

test('who may change one of two tables cannot swap them, and none has another name', async () => {
  const { ask, asGrace, grants } = await harbour()
  await grants('SELECT, ALTER ON TABLE harbour.old', 'SELECT ON TABLE harbour.new')
  expect((await asGrace('ALTER TABLE harbour.old SWAP WITH new')).failed).toContain('new')
  expect((await ask('ALTER TABLE old SWAP WITH missing')).failed).toContain('missing')
  expect(await ask('SELECT * FROM old ORDER BY id')).toEqual(OLD)
  expect(await ask('SELECT * FROM new')).toEqual(NEW)
  expect(await ask('SHOW TABLES')).toEqual({ rows: [['new'], ['old']] })
})

test('INSERT OVERWRITE leaves the rows of the query alone, in the columns that are named', async () => {
  const { ask } = await harbour()
  expect(await ask('INSERT OVERWRITE old (name, id) SELECT UPPER(name), id + 1 FROM new')).not.toHaveProperty(
    'failed',
  )
  expect(await ask('SELECT * FROM old')).toEqual({ rows: [['4', 'VEGA']] })
  expect(await ask(`INSERT OVERWRITE harbour.old VALUES (7, 'a'), (8, 'b')`)).not.toHaveProperty('failed')
  expect(await ask('SELECT * FROM old ORDER BY id')).toEqual({
    rows: [
      ['7', 'a'],
      ['8', 'b'],
    ],
  })
  expect((await ask('INSERT OVERWRITE old (id, name) SELECT id FROM new')).failed).toBeDefined()
  expect((await ask('INSERT OVERWRITE old PARTITION (p) SELECT * FROM new')).failed).toContain(
    'no partitions',
  )
  expect(await ask('SELECT COUNT(*) FROM old')).toEqual({ rows: [['2']] })
})

test('INSERT OVERWRITE needs the privilege to delete', async () => {
  const { ask, asGrace, grants } = await harbour()
  await grants('SELECT, INSERT ON TABLE harbour.old', 'SELECT ON TABLE harbour.new')
  expect((await asGrace('INSERT OVERWRITE harbour.old SELECT * FROM harbour.new')).failed).toContain('DELETE')
  expect(await ask('SELECT * FROM old ORDER BY id')).toEqual(OLD)
  await grants('DELETE ON TABLE harbour.old')
  expect(await asGrace('INSERT OVERWRITE harbour.old SELECT * FROM harbour.new')).not.toHaveProperty('failed')
  expect(await ask('SELECT * FROM old')).toEqual(NEW)
})

test('a table of a query has its key, or is not there', async () => {
  const { ask } = await harbour()
  const made = 'CREATE TABLE keyed PRIMARY KEY (id) DISTRIBUTED BY HASH (id) AS SELECT * FROM old'
  expect(await ask(made)).not.toHaveProperty('failed')
  expect((await ask(`INSERT INTO keyed VALUES (1, 'again')`)).failed).toBeDefined()
  expect(await ask(`REPLACE INTO keyed VALUES (1, 'again')`)).not.toHaveProperty('failed')
  const twice = 'CREATE TABLE twice PRIMARY KEY (one) AS SELECT 1 AS one FROM old'
  expect((await ask(twice)).failed).toBeDefined()
  expect(await ask(`SHOW TABLES LIKE 'twice'`)).toEqual({ rows: [] })
})

test('REPLACE and INSERT IGNORE insert where a table has no key, and say what they cannot do', async () => {
  const { ask, asGrace, grants } = await harbour()
  expect((await asGrace(`REPLACE INTO harbour.old VALUES (1, 'again')`)).failed).toBeDefined()
  await grants('INSERT ON TABLE harbour.old')
  expect(await asGrace(`REPLACE INTO harbour.old VALUES (1, 'again')`)).not.toHaveProperty('failed')
  expect(await asGrace(`/* twice */ REPLACE INTO harbour.old SET id = 1, name = 'set'`)).not.toHaveProperty(
    'failed',
  )
  expect(await asGrace(`INSERT IGNORE INTO harbour.old VALUES (1, 'more')`)).not.toHaveProperty('failed')
  expect(await ask('SELECT name FROM old WHERE id = 1 ORDER BY name')).toEqual({
    rows: [['Ida'], ['again'], ['more'], ['set']],
  })
  await ask('CREATE TABLE keyed (id INT PRIMARY KEY, name VARCHAR(20))')
  await ask(`INSERT INTO keyed VALUES (1, 'Ida')`)
  await grants('INSERT ON TABLE harbour.keyed')
  expect((await asGrace(`REPLACE INTO harbour.keyed VALUES (1, 'again')`)).failed).toBeDefined()
  expect(await ask(`REPLACE INTO keyed VALUES (1, 'again')`)).not.toHaveProperty('failed')
  expect(await ask('SELECT * FROM keyed')).toEqual({ rows: [['1', 'again']] })
  await ask('CREATE TABLE twice (id INT PRIMARY KEY, name VARCHAR(20) UNIQUE)')
  expect((await ask(`REPLACE INTO twice VALUES (1, 'a')`)).failed).toContain('several keys')
  const updated = `INSERT INTO old VALUES (1, 'a') ON DUPLICATE KEY UPDATE name = 'b'`
  expect((await ask(updated)).failed).toContain('this one has none')
})

test('the definition of a view can be sent again', async () => {
  const { ask } = await harbour()
  const query = String.raw`SELECT name AS ${'`group`'}, 'it\'s \\ "q"' AS text FROM harbour.old`
  await ask(`CREATE VIEW first_view AS ${query}`)
  const definition = `SELECT view_definition FROM information_schema.views WHERE table_name =`
  const [[first = ''] = []] = (await ask(`${definition} 'first_view'`)).rows ?? []
  expect(first).toMatch(/^SELECT/)
  expect(await ask(`CREATE VIEW second_view AS ${first}`)).not.toHaveProperty('failed')
  expect(await ask(`${definition} 'second_view'`)).toEqual({ rows: [[first]] })
  const rows = await ask('SELECT * FROM first_view')
  expect(rows.rows?.[0]).toEqual(['Ida', String.raw`it's \ "q"`])
  expect(await ask('SELECT * FROM second_view')).toEqual(rows)
})

test('information_schema is found behind the name of the session’s own catalog', async () => {
  const { ask } = await harbour()
  const from = 'default_catalog.information_schema.tables'
  expect(await ask(`SELECT table_name FROM ${from} WHERE table_schema = 'harbour' ORDER BY 1`)).toEqual({
    rows: [['new'], ['old']],
  })
})

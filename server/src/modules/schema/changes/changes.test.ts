import { type Call, CODES, schema, type Sent } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../../testing/start-app.ts'

const catalog = 'default_catalog'
const place = { catalog, databaseName: 'boats' }
const OARS = { ...place, tableName: 'oars' }
const BOATS = `CREATE DATABASE boats; CREATE TABLE boats.oars (id BIGINT, price INT);
  CREATE VIEW boats.dear AS SELECT id FROM boats.oars`

async function run(user: TestUser, sql: string) {
  const channel = await user.channel()
  for (const answer of await channel.run(sql)) expect(answer.errMsg).toBe('')
}

async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await run(admin, BOATS)
  return { app, admin }
}

const namesIn = async (user: TestUser, databaseName = 'boats') => [
  ...(await user.call(schema.tables, { catalog, databaseName })).data.list.map(({ tableName }) => tableName),
  ...(await user.call(schema.views, { catalog, databaseName })).data.list.map(({ name }) => name),
]

const COLUMNS = [{ name: 'id', type: 'BIGINT' }]
const CHANGES: readonly (readonly [Call, object])[] = [
  [schema.createDatabase, { catalog, databaseName: 'mine' }],
  [schema.dropDatabase, { ...place, cascade: true }],
  [schema.createTable, { ...place, tableName: 'mine', columns: COLUMNS }],
  [schema.dropTable, { ...OARS, evenIfUsed: true }],
  [schema.dropView, { ...place, name: 'dear', evenIfUsed: true }],
  [schema.rename, { ...OARS, newName: 'mine', evenIfUsed: true }],
  [schema.comment, { ...OARS, comment: 'mine' }],
]

test('nothing is changed by who may only read, nor in another account', async () => {
  const { app, admin } = await setUp()
  const reader = await app.user()
  await run(
    admin,
    `GRANT SELECT ON boats.oars TO ${reader.name}; GRANT SELECT ON VIEW boats.dear TO ${reader.name}`,
  )
  for (const [call, input] of CHANGES)
    expect([call.path, (await reader.call(call, input as Sent<Call>)).code]).toEqual([
      call.path,
      CODES.NoPermission.code,
    ])
  const stranger = await app.stranger(['db_admin'])
  for (const [call, input] of CHANGES.slice(1))
    expect([call.path, (await stranger.call(call, input as Sent<Call>)).code]).toEqual([
      call.path,
      CODES.NotFound.code,
    ])
  expect(await namesIn(admin)).toEqual(['oars', 'dear'])
})

test('a database is created and dropped, and other consoles are notified [CATALOG-10, CATALOG-52]', async () => {
  const { app, admin } = await setUp()
  const other = await (await app.user()).channel()
  await admin.call(schema.createDatabase, { catalog, databaseName: 'harbour' })
  const event = await other.hear((message) =>
    message.cmd === 3 && message.type === 'GlobalEventTypeDatabaseChanged' ? message : undefined,
  )
  expect(event).toMatchObject({ data: { catalog, database: 'harbour' } })
  const names = async () =>
    (await admin.call(schema.databases, { catalog })).data.list.map(({ name }) => name)
  expect(await names()).toContain('harbour')
  expect((await admin.call(schema.dropDatabase, { catalog, databaseName: 'HARBOUR' })).code).toBe(
    CODES.Ok.code,
  )
  expect(await names()).not.toContain('harbour')
})

test.each([
  ['1st', CODES.BadInput.code, 'Start with a letter; use letters, digits and underscores only'],
  ['a-b', CODES.BadInput.code, 'Start with a letter; use letters, digits and underscores only'],
  ['a'.repeat(65), CODES.BadInput.code, 'The maximum length is 64'],
  ['', CODES.BadInput.code, 'Enter the name'],
  [
    'sys',
    CODES.QueryFailed.code,
    'The name sys is reserved for the service and its engines. Choose another.',
  ],
  [
    'Information_Schema',
    CODES.QueryFailed.code,
    'The name Information_Schema is reserved for the service and its engines. Choose another.',
  ],
  [
    'Boats',
    CODES.NameTaken.code,
    'The database Boats already exists in the catalog default_catalog. Choose another name.',
  ],
])('a database cannot be called %s [CATALOG-33, CATALOG-37]', async (databaseName, code, message) => {
  const { admin } = await setUp()
  expect(await admin.call(schema.createDatabase, { catalog, databaseName })).toMatchObject({
    code,
    message: expect.stringContaining(message),
  })
})

test('_statistics_ is kept for the service too, in statements and calls [CATALOG-37]', async () => {
  const { admin } = await setUp()
  const channel = await admin.channel()
  const [answer] = await channel.run('CREATE DATABASE _statistics_')
  expect(answer?.errMsg).toBe(
    'The name _statistics_ is reserved for the service and its engines. Choose another.',
  )
})

test('a database that is not empty is dropped with all that is in it, when that is said', async () => {
  const { admin } = await setUp()
  expect(await admin.call(schema.dropDatabase, place)).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('The database boats is not empty: it holds dear, oars.'),
  })
  expect((await admin.call(schema.dropDatabase, { ...place, cascade: true })).code).toBe(CODES.Ok.code)
  expect((await admin.call(schema.tables, place)).code).toBe(CODES.NotFound.code)
})

test('what is there with every catalog is not dropped', async () => {
  const { admin } = await setUp()
  expect(
    await admin.call(schema.dropDatabase, { catalog, databaseName: 'main', cascade: true }),
  ).toMatchObject({
    code: CODES.QueryFailed.code,
    message: 'The database main is part of the catalog and cannot be dropped.',
  })
})

test('a table that is used is dropped when that is said, after its users were named [CATALOG-11, CATALOG-54]', async () => {
  const { admin } = await setUp()
  expect(await admin.call(schema.dropTable, OARS)).toMatchObject({
    code: CODES.Conflict.code,
    message: 'oars is used by boats.dear, which would stop working.',
  })
  expect((await admin.call(schema.dropTable, { ...OARS, evenIfUsed: true })).code).toBe(CODES.Ok.code)
  expect(await namesIn(admin)).toEqual(['dear'])
  expect((await admin.call(schema.dropTable, OARS)).code).toBe(CODES.NotFound.code)
})

test('a view is dropped [CATALOG-12, CATALOG-55]', async () => {
  const { admin } = await setUp()
  expect((await admin.call(schema.dropView, { ...place, name: 'oars' })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(schema.dropView, { ...place, name: 'dear' })).code).toBe(CODES.Ok.code)
  expect(await namesIn(admin)).toEqual(['oars'])
})

test('grants follow a new name and die with what they are about', async () => {
  const { app, admin } = await setUp()
  const reader = await app.user()
  await run(admin, `GRANT SELECT ON boats.oars TO ${reader.name}`)
  expect((await admin.call(schema.rename, { ...OARS, newName: 'blades' })).code).toBe(CODES.Conflict.code)
  await admin.call(schema.rename, { ...OARS, newName: 'blades', evenIfUsed: true })
  expect(await namesIn(reader)).toEqual(['blades'])
  await admin.call(schema.dropTable, { ...place, tableName: 'blades', evenIfUsed: true })
  await run(admin, 'CREATE TABLE boats.blades (id INT)')
  expect(await namesIn(reader)).toEqual([])
})

test('a name that is taken by a table or a view is refused', async () => {
  const { admin } = await setUp()
  const taken = {
    code: CODES.NameTaken.code,
    message: 'A table or view DEAR already exists in the database boats. Choose another name.',
  }
  expect(await admin.call(schema.rename, { ...OARS, newName: 'DEAR', evenIfUsed: true })).toMatchObject(taken)
  const table = { ...place, tableName: 'DEAR', columns: COLUMNS }
  expect(await admin.call(schema.createTable, table)).toMatchObject(taken)
})

test('a user with CREATE TABLE creates a table with comments on it and its columns, and owns it', async () => {
  const { app, admin } = await setUp()
  const maker = await app.user()
  await run(admin, `GRANT CREATE TABLE ON DATABASE boats TO ${maker.name}`)
  const columns = [
    { name: 'the id', type: 'BIGINT', nullable: false, primaryKey: true, comment: 'It counts' },
    { name: 'at', type: 'TIMESTAMP', default: 'current_timestamp' },
    { name: 'note', type: 'VARCHAR', default: "it's" },
  ]
  const table = { ...place, tableName: 'of "mine"/-type-', comment: 'Mine', columns }
  expect(await maker.call(schema.createTable, table)).toMatchObject({ code: CODES.Ok.code })
  const which = { ...place, tableName: table.tableName }
  const made = (await maker.call(schema.columns, which)).data.columns
  expect(made.map(({ name, primaryKey, comment }) => [name, primaryKey, comment])).toEqual([
    ['the id', true, 'It counts'],
    ['at', false, ''],
    ['note', false, ''],
  ])
  const described = (await maker.call(schema.describe, which)).data
  expect([described.comment, described.actions]).toEqual(['Mine', ['read', 'alter', 'drop']])
  await maker.call(schema.comment, { ...which, comment: 'Ours' })
  await maker.call(schema.comment, { ...which, column: 'note', comment: 'Words' })
  expect((await maker.call(schema.describe, which)).data.comment).toBe('Ours')
  expect((await maker.call(schema.columns, which)).data.columns[2]?.comment).toBe('Words')
})

test.each([
  ['no column', { columns: [] }, CODES.BadInput.code],
  [
    'a type that is more than one',
    { columns: [{ name: 'a', type: 'INT); DROP TABLE oars; --' }] },
    CODES.BadInput.code,
  ],
  ['a type that is not there', { columns: [{ name: 'a', type: 'FLURB' }] }, CODES.QueryFailed.code],
  ['the same column twice', { columns: [...COLUMNS, ...COLUMNS] }, CODES.QueryFailed.code],
  ['a value that does not fit', { columns: [{ name: 'a', type: 'INT', default: 'many' }] }, CODES.Ok.code],
])('a table of %s', async (_, wrong, code) => {
  const { admin } = await setUp()
  const answer = await admin.call(schema.createTable, { ...place, tableName: 'wrong', ...wrong })
  expect(answer.code).toBe(code)
  expect((await namesIn(admin)).includes('wrong')).toBe(code === CODES.Ok.code)
})

test('when a comment cannot be made, nothing of the table is left', async () => {
  const { admin } = await setUp()
  const missing = await admin.call(schema.comment, { ...OARS, column: 'nowhere', comment: 'x' })
  expect(missing.code).toBe(CODES.QueryFailed.code)
})

test('only the user of a connection can read and change its warehouse [CATALOG-48]', async () => {
  const { app, admin } = await setUp()
  const channel = await admin.channel()
  const [answer] = await channel.run('CREATE WAREHOUSE second')
  const connId = answer?.connId ?? 0
  const shown = async () => (await admin.call(schema.showWarehouse, { connId })).data
  expect(await shown()).toEqual({ warehouse: 'default_warehouse' })
  const updated = await admin.call(schema.updateWarehouse, { connId, warehouse: 'SECOND' })
  expect(updated.data).toEqual({ warehouse: 'second' })
  expect(await shown()).toEqual({ warehouse: 'second' })
  const [after] = await channel.run("SHOW VARIABLES LIKE 'warehouse'", { connId })
  expect(after?.result).toEqual([['warehouse', 'second']])
  const other = await app.user(['cluster_admin'])
  expect((await other.call(schema.showWarehouse, { connId })).code).toBe(CODES.ConnectionLost.code)
  expect((await other.call(schema.updateWarehouse, { connId, warehouse: 'second' })).code).toBe(
    CODES.ConnectionLost.code,
  )
  expect((await admin.call(schema.updateWarehouse, { connId, warehouse: 'nowhere' })).code).toBe(
    CODES.NotFound.code,
  )
})

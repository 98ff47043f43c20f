import { CODES, schema, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { sharedApp, startApp, type TestAppOptions, type TestUser } from '../../testing/start-app.ts'
import { createSchemas } from './service.ts'

const catalog = 'default_catalog'
const ALL = { orders: [{ col: 'name' as const, desc: false }], offset: 0, limit: 100_000, search: '' }
const BOATS = `CREATE DATABASE boats; CREATE TABLE boats.oars (n int); CREATE TABLE boats.hulls (n int);
  CREATE VIEW boats.fleet AS SELECT 1`

async function run(user: TestUser, sql: string) {
  const channel = await user.channel()
  for (const answer of await channel.run(sql)) expect(answer.errMsg).toBe('')
}

async function setUp(sql?: string, options: TestAppOptions = {}) {
  const app = await startApp({}, options)
  const admin = await app.admin()
  if (sql !== undefined) await run(admin, sql)
  return { app, admin }
}

const onEmbedded = sharedApp({}, { engine: 'embedded' })
const shared = sharedApp()

const actor = (accountId: string) => ({
  userId: 'u',
  accountId,
  region: 'local',
  accountState: 2,
  perms: [],
  loginId: 'l',
  activeRoles: [],
  heldRoles: [],
  identityVersion: 1,
  user: 'somebody',
  creatorId: null,
  isOrgAdmin: false,
})

test('nobody looks without a login', async () => {
  const { app } = await setUp()
  const place = { catalog, databaseName: 'main' }
  const codes = [
    (await app.call(schema.catalogs, {})).code,
    (await app.call(schema.databases, { catalog })).code,
    (await app.call(schema.tables, place)).code,
    (await app.call(schema.views, place)).code,
  ]
  expect(codes).toEqual(codes.map(() => CODES.LoginRequired.code))
})

test('a user without any role sees what SHOW shows to one', async () => {
  const { app } = await setUp(BOATS)
  const nobody = await app.user()
  const channel = await nobody.channel()
  const [shown] = await channel.run('SHOW DATABASES')
  const { data } = await nobody.call(schema.databases, { catalog })
  expect(data.list.map(({ name }) => [name])).toEqual(shown?.result)
  const [tables] = await channel.run('SHOW TABLES FROM boats')
  const place = { catalog, databaseName: 'boats' }
  const names = [
    ...(await nobody.call(schema.tables, place)).data.list.map(({ tableName }) => tableName),
    ...(await nobody.call(schema.views, place)).data.list.map(({ name }) => name),
  ]
  expect(names.toSorted()).toEqual(tables?.result.flat())
})

test('another account sees its own databases, and nothing of these', async () => {
  const { app } = await setUp(BOATS)
  const stranger = await app.stranger(['db_admin'])
  expect((await stranger.call(schema.databases, { catalog })).data).toEqual({
    list: [{ name: 'main', databaseId: 'main', tables: 0, permanent: true }],
    total: 1,
  })
  const place = { catalog, databaseName: 'boats' }
  expect((await stranger.call(schema.tables, place)).code).toBe(CODES.NotFound.code)
  expect((await stranger.call(schema.views, place)).code).toBe(CODES.NotFound.code)
})

test('catalogs are listed with name and type [CATALOG-03, CATALOG-28, CATALOG-41]', async () => {
  const { admin } = await setUp()
  const list = [{ name: 'default_catalog', type: 'Internal' }]
  expect((await admin.call(schema.catalogs, {})).data).toEqual({ list, total: 1 })
  expect((await admin.call(schema.catalogs, { commonSearchParam: { offset: 1 } })).data).toEqual({
    list: [],
    total: 1,
  })
})

test('databases are listed by name, without those of the service [CATALOG-29, CATALOG-42, CATALOG-58, CATALOG-59]', async () => {
  const { admin } = await setUp(`CREATE DATABASE oars; ${BOATS}`)
  expect((await admin.call(schema.databases, { catalog, commonSearchParam: ALL })).data).toEqual({
    list: [
      { name: 'boats', databaseId: 'boats', tables: 3 },
      { name: 'main', databaseId: 'main', tables: 0, permanent: true },
      { name: 'oars', databaseId: 'oars', tables: 0 },
    ],
    total: 3,
  })
  expect((await admin.call(schema.databases, { catalog })).data.list).toHaveLength(3)
})

test('tables and views of a database are listed apart [CATALOG-43, CATALOG-45, CATALOG-60]', async () => {
  const { admin } = await setUp(BOATS)
  const input = { commonSearchParam: ALL, catalog, databaseId: 'boats', databaseName: 'boats' }
  expect((await admin.call(schema.tables, input)).data).toEqual({
    list: [
      { tableName: 'hulls', type: 'table' },
      { tableName: 'oars', type: 'table' },
    ],
    total: 2,
  })
  expect((await admin.call(schema.views, input)).data).toEqual({
    list: [{ name: 'fleet', type: 'view' }],
    total: 1,
  })
  const main = { catalog, databaseName: 'main' }
  expect((await admin.call(schema.tables, main)).data).toEqual({ list: [], total: 0 })
})

test('a page is a part of all names in their order, with the number of all [CATALOG-58]', async () => {
  const { admin } = await setUp('CREATE TABLE a (n int); CREATE TABLE b (n int); CREATE TABLE c (n int)')
  const page = async (offset: number, limit: number, desc = false) => {
    const commonSearchParam = { orders: [{ col: 'name' as const, desc }], offset, limit }
    const { data } = await admin.call(schema.tables, { catalog, databaseName: 'main', commonSearchParam })
    expect(data.total).toBe(3)
    return data.list.map(({ tableName }) => tableName)
  }
  expect(await page(0, 2)).toEqual(['a', 'b'])
  expect(await page(2, 2)).toEqual(['c'])
  expect(await page(3, 2)).toEqual([])
  expect(await page(0, 2, true)).toEqual(['c', 'b'])
})

test('a part of a name finds it, whatever its letter case, and nothing in it is a pattern', async () => {
  const { admin } = await setUp(
    'CREATE TABLE Red_oar (n int); CREATE TABLE oars (n int); CREATE TABLE hull (n int)',
  )
  const found = async (search: string) => {
    const commonSearchParam = { search, limit: 1 }
    const { data } = await admin.call(schema.tables, { catalog, databaseName: 'main', commonSearchParam })
    return [data.total, ...data.list.map(({ tableName }) => tableName)]
  }
  expect(await found('OAR')).toEqual([2, 'Red_oar'])
  expect(await found('d_o')).toEqual([1, 'Red_oar'])
  expect(await found('%')).toEqual([0])
  expect(await found(`'; --`)).toEqual([0])
})

test('the tree is there while no warehouse runs, and starts none', async () => {
  const { app, admin } = await setUp(BOATS)
  const { warehouses } = (await admin.call(warehouse.list, {})).data
  for (const { warehouseId } of warehouses) await admin.call(warehouse.suspend, { warehouseId })
  expect(app.compute.running()).toEqual([])
  const { data } = await admin.call(schema.tables, { catalog, databaseName: 'boats' })
  expect(data.total).toBe(2)
  expect(app.compute.running()).toEqual([])
})

test('letter case makes no difference to a name that is asked for, and any name comes back as it is', async () => {
  const { admin } = await setUp(`${BOATS}; CREATE TABLE "Ö'a""r; --" (n int)`)
  const namesIn = async (databaseName: string, inCatalog = catalog) => {
    const { data } = await admin.call(schema.tables, { catalog: inCatalog, databaseName })
    return data.list.map(({ tableName }) => tableName)
  }
  expect(await namesIn('BOATS', 'Default_Catalog')).toEqual(['hulls', 'oars'])
  expect(await namesIn('Main')).toEqual([`Ö'a"r; --`])
})

test.each([
  ['nowhere', 'There is no database nowhere in the catalog default_catalog, or it was dropped.'],
  [`x' OR 1=1 --`, expect.stringContaining('There is no database')],
  ['pg_catalog', expect.stringContaining('There is no database')],
  ['boathouse_internal', 'There is no such database, or it was dropped.'],
])('there is no database %s to look into', async (databaseName, message) => {
  const admin = await (await onEmbedded()).admin()
  const missing = { code: CODES.NotFound.code, message }
  expect(await admin.call(schema.tables, { catalog, databaseName })).toMatchObject(missing)
  expect(await admin.call(schema.views, { catalog, databaseName })).toMatchObject(missing)
})

test.each(['nowhere', 'system', 'temp', 'boathouse_results'])(
  'there is no catalog %s to look into',
  async (unknown) => {
    const admin = await (await shared()).admin()
    const missing = {
      code: CODES.NotFound.code,
      message: `There is no catalog ${unknown} that you may see, or it was dropped.`,
    }
    expect(await admin.call(schema.databases, { catalog: unknown })).toMatchObject(missing)
    expect(await admin.call(schema.tables, { catalog: unknown, databaseName: 'main' })).toMatchObject(missing)
  },
)

test.each([
  ['a page of nothing', { limit: 0 }],
  ['a page that is too large', { limit: 100_001 }],
  ['a place before the first', { offset: -1 }],
  ['an order by something else', { orders: [{ col: 'size' as 'name', desc: false }] }],
])('%s is refused', async (_, commonSearchParam) => {
  const admin = await (await shared()).admin()
  const answer = await admin.call(schema.databases, { catalog, commonSearchParam })
  expect(answer.code).toBe(CODES.BadInput.code)
})

test('looking sees nothing of an open transaction and does not disturb it', async () => {
  const { admin } = await setUp()
  const channel = await admin.channel()
  const [begun] = await channel.run('BEGIN')
  const connId = begun?.connId ?? 0
  await channel.run('CREATE DATABASE boats', { connId })
  const namesNow = async () =>
    (await admin.call(schema.databases, { catalog })).data.list.map(({ name }) => name)
  expect(await namesNow()).toEqual(['main'])
  const [committed] = await channel.run('COMMIT', { connId })
  expect(committed?.queryState).toBe(2)
  expect(await namesNow()).toEqual(['boats', 'main'])
})

test('an engine that cannot start is reported as unavailable', async () => {
  const { app, admin } = await setUp()
  app.engines.crash('it was killed')
  app.engines.failNextOpen('The engine did not start: no memory.')
  expect(await admin.call(schema.databases, { catalog })).toMatchObject({
    code: CODES.Unavailable.code,
    message: 'The engine did not start: no memory.',
  })
})

const authority = { visible: async () => 'all' as const, may: async () => true }
const NONE = { list: async () => [] }
const NO_VIEWS = { keysOf: async () => new Set<string>(), list: async () => ({ list: [], total: 0 }) }

test('an engine that is too busy, and one that ends during a read, are reported as unavailable', async () => {
  const { app } = await setUp()
  const { useServiceEngine } = app.compute
  app.engines.hold()
  const lists = { internal: NONE, external: NONE, opened: NONE, materialized: NO_VIEWS }
  const parts = { useServiceEngine, authority, ...lists }
  const impatient = createSchemas({ ...parts, busyMs: 1 })
  await expect(impatient.databases(actor(app.accountId), catalog, ALL)).rejects.toThrow(
    new AppError('Unavailable', 'The engine of this account is too busy. Try again later.'),
  )
  const patient = createSchemas(parts)
  const listed = patient.databases(actor(app.accountId), catalog, ALL)
  // Behind the opening of its session.
  await useServiceEngine(app.accountId, async (engine) => (await engine.openSession(HOME)).close())
  app.engines.crash('it was killed')
  app.engines.release()
  await expect(listed).rejects.toMatchObject({ code: 'Unavailable' })
})

const HOME = { catalog, database: 'main', timeZone: 'UTC', variables: {} }

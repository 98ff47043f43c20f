import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CODES, objectOf, perms, type Privilege, schema } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { PASSWORD, playCoordinator } from '../../../providers/trino/existing/testing/played-coordinator.ts'
import { sessionOf } from '../../../testing/channel-session.ts'
import { startApp } from '../../../testing/start-app.ts'
import { createTrinoProvider } from '../provider.ts'

/** What a cluster says of its catalogs to the questions that lists and pages ask. */
function answerOf(sql: string): readonly (readonly unknown[])[] | null {
  if (sql.includes('system.runtime.nodes')) return [['c', true, 'active']]
  if (sql === 'SHOW CATALOGS') return [['sales'], ['web'], ['secret'], ['system']]
  const catalog = /FROM "([a-z]+)"\.information_schema\./.exec(sql)?.[1]
  if (catalog === undefined) return null
  if (catalog !== 'sales') return []
  const wanted = (column: string) => new RegExp(`${column} = '(\\w+)'`).exec(sql)?.[1]
  const [database, name] = [wanted('schema_name') ?? wanted('table_schema'), wanted('table_name')]
  const type = wanted('table_type')?.split(' ')[0]
  const isWanted = (own: string | undefined, one: string) => own === undefined || own === one
  if (sql.includes('.schemata'))
    return ['hr', 'shop'].filter((one) => isWanted(database, one)).map((one) => [one])
  if (sql.includes('.columns'))
    return name === 'orders'
      ? [
          ['id', 'bigint', 'NO'],
          ['paid', 'boolean', 'YES'],
        ]
      : []
  if (sql.includes('.views')) return [['SELECT id FROM orders']]
  const tables = [
    ['hr', 'pay', 'BASE TABLE'],
    ['shop', 'orders', 'BASE TABLE'],
    ['shop', 'recent', 'VIEW'],
  ].filter(
    ([of = '', table = '', kind = '']) =>
      (isWanted(database, of) || sql.includes(`'${of}'`)) &&
      isWanted(name, table) &&
      (type === undefined || kind.startsWith(type)),
  )
  if (sql.includes('count(*)')) {
    const databases = [...new Set(tables.map(([of]) => of))]
    return databases.map((of) => [of, tables.filter(([one]) => one === of).length])
  }
  if (sql.startsWith('SELECT table_name, table_type')) return tables.map(([, table, kind]) => [table, kind])
  return sql.startsWith('SELECT table_name') ? tables.map(([, table]) => [table]) : tables
}

/** The whole service with a cluster that exists already, two of whose catalogs are open to the account; no warehouse uses it. */
async function startWithOpened() {
  const coordinator = await playCoordinator(({ sql }) => {
    const data = answerOf(sql)
    return data ? [200, { id: 'q', data }] : undefined
  })
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-opened-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const certificates = join(folder, 'ca.pem')
  await writeFile(certificates, coordinator.address.certificates ?? '')
  const settings = {
    BOATHOUSE_TRINO_URL: coordinator.address.url,
    BOATHOUSE_TRINO_USER: coordinator.address.user,
    BOATHOUSE_TRINO_PASSWORD: PASSWORD,
    BOATHOUSE_TRINO_CA: certificates,
    BOATHOUSE_TRINO_CATALOGS: 'sales@*,web@*,secret@another-account',
  }
  const app = await startApp(settings, { engine: 'embedded', clusterEngine: createTrinoProvider() })
  const admin = await app.admin()
  const grantTo =
    (user: string) =>
    (object: ReturnType<typeof objectOf>, ...privileges: Privilege[]) =>
      admin.call(perms.grantPrivToUser, { user, object, privileges })
  return { app, admin, grantTo, coordinator }
}

const SALES = objectOf('catalog', { catalog: 'sales' })
const ORDERS = objectOf('table', { catalog: 'sales', database: 'shop', name: 'orders' })
const HR = { catalog: 'sales', databaseName: 'hr' }
const SHOP = { catalog: 'sales', databaseName: 'shop' }

test('to a user without a privilege on it there is no opened catalog, and with one there is that alone', async () => {
  const { app, grantTo } = await startWithOpened()
  const grace = await app.user()
  const run = sessionOf(await grace.channel())
  const catalogs = async () => (await grace.call(schema.catalogs, {})).data.list.map(({ name }) => name)
  const missing = 'There is no catalog sales that you may see'
  expect(await catalogs()).toEqual(['default_catalog'])
  expect((await grace.call(schema.databases, { catalog: 'sales' })).message).toContain(missing)
  expect((await grace.call(schema.describe, { ...SHOP, tableName: 'orders' })).code).toBe(CODES.NotFound.code)
  for (const sql of [
    'USE sales',
    'USE sales.shop',
    'SHOW DATABASES FROM sales',
    'SHOW TABLES FROM sales.shop',
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, expect.stringContaining('does not exist')])

  const grant = grantTo(grace.name)
  expect((await grant(SALES, 'USAGE')).code).toBe(CODES.Ok.code)
  expect(await catalogs()).toEqual(['default_catalog', 'sales'])
  expect((await run('USE sales.shop')).error).toContain('The database shop does not exist')
  expect((await run('SHOW TABLES FROM sales.shop')).rows).toEqual([])
  expect((await grant(ORDERS, 'SELECT')).code).toBe(CODES.Ok.code)
  expect((await run('SHOW DATABASES FROM sales')).rows).toEqual([['shop']])
  expect((await run('SHOW TABLES FROM sales.shop')).rows).toEqual([['orders']])
  expect((await run('USE sales.hr')).error).toContain('The database hr does not exist')
  expect((await run('USE sales.shop')).error).toBe('')
  expect((await run('SHOW TABLES')).rows).toEqual([['orders']])
  expect((await grace.call(schema.tables, { ...HR, commonSearchParam: {} })).data.list).toEqual([])
  expect((await grace.call(schema.describe, { ...HR, tableName: 'pay' })).code).toBe(CODES.NotFound.code)
})

test('nobody sees or is granted a catalog that is open to another account, not even an administrator', async () => {
  const { admin, grantTo } = await startWithOpened()
  const names = (await admin.call(schema.catalogs, {})).data.list.map(({ name }) => name)
  expect(names).toEqual(['default_catalog', 'sales', 'web'])
  expect((await admin.call(schema.databases, { catalog: 'secret' })).code).toBe(CODES.NotFound.code)
  const secret = objectOf('catalog', { catalog: 'secret' })
  expect((await grantTo('admin')(secret, 'USAGE')).code).toBe(CODES.NotFound.code)
  const run = sessionOf(await admin.channel())
  expect((await run('USE secret')).error).toContain('does not exist')
})

test('what is in an opened catalog is listed and described while no warehouse uses the cluster', async () => {
  const { app, admin, coordinator } = await startWithOpened()
  const list = (await admin.call(schema.catalogs, {})).data.list
  expect(list.find(({ name }) => name === 'sales')).toEqual({
    name: 'sales',
    type: 'External',
    description: 'Opened to this account by the operator of the cluster',
  })
  const databases = (await admin.call(schema.databases, { catalog: 'SALES' })).data.list
  expect(databases.map(({ name, tables }) => [name, tables])).toEqual([
    ['hr', 1],
    ['shop', 2],
  ])
  const views = await admin.call(schema.views, { ...SHOP, commonSearchParam: {} })
  expect(views.data.list).toMatchObject([{ name: 'recent', type: 'view' }])
  const table = await admin.call(schema.describe, { ...SHOP, tableName: 'orders' })
  expect(table.data).toMatchObject({ columnCount: 2, rows: null, fixed: expect.stringContaining('cluster') })
  const made = async (name: object) =>
    (await admin.call(schema.showCreateTable, { ...SHOP, ...name })).data.createStatement
  expect(await made({ tableName: 'orders' })).toBe(
    'CREATE TABLE "sales"."shop"."orders" (\n  "id" bigint NOT NULL,\n  "paid" boolean\n)',
  )
  expect(await made({ name: 'recent' })).toBe('CREATE VIEW "sales"."shop"."recent" AS\nSELECT id FROM orders')
  const run = sessionOf(await admin.channel())
  expect((await run('DESCRIBE sales.shop.orders')).rows[0]?.slice(0, 2)).toEqual(['id', 'bigint'])
  expect((await run('USE sales')).error).toBe('')
  expect((await run('SELECT * FROM orders')).error).toContain('only warehouses that are clusters can read')
  expect((await run('USE default_catalog.main')).error).toBe('')
  // The cluster is asked as the user, never as the service.
  const names = coordinator.asked.filter(({ sql }) => sql.includes('information_schema'))
  expect(new Set(names.map(({ user }) => user))).toEqual(new Set([`admin@${app.accountId}`]))
})

test('its databases and tables are changed elsewhere, and its name is taken', async () => {
  const { admin } = await startWithOpened()
  const run = sessionOf(await admin.channel())
  const elsewhere = 'by those who run the cluster'
  expect((await run('CREATE DATABASE sales.port')).error).toContain(elsewhere)
  expect((await run('DROP DATABASE sales.shop CASCADE')).error).toContain(elsewhere)
  expect(
    (await admin.call(schema.createDatabase, { catalog: 'sales', databaseName: 'port' })).message,
  ).toContain(elsewhere)
  const actions = await admin.call(schema.actions, { catalog: 'sales' })
  expect(actions.data).toEqual({ createDatabase: expect.stringContaining(elsewhere) })
  const dropped = await admin.call(schema.dropTable, { ...SHOP, tableName: 'orders' })
  expect(dropped.message).toContain('by statements in a warehouse that is a cluster')
  expect((await run('CREATE CATALOG Sales')).error).toContain('already exists')
  expect((await run('DROP CATALOG sales')).error).toContain('belongs to a cluster')
  expect((await run('ALTER CATALOG sales RENAME TO trade')).error).toContain('belongs to a cluster')
  expect((await run('SHOW CREATE CATALOG sales')).rows.flat().join(' ')).toContain('operator of the cluster')
})

test('a cluster that does not answer says so where its names are asked for, and nowhere else', async () => {
  const { admin, coordinator } = await startWithOpened()
  await coordinator.die()
  const names = (await admin.call(schema.catalogs, {})).data.list.map(({ name }) => name)
  expect(names).toEqual(['default_catalog', 'sales', 'web'])
  const why = 'The cluster does not answer: nothing listens at its address.'
  expect(await admin.call(schema.databases, { catalog: 'sales' })).toMatchObject({
    code: CODES.Unavailable.code,
    message: why,
  })
  const run = sessionOf(await admin.channel())
  expect((await run('SHOW TABLES FROM sales.shop')).error).toContain(why)
  expect((await run('USE sales.shop')).error).toContain(why)
  expect((await run('SELECT 1')).rows).toEqual([['1']])
})

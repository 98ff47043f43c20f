import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CODES, schema } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { sessionOf } from '../../../testing/channel-session.ts'
import { startApp } from '../../../testing/start-app.ts'

const FILES = {
  'sales/orders/2026.csv': 'id,amount\n1,10\n2,20\n',
  'sales/events/a.ndjson': '{"kind":"open"}\n',
  'inner/deep/t/a.csv': 'a\n1\n',
}

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'boathouse-lake-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
  return root
}

const SOON = { timeout: 20_000, interval: 200 }

const LAKE = {
  name: 'lake',
  description: 'Orders as they come',
  metastoreType: 'folder',
  folder: 'open',
} as const

async function setUp() {
  const root = await folderOf(FILES)
  const app = await startApp({ BOATHOUSE_CATALOG_FOLDERS: `open=${root}` }, { engine: 'embedded' })
  const admin = await app.admin()
  return { root, app, admin }
}

test('nobody but a database administrator makes, tries or learns of catalogs over folders', async () => {
  const { app } = await setUp()
  const nobody = await app.user()
  const refused = { code: CODES.NoPermission.code }
  expect(await nobody.call(schema.addCatalog, LAKE)).toMatchObject(refused)
  expect(await nobody.call(schema.testCatalog, LAKE)).toMatchObject(refused)
  expect(await nobody.call(schema.catalogOptions, {})).toMatchObject(refused)
  const run = sessionOf(await nobody.channel())
  expect(
    (await run(`CREATE EXTERNAL CATALOG lake PROPERTIES ('type' = 'folder', 'folder' = 'open')`)).error,
  ).toContain('db_admin')
})

test('no way up, no absolute path, no pattern and no address is a folder', async () => {
  const { admin } = await setUp()
  for (const folder of [
    '..',
    '../etc',
    '/etc',
    'open/..',
    'open/../..',
    'open/./sales',
    'open//sales',
    'open/',
    'open/*',
    'open/sal?s',
    'open/[s]ales',
    'open/{a,b}',
    'open\\sales',
    'open/sales\u0000',
    's3://bucket',
    'file:///etc',
    '',
  ])
    for (const call of [schema.addCatalog, schema.testCatalog] as const)
      expect([folder, await admin.call(call, { ...LAKE, folder })]).toMatchObject([
        folder,
        { code: CODES.BadInput.code },
      ])
})

test('a folder that is not open, not there, a file or behind a link is refused, and nothing is kept', async () => {
  const { root, admin } = await setUp()
  const outside = await folderOf({ 'db/t/secret.csv': 'a\n42\n' })
  await symlink(outside, join(root, 'link'))
  for (const [folder, why] of [
    ['closed', 'the operator of the service has not allowed it for this account'],
    ['open/nowhere', 'it is not there'],
    ['open/sales/orders/2026.csv', 'it is no folder'],
    ['open/link', 'links are not followed'],
  ])
    for (const call of [schema.addCatalog, schema.testCatalog] as const)
      expect(await admin.call(call, { ...LAKE, folder })).toMatchObject({
        code: CODES.QueryFailed.code,
        message: expect.stringMatching(new RegExp(`^The folder ${folder} cannot be read: .*${why}\\.$`)),
      })
  expect((await admin.call(schema.addCatalog, { ...LAKE, folder: 'open/link' })).message).not.toContain(
    outside,
  )
  expect((await admin.call(schema.testCatalog, { ...LAKE, folder: 'closed' })).message).toContain(
    'not allowed',
  )
  expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
})

test('no folder is open unless the operator allows it, and then only for the account that is named', async () => {
  const root = await folderOf(FILES)
  const app = await startApp({ BOATHOUSE_CATALOG_FOLDERS: `open@elsewhere=${root}` }, { engine: 'embedded' })
  const admin = await app.admin()
  expect((await admin.call(schema.catalogOptions, {})).data).toMatchObject({
    readable: ['folder'],
    folders: [],
  })
  expect((await admin.call(schema.addCatalog, LAKE)).message).toContain('has not allowed it for this account')
})

test('a catalog over a folder is tried, made, browsed without a warehouse, queried by privileges, and dropped', async () => {
  const { root, app, admin } = await setUp()
  expect((await admin.call(schema.catalogOptions, {})).data).toMatchObject({
    readable: ['folder'],
    folders: ['open'],
  })
  expect((await admin.call(schema.testCatalog, LAKE)).data).toMatchObject({ databases: 2, tables: 3 })
  expect((await admin.call(schema.addCatalog, LAKE)).data).toEqual({ notice: '' })
  expect((await admin.call(schema.addCatalog, { ...LAKE, name: 'other', folder: 'open/inner' })).code).toBe(
    CODES.Conflict.code,
  )
  const databases = await admin.call(schema.databases, { catalog: 'Lake' })
  expect(databases.data.list.map(({ name }) => name)).toEqual(expect.arrayContaining(['inner', 'sales']))
  const tables = await admin.call(schema.tables, { catalog: 'lake', databaseName: 'sales' })
  expect(tables.data.list.map(({ tableName }) => tableName)).toEqual(['events', 'orders'])
  const orders = { catalog: 'lake', databaseName: 'sales', tableName: 'orders' }
  expect((await admin.call(schema.describe, orders)).data).toMatchObject({
    type: 'table',
    columnCount: 2,
    rows: { count: 2, exact: true },
  })
  expect((await admin.call(schema.sample, orders)).data.rows).toEqual([
    ['1', '10'],
    ['2', '20'],
  ])
  expect(JSON.stringify(await admin.call(schema.showCreateTable, orders))).not.toContain(root)
  expect((await admin.call(schema.showCreateCatalog, { catalog: 'lake' })).data.createStatement).toBe(
    `CREATE EXTERNAL CATALOG "lake"\nCOMMENT 'Orders as they come'\nPROPERTIES (\n  'type' = 'folder',\n  'folder' = 'open'\n)`,
  )
  const run = sessionOf(await admin.channel())
  expect((await run('CREATE TABLE lake.sales.mine (i int)')).error).toContain('is read-only')
  expect((await run('CREATE DATABASE lake.mine')).error).toContain('is read-only')

  const guest = await app.user()
  const asked = sessionOf(await guest.channel())
  const select = 'SELECT sum(amount) FROM lake.sales.orders'
  expect((await asked(select)).error).toContain('USAGE on CATALOG lake')
  // Nor does a guest see why a table cannot be read.
  await mkdir(join(root, 'other', 'mixed'), { recursive: true })
  await writeFile(join(root, 'other', 'mixed', 'a.csv'), 'a\n')
  await writeFile(join(root, 'other', 'mixed', 'a.json'), '{}')
  const mixed = 'SELECT * FROM lake.other.mixed'
  await expect.poll(async () => (await run(mixed)).error, { timeout: 20_000 }).toContain('several formats')
  expect((await asked(mixed)).error).toContain('USAGE on CATALOG lake')
  await rm(join(root, 'other'), { recursive: true })
  await run(`GRANT USAGE ON CATALOG lake TO USER ${guest.name}`)
  expect((await asked(select)).error).toContain('SELECT on TABLE lake.sales.orders')
  expect((await asked('DESC lake.sales.orders')).error).toContain('There is no')
  await run(`GRANT SELECT ON TABLE lake.sales.orders TO USER ${guest.name}`)
  expect((await asked(select)).rows).toEqual([['30']])
  expect((await asked('SELECT * FROM lake.sales.events')).error).toContain(
    'SELECT on TABLE lake.sales.events',
  )
  expect((await asked('USE lake.sales')).error).toBe('')
  expect((await asked('SHOW TABLES')).rows).toEqual([['orders']])
  expect((await asked('SELECT count(*) FROM orders')).rows).toEqual([['2']])

  await rm(join(root, 'sales'), { recursive: true })
  await rm(join(root, 'inner'), { recursive: true })
  await expect
    .poll(async () => (await admin.call(schema.databases, { catalog: 'lake' })).data.list.length, SOON)
    .toBe(1)
  await rm(root, { recursive: true })
  await expect
    .poll(async () => admin.call(schema.databases, { catalog: 'lake' }), SOON)
    .toMatchObject({
      code: CODES.QueryFailed.code,
      message: 'The catalog lake cannot be read: it is not there.',
    })
  expect((await run('SELECT 1')).rows).toEqual([['1']])
  expect((await admin.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.Ok.code)
  expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
})

test('users who may use a catalog see why it cannot be read; others see only that they lack the privilege', async () => {
  const { root, app, admin } = await setUp()
  await admin.call(schema.addCatalog, LAKE)
  const [run, guest] = [sessionOf(await admin.channel()), await app.user()]
  const asked = sessionOf(await guest.channel())
  const inside = sessionOf(await admin.channel())
  expect((await inside('USE lake.sales')).error).toBe('')
  await rm(root, { recursive: true })
  const why = 'The catalog lake cannot be read: it is not there.'
  const [select, beside] = ['SELECT * FROM lake.sales.orders', `SELECT 'lake' FROM nowhere`]
  await expect.poll(async () => (await run(select)).error, SOON).toContain(why)
  expect((await run(beside)).error).toContain(why)
  expect((await inside('SELECT * FROM orders')).error).toContain(why)
  // A word, and not a part of one.
  expect((await run('SELECT * FROM lakes')).error).not.toContain(why)

  expect(await asked(select)).toMatchObject({
    error: expect.stringContaining('USAGE on CATALOG lake'),
    last: { errCode: CODES.NoPermission.code },
  })
  expect((await asked(beside)).last).toMatchObject({
    errCode: CODES.QueryFailed.code,
    errMsg: expect.stringMatching(/^(?!.*cannot be read).*nowhere does not exist/s),
  })
  for (const sql of ['USE lake', 'USE lake.sales', 'SHOW TABLES FROM lake.sales', 'DESC lake.sales.orders'])
    expect([sql, (await asked(sql)).error]).toEqual([sql, expect.not.stringContaining('cannot be read')])
  expect(await guest.call(schema.databases, { catalog: 'lake' })).toMatchObject({
    code: CODES.NotFound.code,
    message: expect.not.stringContaining('cannot be read'),
  })
  await run(`GRANT USAGE ON CATALOG lake TO USER ${guest.name}`)
  expect((await asked(select)).error).toContain(why)
  expect((await asked(beside)).error).toContain(why)
})

test('by a statement, and none with secrets in its text', async () => {
  const { admin } = await setUp()
  const run = sessionOf(await admin.channel())
  const create = (name: string, properties: string) =>
    run(`CREATE EXTERNAL CATALOG ${name} COMMENT 'x' PROPERTIES (${properties})`)
  expect((await create('lake', `'type' = 'folder', 'folder' = 'open/inner'`)).error).toBe('')
  expect((await run('SELECT a FROM lake.deep.t')).rows).toEqual([['1']])
  expect((await create('other', `'type' = 'folder', 'folder' = '../open'`)).error).toContain('Enter a folder')
  expect((await create('other', `'type' = 'hive', 'secretKey' = 'x'`)).error).toContain(
    'which do not belong in SQL text',
  )
  expect((await create('other', `'folder' = 'open'`)).error).toContain(`of the type 'folder'`)
  expect((await run('CREATE EXTERNAL CATALOG other')).error).toContain('Write CREATE CATALOG')
})

test('what this engine cannot read it says, and what is missing', async () => {
  const { admin } = await setUp()
  const hive = {
    name: 'hive',
    metastoreType: 'hive',
    access: 'key',
    s3Region: 'eu-central-1',
    hiveHost: 'hive.example.com',
    accessKey: 'AKIAEXAMPLE',
    secretKey: 'very-secret-key',
  } as const
  expect(await admin.call(schema.testCatalog, hive)).toMatchObject({
    code: CODES.QueryFailed.code,
    message: expect.stringContaining('Hive metastores need the extension httpfs'),
  })
  const scripted = await (await startApp({ BOATHOUSE_CATALOG_FOLDERS: 'open=/srv/lake' })).admin()
  expect((await scripted.call(schema.catalogOptions, {})).data).toMatchObject({
    readable: [],
    folders: ['open'],
  })
  expect((await scripted.call(schema.addCatalog, LAKE)).message).toContain('No engine of this account reads')
})

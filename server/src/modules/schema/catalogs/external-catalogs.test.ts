import { CODES, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

const HIVE = {
  name: 'lake',
  description: 'Click events',
  metastoreType: 'hive',
  access: 'key',
  s3Region: 'eu-central-1',
  hiveHost: 'hive.example.com:9083',
  accessKey: 'AKIAEXAMPLE',
  secretKey: 'very-secret-key',
} as const

async function setUp() {
  const app = await startApp()
  return { app, admin: await app.admin() }
}

test('only a database administrator adds, shows and drops catalogs, and another account sees none of them', async () => {
  const { app, admin } = await setUp()
  expect((await admin.call(schema.addCatalog, HIVE)).code).toBe(CODES.Ok.code)
  const nobody = await app.user()
  expect((await nobody.call(schema.addCatalog, HIVE)).code).toBe(CODES.NoPermission.code)
  expect((await nobody.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.NoPermission.code)
  expect((await nobody.call(schema.showCreateCatalog, { catalog: 'lake' })).code).toBe(
    CODES.NoPermission.code,
  )
  expect((await nobody.call(schema.catalogs, {})).data.list.map(({ name }) => name)).toEqual([
    'default_catalog',
  ])
  expect((await nobody.call(schema.databases, { catalog: 'lake' })).code).toBe(CODES.NotFound.code)
  const stranger = await app.stranger(['db_admin'])
  expect((await stranger.call(schema.catalogs, {})).data.total).toBe(1)
  expect((await stranger.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.NotFound.code)
})

test('an external catalog is added, listed, shown without its secrets, and dropped [CATALOG-02, CATALOG-09, CATALOG-50, CATALOG-51, CATALOG-53]', async () => {
  const { app, admin } = await setUp()
  const { data } = await admin.call(schema.addCatalog, HIVE)
  expect(data.notice).toContain(
    'No engine of this account reads external catalogs of the type Hive metastore',
  )
  const listed = { name: 'lake', type: 'External', description: 'Click events', metastoreType: 'hive' }
  expect((await admin.call(schema.catalogs, { commonSearchParam: { search: 'LAK' } })).data).toEqual({
    list: [listed],
    total: 1,
  })
  const { createStatement } = (await admin.call(schema.showCreateCatalog, { catalog: 'LAKE' })).data
  expect(createStatement).toContain(`'hiveHost' = 'hive.example.com:9083'`)
  expect(createStatement).toContain(`'secretKey' = '******'`)
  expect(createStatement).not.toContain('very-secret')
  const stored = await app.store.db.selectFrom('external_catalogs').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain('very-secret')
  const audit = await app.store.db.selectFrom('audit_entries').select('entry').execute()
  expect(JSON.stringify(audit)).not.toContain('very-secret')
  expect((await admin.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.Ok.code)
  expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
  expect((await admin.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.NotFound.code)
})

test('a catalog that this engine cannot read says so', async () => {
  const { admin } = await setUp()
  await admin.call(schema.addCatalog, HIVE)
  const refused = {
    code: CODES.QueryFailed.code,
    message: expect.stringContaining('No engine of this account'),
  }
  expect(await admin.call(schema.databases, { catalog: 'Lake' })).toMatchObject(refused)
  expect(await admin.call(schema.tables, { catalog: 'lake', databaseName: 'main' })).toMatchObject(refused)
})

test.each(['lake', 'LAKE', 'default_catalog', 'Default_Catalog', 'system'])(
  'the name %s is taken, whatever its letter case [CATALOG-36]',
  async (name) => {
    const { admin } = await setUp()
    await admin.call(schema.addCatalog, HIVE)
    expect(await admin.call(schema.addCatalog, { ...HIVE, name })).toMatchObject({
      code: CODES.NameTaken.code,
      message: `The catalog ${name} already exists. Choose another name.`,
    })
  },
)

test('of two requests that add the same catalog at the same moment, one fails because the name is taken', async () => {
  const { admin } = await setUp()
  const answers = await Promise.all([
    admin.call(schema.addCatalog, HIVE),
    admin.call(schema.addCatalog, HIVE),
  ])
  expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([CODES.Ok.code, CODES.NameTaken.code]))
})

test.each([
  [{ name: '' }, 'Enter the name'],
  [{ name: '1lake' }, 'Start with a letter; use letters, digits and underscores only'],
  [{ name: 'my-lake' }, 'Start with a letter; use letters, digits and underscores only'],
  [{ name: 'a'.repeat(65) }, 'The maximum length is 64'],
  [{ s3Region: '' }, 'Enter the S3 region'],
  [{ s3Region: 'somewhere' }, 'Enter a region, for example eu-central-1'],
  [{ hiveHost: '' }, 'Enter the Hive host'],
  [{ hiveHost: 'http://x' }, 'Enter a host, and a port if it is not 9083'],
  [{ hiveHost: 'hive.example.com:99999' }, 'Enter a host, and a port if it is not 9083'],
  [
    { metastoreType: 'databricks' as const, databricksHost: 'dbc.example.com:65536' },
    'Enter a host, for example dbc-1234',
  ],
  [{ secretKey: '' }, 'Enter the secret key'],
  [{ accessKey: 'AKIA\nEXAMPLE' }, 'Enter the access key in ASCII characters'],
  [{ secretKey: 'very secret' }, 'Enter the secret key in ASCII characters'],
  [{ secretKey: 'schlüssel' }, 'Enter the secret key in ASCII characters'],
  [
    {
      metastoreType: 'bucket' as const,
      s3Bucket: 'harbour',
      sessionToken: 'a\r\nhost: evil',
    },
    'Enter the session token in ASCII characters',
  ],
  [
    {
      metastoreType: 'tabular' as const,
      tabularUrl: 'https://api.example.com',
      tabularWarehouse: 'w',
      oauthCredential: 'to\nken',
    },
    'Enter a token, or a client ID and secret',
  ],
  [
    {
      metastoreType: 'databricks' as const,
      databricksHost: 'dbc.example.com',
      unityCatalogName: 'u',
      databricksToken: 'ключ',
    },
    'Enter the Databricks token in ASCII characters',
  ],
  [{ access: 'role' as const }, 'Enter the role ARN'],
  [{ access: 'role' as const, roleArn: 'me' }, 'Enter a role ARN, for example arn:aws:iam'],
  [
    { metastoreType: 'tabular' as const, tabularUrl: 'ftp://x' },
    'Enter an address that begins with https://',
  ],
  [{ metastoreType: 'databricks' as const }, 'Enter the Databricks host'],
])('%j is refused with its message [CATALOG-33, CATALOG-35]', async (wrong, message) => {
  const { admin } = await setUp()
  expect(await admin.call(schema.addCatalog, { ...HIVE, ...wrong })).toMatchObject({
    code: CODES.BadInput.code,
    message: expect.stringContaining(message),
  })
})

test.each([
  [
    {
      metastoreType: 'glue' as const,
      access: 'role' as const,
      roleArn: 'arn:aws:iam::123456789012:role/reader',
      externalId: 'x1',
    },
  ],
  [
    {
      metastoreType: 'tabular' as const,
      tabularUrl: 'https://api.example.com/ws',
      tabularWarehouse: 'w',
      oauthCredential: 'c',
    },
  ],
  [
    {
      metastoreType: 'databricks' as const,
      databricksHost: 'dbc.example.com',
      databricksToken: 't',
      unityCatalogName: 'u',
    },
  ],
])('a catalog of every metastore type, with either way to its files: %j', async (more) => {
  const { admin } = await setUp()
  expect((await admin.call(schema.addCatalog, { ...HIVE, name: 'a'.repeat(64), ...more })).code).toBe(
    CODES.Ok.code,
  )
})

test('the account’s own catalog is not dropped', async () => {
  const { admin } = await setUp()
  expect(await admin.call(schema.dropCatalog, { catalog: 'default_catalog' })).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('cannot be dropped'),
  })
})

test('who is given USAGE sees it, and no longer when another one has its name', async () => {
  const { app, admin } = await setUp()
  await admin.call(schema.addCatalog, HIVE)
  const reader = await app.user()
  const channel = await admin.channel()
  const [granted] = await channel.run(`GRANT USAGE ON CATALOG lake TO ${reader.name}`)
  expect(granted?.errMsg).toBe('')
  const seen = async () => (await reader.call(schema.catalogs, {})).data.list.map(({ name }) => name)
  expect(await seen()).toEqual(['default_catalog', 'lake'])
  await admin.call(schema.dropCatalog, { catalog: 'lake' })
  await admin.call(schema.addCatalog, HIVE)
  const again = await app.user()
  expect((await again.call(schema.catalogs, {})).data.total).toBe(1)
  const grants = await app.store.db
    .selectFrom('grants')
    .select('name')
    .where('object_type', '=', 'catalog')
    .execute()
  expect(grants).toEqual([])
})

test('statements list, show and drop them too', async () => {
  const { admin } = await setUp()
  await admin.call(schema.addCatalog, HIVE)
  const channel = await admin.channel()
  const [shown] = await channel.run('SHOW CATALOGS')
  expect(shown?.result).toEqual([
    ['default_catalog', 'Internal', ''],
    ['lake', 'External', 'Click events'],
  ])
  const [created] = await channel.run('SHOW CREATE CATALOG lake')
  expect(created?.result?.[0]?.[1]).toContain('CREATE EXTERNAL CATALOG "lake"')
  const [dropped] = await channel.run('DROP CATALOG lake')
  expect(dropped?.errMsg).toBe('')
  expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
})

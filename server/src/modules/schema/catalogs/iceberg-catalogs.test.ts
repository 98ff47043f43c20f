import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CODES, schema } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { CLIENT } from '../../../testing/iceberg-kit.ts'
import { startApp } from '../../../testing/start-app.ts'

const DRAFT = {
  name: 'lake',
  description: '',
  metastoreType: 'tabular',
  access: 'key',
  s3Region: 'us-east-1',
  tabularUrl: 'https://catalog.example.com/iceberg',
  tabularWarehouse: 'harbour',
  oauthCredential: CLIENT,
  accessKey: 'AKIAEXAMPLE',
  secretKey: 'very-secret-key',
} as const

test('nobody but a database administrator makes or tries catalogs over Iceberg REST servers', async () => {
  const nobody = await (await startApp()).user()
  const refused = { code: CODES.NoPermission.code }
  expect(await nobody.call(schema.addCatalog, DRAFT)).toMatchObject(refused)
  expect(await nobody.call(schema.testCatalog, DRAFT)).toMatchObject(refused)
})

test('no address with a user or a question in it, and no way to files that such a catalog has not, is taken', async () => {
  const admin = await (await startApp()).admin()
  for (const wrong of [
    { tabularUrl: '' },
    { tabularUrl: 'ftp://catalog.example.com' },
    { tabularUrl: 'https://user:password@catalog.example.com' },
    { tabularUrl: 'https://catalog.example.com?x=1' },
    { tabularUrl: 'https://catalog.example.com/a#x' },
    { tabularUrl: 'https://catalog.example.com/a b' },
    { tabularUrl: 'https://catalog.example.com:99999' },
    { tabularUrl: 'https://[::::]/iceberg' },
    { tabularWarehouse: '' },
    { oauthUrl: 'catalog.example.com/tokens' },
    { oauthUrl: 'https://catalog.example.com:99999/tokens' },
    { oauthScope: 'a\nb' },
    { s3Endpoint: 'https://storage.example.com:65536' },
    { s3Endpoint: 'https://storage.example.com/path' },
    { access: 'key', accessKey: '' },
    { metastoreType: 'hive', hiveHost: 'hive.example.com', access: 'vended' },
  ] as const)
    for (const call of [schema.addCatalog, schema.testCatalog] as const)
      expect([wrong, await admin.call(call, { ...DRAFT, ...wrong })]).toMatchObject([
        wrong,
        { code: CODES.BadInput.code },
      ])
})

test('an engine that does not read it says why, and the definition is kept with its secrets sealed and masked', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { unreadable } = (await admin.call(schema.catalogOptions, {})).data
  const why = unreadable.find(({ metastoreType }) => metastoreType === 'tabular')?.why ?? ''
  expect(why).toContain('npx boathouse extensions')
  expect(await admin.call(schema.testCatalog, DRAFT)).toMatchObject({
    code: CODES.QueryFailed.code,
    message: why,
  })
  expect((await admin.call(schema.addCatalog, DRAFT)).data).toEqual({ notice: why })
  const { createStatement } = (await admin.call(schema.showCreateCatalog, { catalog: 'lake' })).data
  expect(createStatement).toContain(`'tabularUrl' = '${DRAFT.tabularUrl}'`)
  expect(createStatement).toContain(`'oauthCredential' = '******'`)
  const kept = await app.store.db.selectFrom('external_catalogs').selectAll().execute()
  const audit = await app.store.db.selectFrom('audit_entries').selectAll().execute()
  for (const secret of ['s3cret', DRAFT.secretKey])
    expect(createStatement + JSON.stringify([kept, audit])).not.toContain(secret)
})

test('Unity Catalog is asked where it speaks Iceberg REST, by its token, for the account that has it alone', async () => {
  const asked: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers.authorization}`)
    const isConfig = url.includes('/v1/config')
    response.end(JSON.stringify(isConfig ? { overrides: { prefix: 'catalogs/main' } } : { namespaces: [] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const app = await startApp({ BOATHOUSE_CATALOG_ENDPOINTS: `http://${host}` })
  const admin = await app.admin()
  const unity = {
    ...DRAFT,
    metastoreType: 'databricks',
    access: 'vended',
    databricksHost: host,
    databricksToken: 'dapi-token',
    unityCatalogName: 'main',
  } as const
  expect((await admin.call(schema.addCatalog, unity)).code).toBe(CODES.Ok.code)
  const { catalog_id: catalogId } = await app.store.db
    .selectFrom('external_catalogs')
    .select('catalog_id')
    .executeTakeFirstOrThrow()
  const question = { catalogId, metadata: { of: 'namespaces', parent: [], pageToken: '' } } as const
  const { signal } = new AbortController()
  expect(await app.outside.metadata(app.accountId, question, signal)).toBe('{"namespaces":[]}')
  const root = '/api/2.1/unity-catalog/iceberg-rest/v1'
  expect(asked).toEqual([
    `${root}/config?warehouse=main Bearer dapi-token`,
    `${root}/catalogs/main/namespaces?pageToken=&pageSize=1000 Bearer dapi-token`,
  ])
  const { accountId } = await app.otherAccount()
  for (const ask of [
    () => app.outside.metadata(accountId, question, signal),
    () => app.outside.secretKey(accountId, catalogId),
  ])
    await expect(ask()).rejects.toThrow('there is no such catalog')
})

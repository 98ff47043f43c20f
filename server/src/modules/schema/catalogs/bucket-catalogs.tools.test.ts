import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, iamRoleCalls, schema } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../../config.ts'
import { createEmbeddedProvider, embeddedIsApart, httpfsFrom } from '../../../testing/embedded-engine.ts'
import { BUCKET, HTTPFS_WHEEL, MOTO, type S3Server, startS3 } from '../../../testing/outside-kit.ts'
import { sessionOf } from '../../../testing/channel-session.ts'
import { startApp } from '../../../testing/start-app.ts'

const DRAFT = {
  name: 'lake',
  description: '',
  metastoreType: 'bucket',
  s3Endpoint: 'https://storage.example.com',
  s3Bucket: BUCKET,
  s3Prefix: 'lake',
  s3Region: 'us-east-1',
  accessKey: 'AKIAEXAMPLE',
  secretKey: 'very-secret-key',
} as const

describe.skipIf(HTTPFS_WHEEL === null || MOTO === null || !embeddedIsApart())('with a real S3 server', () => {
  let s3: S3Server
  let extensions = ''
  beforeAll(async () => {
    extensions = await httpfsFrom(HTTPFS_WHEEL)
    s3 = await startS3()
    await s3.put('lake/sales/orders/2026.csv', 'id,amount\n1,10\n2,20\n')
    await s3.put('lake/sales/events/a b+é.ndjson', '{"kind":"open"}\n')
    await s3.put('lake/sales/days/day=1/a.csv', 'n\n1\n')
    await s3.put('lake/sales/days/day=2/a.csv', 'n\n2\n')
    await s3.put('other/sales/orders/secret.csv', 'secret\n42\n')
    await s3.put('lakeside/sales/orders/secret.csv', 'secret\n42\n')
  }, 120_000)
  afterAll(async () => {
    await s3?.stop()
    await rm(extensions, { recursive: true, force: true })
  })

  async function setUp(endpoint = s3.endpoint, more: Environment = {}) {
    const engines = await createEmbeddedProvider()
    const app = await startApp({ BOATHOUSE_CATALOG_ENDPOINTS: endpoint, ...more }, { engines })
    onTestFinished(() => engines.close())
    await cp(extensions, join(app.dataDir, 'extensions'), { recursive: true })
    return { app, admin: await app.admin() }
  }

  const draft = () => ({ ...DRAFT, s3Endpoint: s3.endpoint, ...s3.account })

  test('what is wrong with it is said before it is saved, and nothing is kept', async () => {
    const { admin } = await setUp(`${s3.endpoint},http://127.0.0.1:1`)
    for (const [wrong, why] of [
      [{ accessKey: 'AKIANOBODYKNOWS00000' }, 'the access key is not known there'],
      [{ secretKey: 'wrong' }, 'the secret key is wrong'],
      [{ sessionToken: 'expired' }, /session token|expired|not known/],
      [{ s3Bucket: 'no-such-bucket' }, 'there is no bucket no-such-bucket'],
      [{ s3Endpoint: 'http://127.0.0.1:1' }, 'no server answers there'],
      [{ s3Endpoint: 'http://storage.example.com' }, 'does not use TLS'],
      [{ s3Endpoint: 'https://127.0.0.1:2' }, 'in a private network'],
    ] as const)
      for (const call of [schema.testCatalog, schema.addCatalog] as const)
        expect([wrong, await admin.call(call, { ...draft(), ...wrong })]).toMatchObject([
          wrong,
          {
            code: CODES.QueryFailed.code,
            message: typeof why === 'string' ? expect.stringContaining(why) : expect.stringMatching(why),
          },
        ])
    expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
  })

  test('its files are read with the keys of a registered IAM role', async () => {
    const roleArn = await s3.makeRole('harbour-reader')
    const { admin, app } = await setUp(s3.endpoint, {
      BOATHOUSE_AWS_ACCESS_KEY: s3.account.accessKey,
      BOATHOUSE_AWS_SECRET_KEY: s3.account.secretKey,
      BOATHOUSE_AWS_STS_URL: s3.endpoint,
    })
    const byRole = { ...draft(), access: 'role', roleArn, accessKey: '', secretKey: '' } as const
    expect((await admin.call(schema.addCatalog, byRole)).message).toContain('is not registered')
    await admin.call(iamRoleCalls.registerIamRole, { roleArn })
    expect((await admin.call(schema.addCatalog, { ...byRole, externalId: 'x' })).message).toContain(
      'the external ID of this account is',
    )
    expect(await admin.call(schema.addCatalog, byRole)).toMatchObject({ code: CODES.Ok.code })
    const run = sessionOf(await admin.channel())
    expect((await run('select sum(amount) from lake.sales.orders')).rows).toEqual([['30']])
    await admin.call(iamRoleCalls.deleteIamRole, { roleArn })
    app.clock.advance(10_000)
    expect((await admin.call(schema.testCatalog, byRole)).message).toContain('is not registered')
  })

  test('it is tried, made, browsed without a warehouse, queried by privileges, and dropped', async () => {
    const { app, admin } = await setUp()
    expect((await admin.call(schema.catalogOptions, {})).data.readable).toEqual([
      'folder',
      'bucket',
      'hive',
      'glue',
      'tabular',
      'databricks',
    ])
    expect((await admin.call(schema.testCatalog, draft())).data).toEqual({
      databases: 1,
      tables: 3,
      problems: [],
    })
    expect((await admin.call(schema.addCatalog, draft())).data).toEqual({ notice: '' })
    const shown = (await admin.call(schema.showCreateCatalog, { catalog: 'lake' })).data.createStatement
    expect(shown).toContain(`'secretKey' = '******'`)
    expect(shown).not.toContain(s3.account.secretKey)
    const tables = await admin.call(schema.tables, { catalog: 'lake', databaseName: 'sales' })
    expect(tables.data.list.map(({ tableName }) => tableName)).toEqual(['days', 'events', 'orders'])
    const run = sessionOf(await admin.channel())
    expect((await run('SELECT sum(amount) FROM lake.sales.orders')).rows).toEqual([['30']])
    expect((await run('SELECT n, day FROM lake.sales.days ORDER BY 1')).rows).toEqual([
      ['1', '1'],
      ['2', '2'],
    ])
    expect((await run('SELECT kind FROM lake.sales.events')).rows).toEqual([['open']])
    // Another prefix is another catalog, or none.
    expect((await run('SELECT * FROM lake.sales.secret')).error).not.toBe('')

    const guest = await app.user()
    const asked = sessionOf(await guest.channel())
    const select = 'SELECT sum(amount) FROM lake.sales.orders'
    expect((await asked(select)).error).toContain('USAGE on CATALOG lake')
    await run(`GRANT USAGE ON CATALOG lake TO USER ${guest.name}`)
    expect((await asked(select)).error).toContain('SELECT on TABLE lake.sales.orders')
    await run(`GRANT SELECT ON TABLE lake.sales.orders TO USER ${guest.name}`)
    expect((await asked(select)).rows).toEqual([['30']])
    expect((await asked('SELECT * FROM lake.sales.days')).error).toContain('SELECT on TABLE lake.sales.days')

    const kept = await app.store.db.selectFrom('external_catalogs').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(s3.account.secretKey)
    const audit = await app.store.db.selectFrom('audit_entries').selectAll().execute()
    expect(JSON.stringify(audit)).not.toContain(s3.account.secretKey)

    expect((await admin.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.Ok.code)
    expect((await run(select)).error).toContain('lake')
  })

  test('an engine of another account is given nothing of it', async () => {
    const { app, admin } = await setUp()
    await admin.call(schema.addCatalog, draft())
    const { catalog_id: id } = await app.store.db
      .selectFrom('external_catalogs')
      .select('catalog_id')
      .executeTakeFirstOrThrow()
    const other = await app.otherAccount()
    const stop = new AbortController().signal
    const wanted = { key: 'sales/orders/2026.csv', etag: '', range: null }
    const mine = app.outside.of(app.accountId)
    const theirs = app.outside.of(other.accountId)
    expect((await mine.list(id, null, stop)).objects).toHaveLength(4)
    await expect(theirs.list(id, null, stop)).rejects.toThrow('there is no such catalog')
    await expect(theirs.read(id, wanted, stop)).rejects.toThrow('there is no such catalog')
    for (const key of ['../other/sales/orders/secret.csv', '../lakeside/sales/orders/secret.csv', '..'])
      await expect(mine.read(id, { ...wanted, key }, stop)).rejects.toThrow('cannot be asked for')
    await expect(mine.read('nonsense', wanted, stop)).rejects.toThrow('there is no such catalog')
    await admin.call(schema.dropCatalog, { catalog: 'lake' })
    await expect(mine.list(id, null, stop)).rejects.toThrow('there is no such catalog')
  })
})

import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, schema } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createEmbeddedProvider, embeddedIsApart, httpfsFrom } from '../../../testing/embedded-engine.ts'
import { sessionOf } from '../../../testing/channel-session.ts'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { CLIENT, PYICEBERG } from '../../../testing/iceberg-kit.ts'
import {
  JAVA,
  makeTablesIn,
  NESSIE,
  type Nessie,
  startNessie,
  startTokenIssuer,
  type TokenIssuer,
} from '../../../testing/nessie-kit.ts'
import { BUCKET, HTTPFS_WHEEL, MOTO, type S3Server, startS3 } from '../../../testing/outside-kit.ts'
import { startApp } from '../../../testing/start-app.ts'

const isMissing = [HTTPFS_WHEEL, MOTO, PYICEBERG, JAVA, NESSIE].includes(null) || !embeddedIsApart()

/** As `nessie-tables.py` has made them. */
const ORDERS = [...Array(19).keys(), 20, 21].map((before) => before + 1)
const NAMES = ['Ada', 'Brian', 'Chloé']
const byCustomer = NAMES.map((name, customer) => {
  const own = ORDERS.filter((order) => order % 3 === customer)
  return [name, String(own.length), String(own.reduce((sum, order) => sum + 10 * order, 0))]
})

const SOON = { timeout: 60_000, interval: 200 }

describe.skipIf(isMissing)('over a real server that speaks Iceberg REST', { timeout: 240_000 }, () => {
  let s3: S3Server
  let issuer: TokenIssuer
  let nessie: Nessie
  let extensions = ''
  beforeAll(async () => {
    extensions = await httpfsFrom(HTTPFS_WHEEL)
    s3 = await startS3()
    issuer = await startTokenIssuer()
    nessie = await startNessie(s3, issuer)
    await makeTablesIn(nessie, issuer, s3)
  }, 300_000)
  afterAll(async () => {
    await nessie?.stop()
    await issuer?.stop()
    await s3?.stop()
    await rm(extensions, { recursive: true, force: true })
  })

  async function setUp() {
    const engines = await createEmbeddedProvider()
    const open = [s3.endpoint, ...[nessie.url, issuer.url].map((url) => new URL(url).origin)].join(',')
    const app = await startApp({ BOATHOUSE_CATALOG_ENDPOINTS: open }, { engines })
    onTestFinished(() => engines.close())
    await cp(extensions, join(app.dataDir, 'extensions'), { recursive: true })
    const admin = await app.admin()
    const session = sessionOf(await admin.channel())
    const run = async (sql: string) => {
      const { error, rows } = await session(sql)
      return error === '' ? rows : error
    }
    const draft = {
      name: 'lake',
      description: '',
      metastoreType: 'tabular',
      access: 'key',
      s3Region: 'us-east-1',
      s3Endpoint: s3.endpoint,
      tabularUrl: nessie.url,
      tabularWarehouse: BUCKET,
      oauthCredential: CLIENT,
      oauthUrl: issuer.url,
      ...s3.account,
    } as const
    return { app, admin, run, draft }
  }

  test('its tables are tried, listed, described and read, and one that would be read wrongly is refused', async () => {
    const { admin, run, draft } = await setUp()
    const tried = (await admin.call(schema.testCatalog, draft)).data
    expect(tried).toEqual({
      databases: 2,
      tables: 6,
      problems: [expect.stringMatching(/^shop\/equal: rows of it were deleted by their values/)],
    })
    expect((await admin.call(schema.addCatalog, draft)).data).toEqual({ notice: '' })
    const { list } = (await admin.call(schema.databases, { catalog: 'lake' })).data
    expect(list.map(({ name }) => name)).toEqual(expect.arrayContaining(['shop', 'shop.archive']))
    const shop = { catalog: 'lake', databaseName: 'shop' }
    const tables = (await admin.call(schema.tables, shop)).data.list
    expect(tables.map(({ tableName }) => tableName).toSorted()).toEqual([
      'customers',
      'equal',
      'orders',
      'thinned',
      'visits',
    ])

    expect(await run('SELECT column_name, column_type FROM (DESCRIBE lake.shop.orders)')).toEqual([
      ['id', 'BIGINT'],
      ['customer', 'BIGINT'],
      ['price', 'BIGINT'],
      ['ordered_at', 'TIMESTAMP'],
      ['note', 'VARCHAR'],
    ])
    expect(
      await run(`SELECT name, count(*), sum(price) FROM lake.shop.orders
        JOIN lake.shop.customers ON customers.id = customer GROUP BY name ORDER BY name`),
    ).toEqual(byCustomer)
    expect(
      await run(`SELECT id, note FROM lake.shop.orders
        WHERE ordered_at >= TIMESTAMP '2026-01-02' AND ordered_at < TIMESTAMP '2026-01-03' AND price > 100 ORDER BY id`),
    ).toEqual([
      ['11', null],
      ['16', null],
      ['21', 'late'],
    ])
    expect(await run('SELECT town, n FROM lake.shop.visits ORDER BY n')).toEqual([
      ['Rom', '1'],
      [null, '3'],
      ['Oslo', '20'],
    ])
    expect(await run('SELECT * FROM lake."shop.archive".empty')).toEqual([])
    expect(await run('SELECT n FROM lake.shop.thinned ORDER BY n')).toEqual([['0'], ['2'], ['10'], ['11']])
    expect(await run('SELECT * FROM lake.shop.equal')).toContain('equality deletes')
    expect(issuer.given()).toBeLessThan(5)
  })

  test('credentials that the server refuses are reported as such, and no catalog is added', async () => {
    const { admin, draft } = await setUp()
    for (const [wrong, why] of [
      [{ oauthCredential: 'reader:wrong' }, 'no token is given for this OAuth credential'],
      [{ oauthCredential: issuer.token('stranger') }, 'does not accept the credential, or that has expired'],
      [{ oauthCredential: '' }, 'asks for a credential, and the catalog has none'],
      [{ tabularWarehouse: 'nowhere' }, 'its server'],
    ] as const)
      for (const call of [schema.testCatalog, schema.addCatalog] as const)
        expect([wrong, await admin.call(call, { ...draft, ...wrong })]).toMatchObject([
          wrong,
          { code: CODES.QueryFailed.code, message: expect.stringContaining(why) },
        ])
    const byToken = { ...draft, oauthCredential: issuer.token(), oauthUrl: '' }
    expect((await admin.call(schema.testCatalog, byToken)).data.tables).toBe(6)
    expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
  })

  test('killed, it is said to be down and its catalog stays listed; back again, it is read', async () => {
    const { app, admin, run, draft } = await setUp()
    await admin.call(schema.addCatalog, draft)
    const select = 'SELECT count(*) FROM lake.shop.orders'
    const later = async (sql: string) => {
      app.clock.advance(MINUTES)
      return run(sql)
    }
    expect(await run(select)).toEqual([[String(ORDERS.length)]])
    await nessie.kill()
    const why = 'The catalog lake cannot be read: no server answers there'
    await expect.poll(() => later(select), SOON).toContain(why)
    expect(await admin.call(schema.databases, { catalog: 'lake' })).toMatchObject({
      code: CODES.QueryFailed.code,
      message: expect.stringContaining(why),
    })
    const { list } = (await admin.call(schema.catalogs, {})).data
    expect(list.map(({ name }) => name)).toContain('lake')
    expect(await run('SELECT 1')).toEqual([['1']])
    await nessie.start()
    await expect.poll(() => later(select), SOON).toEqual([[String(ORDERS.length)]])
  })
})

import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, schema } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createEmbeddedProvider, embeddedIsApart, httpfsFrom } from '../../../testing/embedded-engine.ts'
import {
  type CatalogDoor,
  CLIENT,
  type MadeTables,
  makeTables,
  PYICEBERG,
  startCatalogDoor,
} from '../../../testing/iceberg-kit.ts'
import { sessionOf } from '../../../testing/channel-session.ts'
import { HTTPFS_WHEEL, MOTO, type S3Server, startS3 } from '../../../testing/outside-kit.ts'
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

describe.skipIf(HTTPFS_WHEEL === null || MOTO === null || PYICEBERG === null || !embeddedIsApart())(
  'over tables that PyIceberg has made',
  { timeout: 120_000 },
  () => {
    let s3: S3Server
    let made: MadeTables
    let extensions = ''
    beforeAll(async () => {
      extensions = await httpfsFrom(HTTPFS_WHEEL)
      s3 = await startS3()
      made = await makeTables(s3)
    }, 180_000)
    afterAll(async () => {
      await s3?.stop()
      await rm(extensions, { recursive: true, force: true })
    })

    async function setUp(vended?: Readonly<Record<string, string>>) {
      const door = await startCatalogDoor({ ...made, ...(vended && { vended }) })
      onTestFinished(() => door.stop())
      const engines = await createEmbeddedProvider()
      const open = [s3.endpoint, new URL(door.url).origin, 'http://127.0.0.1:1'].join(',')
      const app = await startApp({ BOATHOUSE_CATALOG_ENDPOINTS: open }, { engines })
      onTestFinished(() => engines.close())
      await cp(extensions, join(app.dataDir, 'extensions'), { recursive: true })
      const admin = await app.admin()
      return { app, admin, door, run: sessionOf(await admin.channel()), draft: draftFor(door) }
    }

    const draftFor = ({ url }: CatalogDoor) => ({
      ...DRAFT,
      tabularUrl: url,
      s3Endpoint: s3.endpoint,
      ...s3.account,
    })

    test('it is tried, made, browsed without a warehouse, queried by privileges, and dropped', async () => {
      const { app, admin, door, draft, run } = await setUp()
      expect((await admin.call(schema.catalogOptions, {})).data.readable).toContain('tabular')
      const tried = (await admin.call(schema.testCatalog, draft)).data
      expect(tried).toMatchObject({ databases: 4, tables: Object.keys(made.tables).length })
      expect(tried.problems.toSorted()).toEqual([
        expect.stringMatching(/^sales\/added: the columns of its files have no ids/),
        expect.stringMatching(/^sales\/elsewhere: .*(?:folder|bucket)/),
        expect.stringMatching(/^sales\/equal: rows of it were deleted by their values \(equality deletes\)/),
        expect.stringMatching(/^sales\/late: it is of version 3 of the Iceberg format/),
        expect.stringMatching(/^sales\/renamed: parts of its column s were renamed/),
      ])
      expect((await admin.call(schema.addCatalog, draft)).data).toEqual({ notice: '' })
      expect(
        (await admin.call(schema.databases, { catalog: 'lake' })).data.list.map(({ name }) => name),
      ).toEqual(expect.arrayContaining(['sales', 'bare', 'deep', 'deep.er']))

      const rows = async (sql: string) => {
        const { error, rows: found } = await run(sql)
        return error === '' ? found : error
      }
      // Renamed, dropped, added, widened, and a name that another column had before.
      expect(await rows('SELECT * FROM lake.sales.orders ORDER BY id')).toEqual([
        ['1', '1.0', null, null],
        ['2', '2.0', null, null],
        ['3', '3.0', null, null],
        ['4', '4.0', 'n', 'much'],
      ])
      expect(await rows('SELECT column_name, column_type FROM (DESCRIBE lake.sales.orders)')).toEqual(
        await rows(
          `VALUES ('id', 'BIGINT'), ('price', 'DOUBLE'), ('note', 'VARCHAR'), ('amount', 'VARCHAR')`,
        ),
      )
      expect(
        await rows('SELECT b, f, d, day, t, ts, tz, hex(bin), l, m, s.x, s.y, s.z FROM lake.sales.types'),
      ).toEqual(
        await rows(
          `SELECT true, 1.5::FLOAT, 1.25::DECIMAL(9, 2), DATE '2026-01-02', TIME '12:00:00.0005', TIMESTAMP '2026-01-02 12:00:00.0005',
           TIMESTAMPTZ '2026-01-02 12:00:00.0005+00', '00FF', [1::BIGINT, 2], MAP {'k': 1::BIGINT}, 1, 'one', NULL`,
        ),
      )
      expect(await rows('SELECT day, town, n FROM lake.sales.visits ORDER BY n')).toEqual([
        ['2026-01-01', 'New York/é', '1'],
        [null, null, '3'],
      ])
      expect(await rows('SELECT * FROM lake.sales.old')).toEqual([['7']])
      expect(await rows('SELECT * FROM lake.sales.none')).toEqual([])
      expect(await rows('SELECT n FROM lake.sales.thinned ORDER BY n')).toEqual([
        ['0'],
        ['2'],
        ['10'],
        ['11'],
      ])
      expect(await rows('SELECT count(*) FROM lake.sales.thinned WHERE n < 10')).toEqual([['2']])
      expect(await rows('SELECT * FROM lake."deep.er"."a b+é"')).toEqual([['1']])
      expect(await rows('SELECT * FROM lake.sales.equal')).toContain('equality deletes')
      expect(await rows('SELECT * FROM lake.sales.late')).toContain('version 3')
      expect(await rows('SELECT * FROM lake.sales.renamed')).toContain('found by their names')
      expect(await rows('SELECT * FROM lake.sales.added')).toContain('have no ids')
      expect(await rows('CREATE TABLE lake.sales.mine (i int)')).toContain('is read-only')

      const guest = await app.user()
      const asked = sessionOf(await guest.channel())
      for (const [table, count] of [
        ['orders', '4'],
        ['thinned', '4'],
        ['none', '0'],
      ]) {
        const select = `SELECT count(*) FROM lake.sales.${table}`
        expect((await asked(select)).error).toContain(
          table === 'orders' ? 'USAGE on CATALOG lake' : `SELECT on TABLE lake.sales.${table}`,
        )
        await run(`GRANT USAGE ON CATALOG lake TO USER ${guest.name}`)
        expect((await asked(select)).error).toContain(`SELECT on TABLE lake.sales.${table}`)
        await run(`GRANT SELECT ON TABLE lake.sales.${table} TO USER ${guest.name}`)
        expect(await asked(select)).toMatchObject({ error: '', rows: [[count]] })
      }
      expect(door.asked.filter((one) => !one.startsWith('GET '))).toEqual(
        door.asked.filter((one) => one === 'POST /iceberg/v1/oauth/tokens'),
      )
      expect((await admin.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.Ok.code)
      expect((await run('SELECT * FROM lake.sales.orders')).error).toContain('lake')
    })

    test('what is wrong with it is said before it is saved, and nothing is kept', async () => {
      const { admin, door, draft } = await setUp()
      const said = async (wrong: object, why: string) => {
        for (const call of [schema.testCatalog, schema.addCatalog] as const) {
          const answer = await admin.call(call, { ...draft, ...wrong })
          expect([wrong, answer]).toMatchObject([
            wrong,
            { code: CODES.QueryFailed.code, message: expect.stringContaining(why) },
          ])
          expect(answer.message).not.toMatch(/s3cret|secret words/)
        }
      }
      await said({ oauthCredential: 'reader:wrong' }, 'no token is given for this OAuth credential')
      await said({ oauthCredential: 'an-old-token' }, 'does not accept the credential, or that has expired')
      await said({ oauthCredential: '' }, 'asks for a credential, and the catalog has none')
      await said({ tabularWarehouse: 'nowhere' }, 'its server does not know it')
      await said({ tabularUrl: 'http://127.0.0.1:1/iceberg' }, 'no server answers there')
      await said({ tabularUrl: 'http://catalog.example.com' }, 'does not use TLS')
      await said({ tabularUrl: 'https://127.0.0.1:2' }, 'in a private network')
      await said({ oauthUrl: 'https://169.254.169.254/latest' }, 'in a private network')
      await said({ tabularUrl: s3.endpoint, oauthCredential: '' }, 'its server')
      door.instead = (_, response) => (response.end('<html>secret words</html>'), true)
      await said({}, 'the answer of its server is no token')
      await said({ oauthCredential: 't' }, 'is not that of an Iceberg REST catalog')
      door.instead = (_, response) => (response.writeHead(302, { location: s3.endpoint }).end(), true)
      await said({ oauthCredential: 't' }, 'leads on to another place')
      door.instead = (_, response) => (response.writeHead(503).end(), true)
      await said({}, 'is not available right now')
      expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
    })

    test('keys that the server gives are used, and not those of another endpoint', async () => {
      const keys = {
        's3.access-key-id': s3.account.accessKey,
        's3.secret-access-key': s3.account.secretKey,
      }
      const vendedDraft = { access: 'vended', accessKey: '', secretKey: '' } as const
      const { admin, draft, run, door } = await setUp({ ...keys, 's3.endpoint': s3.endpoint })
      expect((await admin.call(schema.addCatalog, { ...draft, ...vendedDraft })).data).toEqual({ notice: '' })
      expect(await run('SELECT sum(id) FROM lake.sales.orders')).toMatchObject({ error: '', rows: [['10']] })
      for (const [vended, why] of [
        [{ ...keys, 's3.endpoint': 'http://127.0.0.1:1' }, 'lie at another endpoint'],
        [{}, 'gives no keys for its files'],
      ] as const) {
        door.vended = vended
        const { problems } = (await admin.call(schema.testCatalog, { ...draft, ...vendedDraft, name: 'new' }))
          .data
        expect(problems).toEqual(expect.arrayContaining([expect.stringContaining(why)]))
      }
    })

    test('an engine of another account is given nothing of it, and ours nothing beside the tables', async () => {
      const { app, admin, draft } = await setUp()
      await admin.call(schema.addCatalog, draft)
      const { catalog_id: id } = await app.store.db
        .selectFrom('external_catalogs')
        .select('catalog_id')
        .executeTakeFirstOrThrow()
      const other = await app.otherAccount()
      const stop = new AbortController().signal
      const mine = app.outside.of(app.accountId)
      const theirs = app.outside.of(other.accountId)
      const { databases, tables } = await mine.tables(id, null, stop)
      expect(databases).toContain('sales')
      expect(JSON.stringify(tables)).not.toContain(s3.account.secretKey)
      const wanted = { etag: '', range: null }
      await s3.put('beside/x.parquet', 'secret')
      const key = 'sales/old/warehouse/sales/old/metadata'
      await expect(theirs.tables(id, null, stop)).rejects.toThrow('there is no such catalog')
      await expect(theirs.read(id, { ...wanted, key }, stop)).rejects.toThrow('there is no such catalog')
      await expect(mine.list(id, null, stop)).rejects.toThrow('there is no such catalog')
      for (const beside of [
        'sales/old/beside/x.parquet',
        'sales/old/warehouse/sales/orders/x.parquet',
        'sales/old/warehouse/sales/old2/x.parquet',
        'sales/nothing/warehouse/sales/old/x.parquet',
        'beside/x.parquet',
        'x',
      ])
        await expect(mine.read(id, { ...wanted, key: beside }, stop)).rejects.toThrow('has no such file')
      await expect(
        mine.read(id, { ...wanted, key: 'sales/old/warehouse/sales/old/../../../beside/x.parquet' }, stop),
      ).rejects.toThrow('cannot be asked for')
    })
  },
)

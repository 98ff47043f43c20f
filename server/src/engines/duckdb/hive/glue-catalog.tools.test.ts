import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, iamRoleCalls, schema } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Environment } from '../../../config.ts'
import { sessionOf } from '../../../testing/channel-session.ts'
import { createEmbeddedProvider, embeddedIsApart, httpfsFrom } from '../../../testing/embedded-engine.ts'
import { makeTables, PYICEBERG } from '../../../testing/iceberg-kit.ts'
import { BUCKET, HTTPFS_WHEEL, MOTO, type S3Server, startS3 } from '../../../testing/outside-kit.ts'
import { startApp } from '../../../testing/start-app.ts'
import { parquetOf } from './testing/parquet-bytes.ts'

const DRAFT = { name: 'lake', description: '', metastoreType: 'glue', s3Region: 'us-east-1' } as const

const HIVE = 'org.apache.hadoop.hive'
const SERDES = {
  parquet: `${HIVE}.ql.io.parquet.serde.ParquetHiveSerDe`,
  csv: `${HIVE}.serde2.OpenCSVSerde`,
  json: 'org.openx.data.jsonserde.JsonSerDe',
  orc: `${HIVE}.ql.io.orc.OrcSerde`,
} as const

const columnsOf = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns).map(([Name, Type]) => ({ Name, Type }))

interface Made {
  readonly serde: keyof typeof SERDES
  readonly columns: Readonly<Record<string, string>>
  readonly partitions?: Readonly<Record<string, string>>
  readonly words?: Readonly<Record<string, string>>
}

const storageOf = (location: string, { serde, columns, words = {} }: Made) => ({
  Columns: columnsOf(columns),
  Location: `s3://${BUCKET}/${location}`,
  SerdeInfo: { SerializationLibrary: SERDES[serde], Parameters: words },
})

const makeTable = (s3: S3Server, name: string, made: Made) =>
  s3.glue('CreateTable', {
    DatabaseName: 'sales',
    TableInput: {
      Name: name,
      TableType: 'EXTERNAL_TABLE',
      PartitionKeys: columnsOf(made.partitions ?? {}),
      StorageDescriptor: storageOf(`data/${name}/`, made),
    },
  })

const ORDERS: Made = { serde: 'parquet', columns: { id: 'bigint', amount: 'decimal(9,2)', note: 'string' } }
const DAYS: Made = { serde: 'csv', columns: { n: 'int', town: 'string' }, partitions: { day: 'date' } }

async function makeDatabase(s3: S3Server): Promise<void> {
  await s3.glue('CreateDatabase', { DatabaseInput: { Name: 'sales' } })
  await s3.glue('CreateDatabase', { DatabaseInput: { Name: 'bare' } })
  await makeTable(s3, 'orders', ORDERS)
  await s3.put('data/orders/a.parquet', await parquetOf(`SELECT 1 AS "ID", 1.5 AS amount`))
  await s3.put('data/orders/more/b', await parquetOf(`SELECT 'x' AS note, 2::INTEGER AS id, 2 AS amount`))
  await makeTable(s3, 'days', { ...DAYS, words: { separatorChar: ';' } })
  for (const [day, town] of [
    ['2026-01-31', 'Skagen'],
    ['2026-02-01', 'Ærø'],
  ] as const) {
    const folder = `data/days/day=${day}`
    await s3.put(`${folder}/a.csv`, `1;"${town}; DK"\n`)
    const StorageDescriptor = storageOf(folder, DAYS)
    const PartitionInput = { Values: [day], StorageDescriptor }
    await s3.glue('CreatePartition', { DatabaseName: 'sales', TableName: 'days', PartitionInput })
  }
  await s3.put('data/days/day=2099-01-01/a.csv', '9;Nobody registered it\n')
  await makeTable(s3, 'events', { serde: 'json', columns: { kind: 'string', place: 'struct<x:int>' } })
  await s3.put('data/events/a.json', '{"Kind":"open","place":{"X":7}}\n')
  await makeTable(s3, 'empty', { serde: 'json', columns: { kind: 'string' } })
  await makeTable(s3, 'old', { serde: 'orc', columns: { id: 'int' } })
}

describe.skipIf(HTTPFS_WHEEL === null || MOTO === null || !embeddedIsApart())(
  'with a real server of Glue, S3 and STS',
  () => {
    let s3: S3Server
    let extensions = ''
    beforeAll(async () => {
      extensions = await httpfsFrom(HTTPFS_WHEEL)
      s3 = await startS3()
      await makeDatabase(s3)
    }, 180_000)
    afterAll(async () => {
      await s3?.stop()
      await rm(extensions, { recursive: true, force: true })
    })

    async function setUp(more: Environment = {}) {
      const engines = await createEmbeddedProvider()
      const settings = {
        BOATHOUSE_CATALOG_ENDPOINTS: s3.endpoint,
        BOATHOUSE_AWS_GLUE_URL: s3.endpoint,
        ...more,
      }
      const app = await startApp(settings, { engines })
      onTestFinished(() => engines.close())
      await cp(extensions, join(app.dataDir, 'extensions'), { recursive: true })
      return { app, admin: await app.admin() }
    }

    const draft = () => ({ ...DRAFT, s3Endpoint: s3.endpoint, ...s3.account })

    test('what is wrong with it is said before it is saved, and nothing is kept', async () => {
      const { admin } = await setUp()
      for (const [wrong, why] of [
        [{ accessKey: 'AKIANOBODYKNOWS00000' }, 'the access key is not known to AWS Glue'],
        [{ secretKey: 'wrong' }, 'the secret key is wrong'],
      ] as const)
        for (const call of [schema.testCatalog, schema.addCatalog] as const)
          expect([wrong, await admin.call(call, { ...draft(), ...wrong })]).toMatchObject([
            wrong,
            {
              code: CODES.QueryFailed.code,
              message: expect.stringContaining(`The AWS Glue catalog in us-east-1 cannot be read: ${why}`),
            },
          ])
      const { problems } = (await admin.call(schema.testCatalog, { ...draft(), s3Region: 'eu-west-1' })).data
      expect(problems).toEqual([
        'AWS Glue has no databases in the region eu-west-1 that these credentials may see',
      ])
      expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
    })

    test('it is tried, made, browsed without a warehouse, queried by privileges, and dropped [REAL-03]', async () => {
      const { app, admin } = await setUp()
      expect((await admin.call(schema.catalogOptions, {})).data.readable).toContain('glue')
      expect((await admin.call(schema.testCatalog, draft())).data).toEqual({
        databases: 2,
        tables: 5,
        problems: ['sales/old: its files are in the format ORC, and Parquet, CSV and JSON files are read'],
      })
      expect((await admin.call(schema.addCatalog, draft())).data).toEqual({ notice: '' })
      const shown = (await admin.call(schema.showCreateCatalog, { catalog: 'lake' })).data.createStatement
      expect(shown).toContain(`'secretKey' = '******'`)
      const databases = (await admin.call(schema.databases, { catalog: 'lake' })).data.list
      expect(databases.map(({ name }) => name)).toEqual(expect.arrayContaining(['bare', 'sales']))
      const inSales = { catalog: 'lake', databaseName: 'sales' }
      const tables = (await admin.call(schema.tables, inSales)).data.list
      expect(tables.map(({ tableName }) => tableName)).toEqual(['days', 'empty', 'events', 'old', 'orders'])
      const columns = (await admin.call(schema.columns, { ...inSales, tableName: 'days' })).data.columns
      expect(columns.map(({ name, type }) => `${name} ${type}`.toLowerCase())).toEqual([
        'n integer',
        'town varchar',
        'day date',
      ])

      const run = sessionOf(await admin.channel())
      expect((await run('SELECT * FROM lake.sales.orders ORDER BY id')).rows).toEqual([
        ['1', '1.50', null],
        ['2', '2.00', 'x'],
      ])
      expect((await run('SELECT town, day FROM lake.sales.days ORDER BY day')).rows).toEqual([
        ['Skagen; DK', '2026-01-31'],
        ['Ærø; DK', '2026-02-01'],
      ])
      expect((await run(`SELECT town FROM lake.sales.days WHERE day = '2026-02-01'`)).rows).toEqual([
        ['Ærø; DK'],
      ])
      expect(await run('SELECT kind, (place).x FROM lake.sales.events')).toMatchObject({
        error: '',
        rows: [['open', '7']],
      })
      expect((await run('SELECT count(*) FROM lake.sales.empty')).rows).toEqual([['0']])
      expect((await run('SELECT * FROM lake.sales.old')).error).toContain('its files are in the format ORC')
      expect(
        (
          await run(
            `SELECT count(*) FROM information_schema.columns WHERE table_catalog = 'lake' AND table_name = 'orders'`,
          )
        ).rows,
      ).toEqual([['3']])
      // A view names the table in its own text alone.
      await run('CREATE VIEW default_catalog.main.seen AS SELECT id FROM lake.sales.orders')
      expect((await run('SELECT count(*) FROM main.seen')).rows).toEqual([['2']])

      const guest = await app.user()
      const asked = sessionOf(await guest.channel())
      for (const table of ['orders', 'days']) {
        const select = `SELECT count(*) FROM lake.sales.${table}`
        await run(`REVOKE USAGE ON CATALOG lake FROM USER ${guest.name}`)
        expect((await asked(select)).error).toContain('USAGE on CATALOG lake')
        await run(`GRANT USAGE ON CATALOG lake TO USER ${guest.name}`)
        expect((await asked(select)).error).toContain(`SELECT on TABLE lake.sales.${table}`)
        await run(`GRANT SELECT ON TABLE lake.sales.${table} TO USER ${guest.name}`)
        expect((await asked(select)).rows).toEqual([['2']])
      }
      expect((await asked('SELECT * FROM lake.sales.events')).error).toContain(
        'SELECT on TABLE lake.sales.events',
      )
      expect((await asked('SELECT * FROM lake.sales.old')).error).toContain('SELECT on TABLE lake.sales.old')

      const kept = await app.store.db.selectFrom('external_catalogs').selectAll().execute()
      const audit = await app.store.db.selectFrom('audit_entries').selectAll().execute()
      expect(JSON.stringify([kept, audit])).not.toContain(s3.account.secretKey)
      expect((await admin.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.Ok.code)
      expect((await run('SELECT * FROM lake.sales.orders')).error).toContain('lake')
    })

    test('a file that is added is read by the next statement, and a changed table has its new columns', async () => {
      const { app, admin } = await setUp()
      await makeTable(s3, 'news', { ...ORDERS, columns: { id: 'bigint' } })
      await s3.put('data/news/a.parquet', await parquetOf('SELECT 1 AS id, 5 AS more'))
      await admin.call(schema.addCatalog, draft())
      const run = sessionOf(await admin.channel())
      const count = async () => (await run('SELECT count(*) FROM lake.sales.news')).rows
      await expect.poll(count).toEqual([['1']])
      await s3.put('data/news/b.parquet', await parquetOf('SELECT 2 AS id, 6 AS more'))
      await expect.poll(count).toEqual([['2']])
      await s3.glue('UpdateTable', {
        DatabaseName: 'sales',
        TableInput: {
          Name: 'news',
          StorageDescriptor: storageOf('data/news', { ...ORDERS, columns: { id: 'bigint', more: 'int' } }),
        },
      })
      app.clock.advance(10_000)
      const all = async () => (await run('SELECT * FROM lake.sales.news ORDER BY id')).rows
      await expect.poll(all).toEqual([
        ['1', '5'],
        ['2', '6'],
      ])
      await s3.glue('DeleteTable', { DatabaseName: 'sales', Name: 'news' })
      app.clock.advance(10_000)
      await expect.poll(async () => (await run('SELECT 1 FROM lake.sales.news')).error).toContain('news')
    })

    test('databases, tables and files are read with the keys of a registered IAM role, and of no other [REAL-03]', async () => {
      const roleArn = await s3.makeRole('glue-reader')
      const { admin, app } = await setUp({
        BOATHOUSE_AWS_ACCESS_KEY: s3.account.accessKey,
        BOATHOUSE_AWS_SECRET_KEY: s3.account.secretKey,
        BOATHOUSE_AWS_STS_URL: s3.endpoint,
      })
      const byRole = { ...DRAFT, s3Endpoint: s3.endpoint, access: 'role', roleArn } as const
      for (const call of [schema.testCatalog, schema.addCatalog] as const)
        expect((await admin.call(call, byRole)).message).toContain('is not registered in this account')
      await admin.call(iamRoleCalls.registerIamRole, { roleArn })
      expect((await admin.call(schema.addCatalog, { ...byRole, externalId: 'x' })).message).toContain(
        'the external ID of this account is',
      )
      expect(await admin.call(schema.addCatalog, byRole)).toMatchObject({ code: CODES.Ok.code })
      const run = sessionOf(await admin.channel())
      const select = 'SELECT sum(amount) FROM lake.sales.orders'
      expect((await run(select)).rows).toEqual([['3.50']])
      await admin.call(iamRoleCalls.deleteIamRole, { roleArn })
      app.clock.advance(10_000)
      expect((await admin.call(schema.testCatalog, byRole)).message).toContain('is not registered')
      await expect.poll(async () => (await run(select)).error).toContain('is not registered')
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
      const files = { database: 'sales', name: 'orders', after: null }
      const wanted = { key: `sales/orders/${BUCKET}/data/orders/a.parquet`, etag: '', range: null }
      const mine = app.outside.of(app.accountId)
      const theirs = app.outside.of(other.accountId)
      expect((await mine.files(id, files, stop)).files).toHaveLength(2)
      for (const ask of [
        () => theirs.tables(id, null, stop),
        () => theirs.files(id, files, stop),
        () => theirs.read(id, wanted, stop),
        () => mine.list(id, null, stop),
      ])
        await expect(ask()).rejects.toThrow('there is no such catalog')
      for (const path of ['data/days/day=2026-01-31/a.csv', 'data/orders/../days/a.csv'])
        await expect(
          mine.read(id, { ...wanted, key: `sales/orders/${BUCKET}/${path}` }, stop),
        ).rejects.toThrow(/no such file|cannot be asked for/)
    })

    test.skipIf(PYICEBERG === null)('Iceberg tables are read by the place of their metadata', async () => {
      const { admin } = await setUp()
      const { tables } = await makeTables(s3)
      const metadata = 'warehouse/sales/orders.metadata.json'
      await s3.put(metadata, tables['sales.orders'] ?? '')
      await s3.glue('CreateTable', {
        DatabaseName: 'bare',
        TableInput: {
          Name: 'ice',
          TableType: 'EXTERNAL_TABLE',
          Parameters: { table_type: 'ICEBERG', metadata_location: `s3://${BUCKET}/${metadata}` },
          StorageDescriptor: { Columns: [], Location: `s3://${BUCKET}/warehouse/sales/orders` },
        },
      })
      await admin.call(schema.addCatalog, draft())
      const run = sessionOf(await admin.channel())
      const columns = await run('DESC lake.bare.ice')
      expect(columns.error).toBe('')
      expect((await run('SELECT count(*) > 2 FROM lake.bare.ice')).rows).toEqual([['true']])
    })
  },
)

import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, schema } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { sessionOf } from '../../../testing/channel-session.ts'
import { createEmbeddedProvider, embeddedIsApart, httpfsFrom } from '../../../testing/embedded-engine.ts'
import { HIVE, type HiveMetastore, startHiveMetastore } from '../../../testing/hive-kit.ts'
import { type MadeHiveTable, serdeOf } from '../../../testing/metastore-server.ts'
import { BUCKET, HTTPFS_WHEEL, MOTO, type S3Server, startS3 } from '../../../testing/outside-kit.ts'
import { startApp } from '../../../testing/start-app.ts'
import { parquetOf } from './testing/parquet-bytes.ts'

const at = (folder: string): string => `s3a://${BUCKET}/hive/${folder}`

const ORDERS: MadeHiveTable = {
  columns: { id: 'bigint', amount: 'decimal(9,2)', note: 'string' },
  location: at('orders'),
}
const TEXT = { columns: { n: 'int', town: 'string' }, serde: serdeOf('serde2.lazy.LazySimpleSerDe') }
const DAYS = {
  ...TEXT,
  serdeWords: { 'field.delim': ';' },
  location: at('days'),
  partitions: { day: 'date' },
}

async function fill(metastore: HiveMetastore, s3: S3Server): Promise<void> {
  await metastore.createDatabase('sales')
  await metastore.createTable('sales', 'orders', ORDERS)
  await s3.put('hive/orders/a', await parquetOf(`SELECT 1 AS "ID", 1.5 AS amount`))
  await s3.put('hive/orders/b', await parquetOf(`SELECT 'x' AS note, 2::INTEGER AS id, 2 AS amount`))
  await metastore.createTable('sales', 'days', DAYS)
  for (const [day, town] of [
    ['2026-01-31', 'Skagen'],
    ['2026-02-01', 'Ærø'],
  ] as const) {
    await s3.put(`hive/days/day=${day}/a`, `1;${town}\n`)
    const { partitions: _, location, ...storage } = DAYS
    const partition = { ...storage, location: `${location}/day=${day}`, values: [day] }
    await metastore.addPartition('sales', 'days', partition)
  }
  await s3.put('hive/days/day=2099-01-01/a', '9;Nobody registered it\n')
  const orc = { ...ORDERS, serde: serdeOf('ql.io.orc.OrcSerde'), location: at('old') }
  await metastore.createTable('sales', 'old', orc)
}

describe.skipIf(HTTPFS_WHEEL === null || MOTO === null || HIVE === null || !embeddedIsApart())(
  'with a real Hive metastore and an S3 server',
  () => {
    let s3: S3Server
    let metastore: HiveMetastore
    let extensions = ''
    beforeAll(async () => {
      extensions = await httpfsFrom(HTTPFS_WHEEL)
      s3 = await startS3()
      metastore = await startHiveMetastore()
      await fill(metastore, s3)
    })
    afterAll(async () => {
      await metastore?.stop()
      await s3?.stop()
      await rm(extensions, { recursive: true, force: true })
    })

    async function setUp() {
      const engines = await createEmbeddedProvider()
      const endpoints = `${s3.endpoint},thrift://${metastore.host}`
      const app = await startApp({ BOATHOUSE_CATALOG_ENDPOINTS: endpoints }, { engines })
      onTestFinished(() => engines.close())
      await cp(extensions, join(app.dataDir, 'extensions'), { recursive: true })
      return { app, admin: await app.admin() }
    }

    const draft = (hiveHost = metastore.host) => ({
      name: 'lake',
      description: '',
      metastoreType: 'hive' as const,
      s3Region: 'us-east-1',
      s3Endpoint: s3.endpoint,
      hiveHost,
      ...s3.account,
    })

    test('what is wrong with it is said before it is saved, and nothing is kept', async () => {
      const { admin } = await setUp()
      for (const call of [schema.testCatalog, schema.addCatalog] as const)
        expect(await admin.call(call, draft('127.0.0.1:1'))).toMatchObject({
          code: CODES.QueryFailed.code,
          message:
            'The Hive metastore at 127.0.0.1:1 cannot be read: it is in a private network, and the operator of the service has not allowed this address.',
        })
      expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
    })

    test('it is tried, made, browsed, queried by privileges, and dropped [REAL-03]', async () => {
      const { app, admin } = await setUp()
      expect((await admin.call(schema.catalogOptions, {})).data.readable).toContain('hive')
      expect((await admin.call(schema.testCatalog, draft())).data).toEqual({
        databases: 2,
        tables: 3,
        problems: ['sales/old: its files are in the format ORC, and Parquet, CSV and JSON files are read'],
      })
      expect((await admin.call(schema.addCatalog, draft())).data).toEqual({ notice: '' })
      const tables = await admin.call(schema.tables, { catalog: 'lake', databaseName: 'sales' })
      expect(tables.data.list.map(({ tableName }) => tableName)).toEqual(['days', 'old', 'orders'])

      const run = sessionOf(await admin.channel())
      expect((await run('SELECT * FROM lake.sales.orders ORDER BY id')).rows).toEqual([
        ['1', '1.50', null],
        ['2', '2.00', 'x'],
      ])
      expect((await run('SELECT n, town, day FROM lake.sales.days ORDER BY day')).rows).toEqual([
        ['1', 'Skagen', '2026-01-31'],
        ['1', 'Ærø', '2026-02-01'],
      ])
      expect((await run('SELECT * FROM lake.sales.old')).error).toContain('its files are in the format ORC')

      const guest = await app.user()
      const asked = sessionOf(await guest.channel())
      const select = 'SELECT count(*) FROM lake.sales.orders'
      expect((await asked(select)).error).toContain('USAGE on CATALOG lake')
      await run(`GRANT USAGE ON CATALOG lake TO USER ${guest.name}`)
      expect((await asked(select)).error).toContain('SELECT on TABLE lake.sales.orders')
      await run(`GRANT SELECT ON TABLE lake.sales.orders TO USER ${guest.name}`)
      expect((await asked(select)).rows).toEqual([['2']])

      expect((await admin.call(schema.dropCatalog, { catalog: 'lake' })).code).toBe(CODES.Ok.code)
      expect((await run('SELECT * FROM lake.sales.orders')).error).toContain('lake')
    })
  },
)

import { schema, warehouse } from '@boathouse/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createTrinoProvider } from '../../../engines/trino/provider.ts'
import { createLog } from '../../../kernel/log.ts'
import { statementsOf } from '../../../testing/cluster-kit.ts'
import { startApp } from '../../../testing/start-app.ts'
import { TRINO, TRINO_JDK } from '../../../testing/trino-kit.ts'
import { createExistingCluster } from './existing-cluster.ts'
import { openLine } from './line.ts'
import { SERVICE, startExistingTrino } from './testing/existing-trino.ts'

const PATIENTLY = { timeout: 300_000, interval: 200 }

describe.skipIf(!TRINO || !TRINO_JDK)('a cluster that exists already', { timeout: 900_000 }, () => {
  let server: Awaited<ReturnType<typeof startExistingTrino>>

  beforeAll(async () => {
    server = await startExistingTrino()
    await server.writeCertificate()
  }, 900_000)
  afterAll(() => server?.stop())

  const settings = () => ({
    BOATHOUSE_TRINO_URL: server.addressOf(SERVICE).url,
    BOATHOUSE_TRINO_USER: SERVICE,
    BOATHOUSE_TRINO_TOKEN: server.tokenOf(SERVICE),
    BOATHOUSE_TRINO_CA: server.certificateFile,
    BOATHOUSE_TRINO_CATALOGS: 'sales@*,tpch@*,secret@another-account',
  })

  async function refusalOf(address: ReturnType<typeof server.addressOf>): Promise<string> {
    const cluster = createExistingCluster({ line: openLine(address), log: createLog('silent') })
    try {
      return await cluster.check('ann@ACME').then(() => '', String)
    } finally {
      cluster.close()
    }
  }

  test('who it does not know, or who may not act for others, is refused', async () => {
    expect(await refusalOf(server.addressOf(SERVICE))).toBe('')
    expect(await refusalOf(server.addressOf(SERVICE, 'a.b.c'))).toContain('does not accept the credentials')
    expect(await refusalOf(server.addressOf('somebody'))).toContain(
      'does not let this service act for its users',
    )
  })

  test('its warehouses have the catalogs of their account, and survive its end', async () => {
    const app = await startApp(settings(), {
      engine: 'embedded',
      clusterEngine: createTrinoProvider(),
      silentAfterMs: 100,
    })
    const [admin, grace] = [await app.admin(), await app.user()]
    const [run, read] = [await statementsOf(admin), await statementsOf(grace)]
    expect(await run("CREATE WAREHOUSE fleet SIZE = 'Small', ENGINE = 'trino', COMMENT = ''")).toBeInstanceOf(
      Array,
    )
    await run('SET WAREHOUSE fleet')
    expect(await run('SELECT count(*) FROM tpch.tiny.nation')).toEqual([['25']])

    // Also an administrator sees nothing of others, whether it is there or not.
    const hidden = "Catalog 'secret' not found"
    expect(await run('SELECT * FROM secret.default.pins')).toContain(hidden)
    expect(await run('CREATE TABLE secret.default.pins AS SELECT 1234 AS pin')).toContain(hidden)
    expect(await run('SELECT * FROM system.runtime.nodes')).toContain("Catalog 'system' not found")
    expect(await run('SELECT * FROM nowhere.a.b')).toContain("Catalog 'nowhere' not found")

    expect(await run('CREATE TABLE sales.default.boats AS SELECT 7 AS a')).toBeInstanceOf(Array)
    expect(await run('SELECT a FROM sales.default.boats')).toEqual([['7']])
    expect(await run('SELECT current_user')).toEqual([[`${admin.name}@${app.accountId}`]])

    // Privileges decide as everywhere.
    const { warehouses } = (await admin.call(warehouse.list, {})).data
    const fleet = warehouses.find(({ name }) => name === 'fleet')
    expect(fleet?.engine).toEqual({ id: 'trino', label: 'Trino', isCluster: true, isExisting: true })
    const id = fleet?.warehouseId ?? ''
    await run(`GRANT USAGE ON WAREHOUSE fleet TO USER ${grace.name}`)
    expect(await read('SET WAREHOUSE fleet')).toEqual([])
    const closed = "Catalog 'sales' not found"
    expect(await read('SELECT a FROM sales.default.boats')).toContain('USAGE on CATALOG sales')
    expect(await read('SELECT nope FROM sales.default.boats')).toContain(closed)
    expect(await read('USE sales.default')).toContain('does not exist')
    for (const sql of [
      'CREATE TABLE sales.default.oars AS SELECT 8 AS b',
      'CREATE VIEW sales.default.fleet AS SELECT b FROM sales.default.oars',
      `GRANT USAGE ON CATALOG sales TO USER ${grace.name}`,
      `GRANT SELECT ON TABLE sales.default.boats TO USER ${grace.name}`,
    ])
      expect([sql, await run(sql)]).toEqual([sql, expect.any(Array)])
    expect(await read('USE sales')).toEqual([])
    expect(await read('SELECT a FROM boats')).toContain('boats')
    expect(await read('USE sales.default')).toEqual([])
    expect(await read('SELECT a FROM boats')).toEqual([['7']])
    expect(await read('SHOW TABLES')).toEqual([['boats']])
    expect(await read('SELECT b FROM oars')).toContain('SELECT on TABLE sales.default.oars')
    expect(await read('SELECT b FROM fleet')).toContain('SELECT on VIEW sales.default.fleet')
    expect(await read('INSERT INTO boats VALUES 8')).toContain('INSERT on TABLE sales.default.boats')
    const lists = 'SELECT table_name FROM sales.information_schema.tables WHERE table_schema = CURRENT_SCHEMA'
    expect(await read(lists)).toContain('you may see only some of them')
    const own = "SELECT count(*) FROM sales.information_schema.tables WHERE table_schema = 'default'"
    expect(await run(own)).toEqual([['3']])
    await run(`GRANT SELECT ON ALL TABLES IN CATALOG sales TO USER ${grace.name}`)
    await run(`GRANT SELECT ON ALL VIEWS IN CATALOG sales TO USER ${grace.name}`)
    expect(await read(own)).toEqual([['3']])
    expect(await read('SELECT b FROM fleet')).toEqual([['8']])
    expect(await read('SELECT count(*) FROM tpch.tiny.nation')).toContain('USAGE on CATALOG tpch')

    // Names are the cluster's own; rows are read by a warehouse that runs.
    const place = { catalog: 'sales', databaseName: 'default' }
    const described = await admin.call(schema.describe, { ...place, tableName: 'boats' })
    expect(described.data).toMatchObject({ columnCount: 1, rows: { count: 1, exact: true } })
    const sampled = await admin.call(schema.sample, { ...place, tableName: 'boats' })
    expect(sampled.data.rows).toEqual([['7']])
    await run(`REVOKE SELECT ON ALL TABLES IN CATALOG sales FROM USER ${grace.name}`)
    expect(await read('SELECT b FROM oars')).toContain('SELECT on TABLE sales.default.oars')

    // Nothing of it is stopped, and the warehouse runs again without being resumed.
    const statusOf = async () => (await admin.call(warehouse.describe, { warehouseId: id })).data.status
    await server.kill()
    await vi.waitFor(
      async () => expect(await run('SELECT 1')).toContain('The cluster does not answer'),
      PATIENTLY,
    )
    await vi.waitFor(async () => {
      await app.compute.measureCpu()
      expect(await statusOf()).toBe('Unknown')
    }, PATIENTLY)
    await server.start()
    await vi.waitFor(async () => expect(await run('SELECT 1')).toEqual([['1']]), PATIENTLY)
    expect(await statusOf()).toBe('Running')
    expect(await run('SUSPEND WAREHOUSE fleet')).toBeInstanceOf(Array)
    expect(await refusalOf(server.addressOf(SERVICE))).toBe('')
    expect(await run('SELECT count(*) FROM tpch.tiny.region')).toEqual([['5']])
  })
})

import { objectOf, perms, warehouse } from '@boathouse/contract'
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
    const app = await startApp(settings(), { clusterEngine: createTrinoProvider(), silentAfterMs: 100 })
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
    const grant = (object: ReturnType<typeof objectOf>, privileges: 'USAGE'[]) =>
      admin.call(perms.grantPrivToUser, { user: grace.name, object, privileges })
    await grant(objectOf('warehouse', { name: id }), ['USAGE'])
    await read('SET WAREHOUSE fleet')
    expect(await read('SELECT a FROM sales.default.boats')).not.toBeInstanceOf(Array)

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

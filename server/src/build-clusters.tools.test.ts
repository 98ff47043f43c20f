import { chmod, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { objectOf, perms } from '@boathouse/contract'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { createOfferedClusters } from './build-clusters.ts'
import { createAccountFolders } from './compute/local/account-folders.ts'
import type { Cluster, ClusterSpace } from './engines/engine/cluster-space.ts'
import { NO_NAME_RULES } from './engines/engine/name-rules.ts'
import { readTable, readView } from './engines/lake/metadata.ts'
import { createScriptedProvider } from './engines/scripted/provider.ts'
import { createLog } from './kernel/log.ts'
import { type Config, readConfig } from './config.ts'
import { openLakes } from './lakes.ts'
import { startApp } from './testing/start-app.ts'
import { TRINO, TRINO_JDK } from './testing/trino-kit.ts'

const PATIENTLY = { timeout: 120_000, interval: 50 }
/** As in the product: only root can start processes of another user. */
const OS_USER = process.getuid?.() === 0 ? 61_999 : null
const WAREHOUSE = '5d0a5c0e-0d5e-4c1e-8a44-0a4e3a8c9d11'

const nothing = () => Promise.reject(new Error('There is nothing outside.'))

/** An engine that only hands out its cluster: statements are the affair of another room. */
function handedOut() {
  const clusters: Cluster[] = []
  const scripted = createScriptedProvider()
  const provider = {
    id: 'trino',
    label: 'Trino',
    nameRules: NO_NAME_RULES,
    async open({ accountId, resultsDirectory, cluster, threads, memoryBytes }: ClusterSpace) {
      clusters.push(cluster)
      const place = { directory: resultsDirectory, tempBytes: 0, osUser: null }
      const engine = await scripted.open({ accountId, threads, memoryBytes, ...place })
      return Object.assign(engine, { close: () => cluster.stop() })
    },
    close: async () => undefined,
  }
  return { provider, clusters }
}

interface Page {
  readonly nextUri?: string
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly message: string }
}

/** Its rows, or the message of its error. */
async function run(cluster: Cluster, user: string, sql: string): Promise<unknown> {
  const rows: unknown[] = []
  const headers = cluster.headersFor(user)
  let response = await fetch(`${cluster.url}/v1/statement`, { method: 'POST', body: sql, headers })
  for (;;) {
    const page = (await response.json()) as Page
    if (page.error) return page.error.message
    rows.push(...(page.data ?? []))
    if (!page.nextUri) return rows
    response = await fetch(cluster.addressOf(page.nextUri), { headers })
  }
}

test.skipIf(!TRINO || !TRINO_JDK)(
  'a warehouse that is a cluster has the catalog of its account, and its users what they were granted',
  { timeout: 600_000 },
  async () => {
    const app = await startApp()
    const [admin, grace] = [await app.admin(), await app.user()]
    const directory = await mkdtemp(join(tmpdir(), 'boathouse-clusters-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    // That of the other tests: to make one takes longer than they do.
    await mkdir(join(directory, 'clusters'))
    await mkdir(join(directory, 'accounts'))
    await chmod(directory, 0o755)
    await symlink(join(dirname(TRINO ?? ''), 'trino-start-cache'), join(directory, 'clusters', 'start-cache'))
    const settings = { BOATHOUSE_TRINO_HOME: TRINO ?? '', BOATHOUSE_TRINO_JDK: TRINO_JDK ?? '' }
    const config: Config = readConfig({ ...settings, BOATHOUSE_TRINO_HEAP_MB: '512' }, directory)
    const { provider, clusters } = handedOut()
    const folders = createAccountFolders(join(directory, 'accounts'))
    const lakes = await openLakes({
      store: app.store,
      engine: provider.id,
      folders,
      requireOver: async () => undefined,
    })
    const offered = createOfferedClusters({
      config,
      store: {
        ...app.store,
        socket: `${new URL(inject('testServer').url).searchParams.get('host')}/.s.PGSQL.5432`,
      },
      clusterEngine: provider,
      log: createLog('warn'),
      lakes,
      accountsDirectory: join(directory, 'accounts'),
      osUserOf: async () => OS_USER,
      outside: { of: async () => [], metadata: nothing, secretKey: async () => null },
    })
    const [provisioner] = await offered.open(folders)
    if (!provisioner) throw new Error(offered.offer())
    // Also of a test that failed, no process is left.
    onTestFinished(() => provisioner.close())
    expect(offered.offer()).toMatch(/^offered: Trino \d+ on Java \d+/)
    const renewAccess = (): Promise<unknown> => Promise.all(offered.jobs().map((job) => job.run()))

    const began = Date.now()
    const engine = await provisioner.start(app.accountId, provisioner.capacityOf(['X-Small']), {
      warehouseId: WAREHOUSE,
    })
    const [cluster] = clusters
    if (!cluster) throw new Error('There is no cluster.')
    process.stdout.write(`a coordinator and a worker: ${Date.now() - began} ms until they take statements\n`)
    expect(cluster.catalogs).toEqual(['lake'])
    expect(await run(cluster, admin.name, 'create table lake.main.boats as select 7 as a')).toEqual([[1]])
    expect(await provisioner.storedBytes(app.accountId)).toBeGreaterThan(0)

    // A database of the service is one of the cluster, and a table of the cluster one of the service.
    const lake = lakes.of(app.accountId)
    expect(await lake.createDatabase('port', 'a-statement')).toBe(true)
    const create = 'create table lake.port.ships (id bigint not null, tags array(varchar))'
    expect(await run(cluster, admin.name, create)).toEqual([])
    await run(cluster, admin.name, "insert into lake.port.ships values (1, array['a']), (2, null)")
    await run(cluster, admin.name, 'delete from lake.port.ships where id = 2')
    await run(cluster, admin.name, 'create view lake.port.names as select id from lake.port.ships')
    expect(await lake.databases()).toEqual(['main', 'port'])
    const described = await Promise.all(
      (await lake.tables({ database: 'port', most: 10 })).map(async (table) => ({
        name: table.name,
        type: table.type,
        file: await lake.metadata(table),
      })),
    )
    const [view, table] = described
    expect(described.map(({ name, type }) => [name, type])).toEqual([
      ['names', 'view'],
      ['ships', 'table'],
    ])
    expect(readView(view?.file)).toMatchObject({ columns: [{ name: 'id', type: 'bigint' }] })
    expect(readTable(table?.file)).toMatchObject({
      columns: [
        { name: 'id', type: 'bigint', nullable: false },
        { name: 'tags', type: 'array(varchar)', nullable: true },
      ],
      rows: 1,
    })
    expect(await lake.dropDatabase('port', 'another')).toBe('not empty')
    expect(await run(cluster, grace.name, 'select * from lake.port.ships')).toContain('Access Denied')

    const read = () => run(cluster, grace.name, 'select a from lake.main.boats')
    expect(await read()).toContain('Access Denied')
    await admin.call(perms.grantPrivToUser, {
      user: grace.name,
      object: objectOf('table'),
      privileges: ['SELECT'],
    })
    await renewAccess()
    await vi.waitFor(async () => expect(await read()).toEqual([[7]]), PATIENTLY)
    await admin.call(perms.revokePrivFromUser, {
      user: grace.name,
      object: objectOf('table'),
      privileges: ['SELECT'],
    })
    await renewAccess()
    await vi.waitFor(async () => expect(await read()).toContain('Access Denied'), PATIENTLY)

    await engine.close()
    expect(await provisioner.left?.()).toEqual([])
    expect(await readdir(join(directory, 'clusters', 'running'))).toEqual([])
    const roles = await app.store.pool.query("select 1 from pg_roles where rolname like 'boathouse_5d0a%'")
    expect(roles.rows).toEqual([])
    await provisioner.remove(app.accountId)
  },
)

import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openClusterCatalog, removeClusterRole } from '../../store/cluster-catalog.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database.ts'
import { openTrino, planOf, TRINO, TRINO_JDK } from '../../testing/trino-kit.ts'
import { PatientPool } from '../../store/patient-pool.ts'
import { internalCatalog, TPCH_CATALOG } from './catalogs.ts'
import { type DatabaseLine, openDatabaseLine } from './database-line.ts'
import type { LocalCluster } from './local-cluster.ts'
import type { LocalClusters } from './local-clusters.ts'
import { serviceToken } from './service-token.ts'

const PATIENTLY = { timeout: 300_000, interval: 100 }
const READER = {
  users: ['alice'],
  objects: [{ catalog: 'lake', schema: 'shop', table: 'orders', privileges: ['SELECT'] }],
} as const
const CLUSTER_ID = '0b9f6f0e-52d1-4cf5-9d39-1f6d6e1c7a11'
const SERVICE = 'boathouse'
/** Said beside the tests: how long it takes depends on the machine. */
const measured = (text: string): void => void process.stdout.write(`${text}\n`)

interface Page {
  readonly nextUri?: string
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: { readonly message: string; readonly errorName: string }
}

describe.skipIf(!TRINO || !TRINO_JDK)('clusters of a real server', { timeout: 600_000 }, () => {
  let directory: string
  let database: FreshDatabase
  let pool: PatientPool
  let line: DatabaseLine
  let clusters: LocalClusters
  let cluster: LocalCluster
  let password = ''
  const lake = () => join(directory, 'lake')
  const running = () => join(directory, 'running')

  const plan = (workers: number) => ({
    ...planOf({ workers, users: [READER] }),
    catalogs: async (secrets: { catalogPassword: string }) => {
      password = secrets.catalogPassword
      const { schema, role } = await openClusterCatalog(pool, {
        accountId: 'AC1',
        clusterId: CLUSTER_ID,
        password,
      })
      const name = new URL(database.url).pathname.slice(1)
      const databaseUrl = `jdbc:postgresql://127.0.0.1:${line.port}/${name}?currentSchema=${schema}`
      return [
        TPCH_CATALOG,
        internalCatalog({ name: 'lake', databaseUrl, user: role, password, folder: lake() }),
      ]
    },
  })

  async function page(address: string, init: RequestInit): Promise<Page> {
    const response = await fetch(address, init)
    if (!response.ok) throw new Error(`status ${response.status}`)
    return (await response.json()) as Page
  }

  /** All rows, as somebody; rejects with the message. */
  async function run(sql: string, user = SERVICE): Promise<(readonly unknown[])[]> {
    const rows: (readonly unknown[])[] = []
    const headers = cluster.headersFor(user)
    let next = await page(`${cluster.url}/v1/statement`, { method: 'POST', body: sql, headers })
    for (;;) {
      if (next.error) throw new Error(next.error.message)
      rows.push(...(next.data ?? []))
      if (!next.nextUri) return rows
      next = await page(cluster.addressOf(next.nextUri), { headers })
    }
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'boathouse-trino-'))
    await mkdir(lake())
    database = await freshDatabase()
    const url = new URL(database.url)
    const log = { info: () => undefined, warn: () => undefined }
    pool = new PatientPool(
      { connectionString: database.url },
      { log, patienceMs: 10_000, untilBack: async () => {} },
    )
    line = await openDatabaseLine(`${url.searchParams.get('host')}/.s.PGSQL.5432`, join(directory, 'port'))
    clusters = await openTrino(running())
    const began = Date.now()
    cluster = await clusters.start(plan(2))
    measured(`a coordinator and two workers: ${Date.now() - began} ms until they take statements`)
  }, 900_000)

  afterAll(async () => {
    await clusters?.remove('tests')
    await line?.close()
    await pool?.query('drop schema if exists iceberg_ac1 cascade')
    if (pool) await removeClusterRole(pool, CLUSTER_ID)
    await pool?.end()
    await database?.drop()
    await rm(directory, { recursive: true, force: true })
  })

  test('it takes statements, and its workers do the work', async () => {
    expect(await run('select count(*) from tpch.tiny.lineitem')).toEqual([[60175]])
    expect(await run("select count(*) from system.runtime.nodes where state = 'active'")).toEqual([[3]])
    await cluster.requireWorkers()
  })

  test('nobody is let in without a token that the service has signed, at the coordinator or a worker', async () => {
    const ports = [new URL(cluster.url).port, ...cluster.workerPorts.map(String)]
    const expired = serviceToken(Buffer.from('another key').toString('base64'), new Date())
    const strangers = [
      { 'x-trino-user': SERVICE },
      { 'x-trino-user': SERVICE, 'x-forwarded-proto': 'https' },
      { 'x-trino-user': SERVICE, 'x-forwarded-proto': 'https', authorization: `Bearer ${expired}` },
      { 'x-trino-user': SERVICE, 'x-forwarded-proto': 'https', authorization: 'Basic Ym9hdGhvdXNlOg==' },
      { 'x-trino-user': SERVICE, 'x-trino-internal-bearer': expired },
    ]
    for (const port of ports)
      for (const headers of strangers)
        for (const [method, path] of [
          ['POST', '/v1/statement'],
          ['GET', '/v1/query'],
          ['PUT', '/v1/info/state'],
          ['GET', '/v1/task'],
          ['GET', '/v1/thread'],
        ] as const) {
          const body = method === 'GET' ? undefined : method === 'PUT' ? '"SHUTTING_DOWN"' : 'select 1'
          const response = await fetch(`http://127.0.0.1:${port}${path}`, {
            method,
            headers: { ...headers, 'content-type': 'application/json' },
            redirect: 'manual',
            ...(body === undefined ? {} : { body }),
          })
          await response.text()
          expect(
            [401, 403, 404, 405],
            `${method} ${path} at ${port} with ${JSON.stringify(headers)}`,
          ).toContain(response.status)
        }
    // And from no other address of this machine.
    const other = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)
    if (other)
      await expect(fetch(`http://${other.address}:${ports[0]}/v1/info`)).rejects.toThrow('fetch failed')
  })

  test('a token that is too old is refused', async () => {
    const { authorization = '' } = cluster.headersFor(SERVICE)
    const [, claims = ''] = authorization.slice('Bearer '.length).split('.')
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ sub: SERVICE })
    const key = (await readFile(join(running(), 'tests', 'token.key'), 'utf8')).trim()
    const old = serviceToken(key, new Date(Date.now() - 3_600_000))
    expect(createHmac('sha256', 'x').digest('hex')).not.toBe(old)
    const headers = { ...cluster.headersFor(SERVICE), authorization: `Bearer ${old}` }
    await expect(
      page(`${cluster.url}/v1/statement`, { method: 'POST', body: 'select 1', headers }),
    ).rejects.toThrow('status 401')
  })

  test('secrets are in files for the service alone, and in no other file or command line', async () => {
    const secrets = JSON.parse(await readFile(join(running(), 'tests', 'secrets.json'), 'utf8')) as Record<
      string,
      string
    >
    expect((await stat(join(running(), 'tests', 'secrets.json'))).mode & 0o777).toBe(0o600)
    const files = (await readdir(running(), { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    )
    const telling: string[] = []
    for (const { parentPath, name } of files) {
      const text = await readFile(join(parentPath, name), 'latin1')
      if (Object.values(secrets).some((secret) => text.includes(secret))) telling.push(name)
    }
    expect(telling.toSorted()).toEqual(['secrets.json', 'token.key'])
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-eo', 'args'])
    for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret)
  })

  test('tables of the account are Iceberg files in its folder, with their names in the database', async () => {
    await run('create schema lake.shop')
    await run('create table lake.shop.orders as select orderkey, totalprice from tpch.tiny.orders')
    await run('create table lake.shop.secrets as select 1 as x')
    await run('delete from lake.shop.orders where orderkey > 100')
    expect(await run('select count(*) from lake.shop.orders where orderkey <= 100')).toEqual(
      await run('select count(*) from tpch.tiny.orders where orderkey <= 100'),
    )
    const files = await readdir(lake(), { recursive: true })
    expect(files.some((name) => name.endsWith('.parquet'))).toBe(true)
    await expect(
      run("create table lake.shop.outside (x int) with (location = 'local:///../../etc')"),
    ).rejects.toThrow(/location|path|uri/i)
  })

  test('the role of a cluster reads and writes names of tables, and nothing else in the database', async () => {
    const url = new URL(database.url)
    url.username = `boathouse_${CLUSTER_ID.replaceAll('-', '')}`
    url.password = password
    const client = new Client({ connectionString: url.href })
    await client.connect()
    try {
      const { rows } = await client.query('select table_name from iceberg_ac1.iceberg_tables order by 1')
      expect(rows).toEqual([{ table_name: 'orders' }, { table_name: 'secrets' }])
      await expect(client.query('select * from boathouse.users')).rejects.toThrow('permission denied')
      await expect(client.query('create table iceberg_ac1.x (y int)')).rejects.toThrow('permission denied')
      await expect(client.query('drop table iceberg_ac1.iceberg_tables')).rejects.toThrow('must be owner')
      await expect(client.query('create role other')).rejects.toThrow('permission denied')
    } finally {
      await client.end()
    }
  })

  test('a user can do what the rules say, and a change applies within two seconds', async () => {
    expect(await run('select count(*) > 0 from lake.shop.orders', 'alice')).toEqual([[true]])
    await expect(run('select * from lake.shop.secrets', 'alice')).rejects.toThrow('Access Denied')
    await expect(run('delete from lake.shop.orders', 'alice')).rejects.toThrow('Access Denied')
    await expect(run('select * from lake.shop.orders', 'bob')).rejects.toThrow('Access Denied')
    await expect(run('select * from system.runtime.queries', 'alice')).rejects.toThrow('Access Denied')
    await expect(run('create catalog mine using memory', 'alice')).rejects.toThrow('Access Denied')
    await expect(run('drop catalog lake', 'alice')).rejects.toThrow('Access Denied')
    await expect(run("call lake.system.rollback_to_snapshot('shop', 'orders', 1)", 'alice')).rejects.toThrow(
      'Access Denied',
    )

    const changed = async (users: Parameters<LocalClusters['setAccess']>[1], mayRead: boolean) => {
      await clusters.setAccess('tests', users)
      const began = Date.now()
      await vi.waitFor(async () => {
        const answer = await run('select 1 from lake.shop.orders limit 1', 'bob').then(
          () => 'read',
          (error: Error) => error.message,
        )
        expect(answer).toMatch(mayRead ? /^read$/ : /Access Denied/)
      }, PATIENTLY)
      return Date.now() - began
    }
    const granted = await changed([READER, { ...READER, users: ['bob'] }], true)
    const revoked = await changed([READER], false)
    measured(`a grant applied after ${granted} ms, a revoke after ${revoked} ms`)
  })

  test('only the service speaks for others', async () => {
    const key = (await readFile(join(running(), 'tests', 'token.key'), 'utf8')).trim()
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const seconds = Math.floor(Date.now() / 1000)
    const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: 'alice', iat: seconds, exp: seconds + 60 })}`
    const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(content).digest('base64url')
    const headers = { ...cluster.headersFor('bob'), authorization: `Bearer ${content}.${signature}` }
    let next = await page(`${cluster.url}/v1/statement`, { method: 'POST', body: 'select 1', headers })
    while (next.nextUri && !next.error) next = await page(cluster.addressOf(next.nextUri), { headers })
    expect(next.error?.message).toContain('Access Denied')
  })

  test('a catalog that cannot be made is reported in a line', async () => {
    const made = run(
      `create catalog broken using iceberg with ("iceberg.catalog.type" = 'jdbc', "nonsense" = '1')`,
    )
    const message = await made.then(
      () => '',
      (error: Error) => error.message,
    )
    const { whatHelps } = await import('./what-helps.ts')
    measured(
      `a catalog that cannot be made: ${message.split('\n').length} lines, shown as: ${whatHelps(message)}`,
    )
    expect(message).not.toBe('')
    expect(whatHelps(message).length).toBeLessThan(402)
    expect(whatHelps(message)).toMatch(/iceberg\.jdbc-catalog|nonsense/)
  })

  test('a worker that is killed is replaced, and one that leaves finishes its work', async () => {
    const [pid = 0] = cluster.pids.workers
    process.kill(pid, 'SIGKILL')
    const began = Date.now()
    await vi.waitFor(() => expect(cluster.pids.workers).not.toContain(pid), PATIENTLY)
    measured(`a killed worker was replaced after ${Date.now() - began} ms`)
    // The coordinator counts one that is gone for some seconds more.
    const ports = async (): Promise<string[]> => {
      const sql = "select http_uri from system.runtime.nodes where state = 'active' and not coordinator"
      return (await run(sql)).map(([uri]) => new URL(String(uri)).port).toSorted()
    }
    await vi.waitFor(async () => {
      expect(await ports()).toEqual(cluster.workerPorts.map(String).toSorted())
    }, PATIENTLY)
    const counted = run(
      'select count(*) from tpch.tiny.lineitem a join tpch.tiny.orders b on a.orderkey = b.orderkey',
    )
    await cluster.resize(1)
    expect(cluster.pids.workers).toHaveLength(1)
    expect(await counted).toEqual([[60175]])
    const grown = Date.now()
    await cluster.resize(2)
    measured(`one more worker: ${Date.now() - grown} ms until it takes part`)
    expect(await run('select count(*) from tpch.tiny.orders')).toEqual([[15000]])
  })

  test('a coordinator that hangs is waited for, and one that is killed is reported and replaced', async () => {
    expect(await cluster.cpuMs()).toBeGreaterThan(0)
    process.kill(cluster.pids.coordinator, 'SIGSTOP')
    const used = cluster.cpuMs()
    let isAnswered = false
    void used.then(() => (isAnswered = true))
    await expect(fetch(`${cluster.url}/v1/info`, { signal: AbortSignal.timeout(500) })).rejects.toThrow(
      'timeout',
    )
    expect(isAnswered).toBe(false)
    process.kill(cluster.pids.coordinator, 'SIGCONT')
    expect(await used).toBeGreaterThan(0)

    const { workers } = cluster.pids
    process.kill(cluster.pids.coordinator, 'SIGKILL')
    const killed = Date.now()
    expect(await cluster.lost).toContain('The coordinator of the cluster ended.')
    const seen = Date.now()
    cluster = await clusters.start(plan(2))
    measured(
      `a killed coordinator was noticed after ${seen - killed} ms, another took statements after ${Date.now() - seen} ms`,
    )
    expect(cluster.pids.workers).toEqual(workers)
    expect(await run('select count(*) > 0 from lake.shop.orders', 'alice')).toEqual([[true]])
  })

  test('a service that starts again takes over what runs, and ends all of it when it stops', async () => {
    const { pids } = cluster
    const next = await openTrino(running())
    expect(await next.left()).toEqual(['tests'])
    const began = Date.now()
    cluster = await next.start(plan(2))
    measured(`a running cluster was taken over after ${Date.now() - began} ms`)
    expect(cluster.pids).toEqual(pids)
    expect(await run('select count(*) from lake.shop.secrets')).toEqual([[1]])
    await next.remove('tests')
    clusters = next
    // They are children of this process, which takes note of their end a moment later.
    await vi.waitFor(() => {
      for (const pid of [pids.coordinator, ...pids.workers])
        expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    }, PATIENTLY)
    expect(await readdir(running())).toEqual([])
  })
})

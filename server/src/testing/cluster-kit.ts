import { mkdir, readdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import type { Environment } from '../config.ts'
import { createTrinoProvider } from '../engines/trino/provider.ts'
import { readRecord } from '../providers/trino/cluster-record.ts'
import { embeddedIsApart, createEmbeddedProvider } from './embedded-engine.ts'
import { sessionOf } from './channel-session.ts'
import { startApp, type TestApp } from './start-app.ts'
import type { TestUser } from './test-users.ts'
import { TRINO, TRINO_JDK } from './trino-kit.ts'

/** Whether tests with a real cluster behind the whole service can run here. */
export const HAS_CLUSTERS = TRINO !== null && TRINO_JDK !== null && embeddedIsApart()

export const CLUSTER_WAREHOUSE = 'fleet'

/** Statements of one connection: rows, or the message of the error. */
export async function statementsOf(user: TestUser) {
  const session = sessionOf(await user.channel())
  return async (sql: string): Promise<unknown> => {
    const { error, rows } = await session(sql)
    return error === '' ? rows : error
  }
}

/** The whole service with the embedded engine, and a warehouse that is a cluster of one worker on small heaps. */
export async function startClusterApp(
  settings: Environment = {},
  /** What there is before its cluster is started. */
  prepare: (app: TestApp, admin: TestUser) => Promise<void> = async () => undefined,
) {
  const engines = await createEmbeddedProvider()
  const app = await startApp(
    {
      BOATHOUSE_TRINO_HOME: TRINO ?? '',
      BOATHOUSE_TRINO_JDK: TRINO_JDK ?? '',
      BOATHOUSE_TRINO_HEAP_MB: '512',
      BOATHOUSE_TRINO_TPCH: 'true',
      // Only where it listens is taken from it.
      DATABASE_URL: inject('testServer').url,
      ...settings,
    },
    { engines, clusterEngine: createTrinoProvider() },
  )
  onTestFinished(() => engines.close())
  // To make one takes longer than the tests do.
  const cache = join(app.dataDir, 'clusters', 'start-cache')
  const shared = join(dirname(TRINO ?? ''), 'trino-start-cache')
  for (const folder of [dirname(cache), shared]) await mkdir(folder, { recursive: true })
  await symlink(shared, cache)
  const admin = await app.admin()
  await prepare(app, admin)
  const run = await statementsOf(admin)
  const created = await run(
    `CREATE WAREHOUSE ${CLUSTER_WAREHOUSE} SIZE = 'X-Small', ENGINE = 'trino', COMMENT = ''`,
  )
  if (!Array.isArray(created)) throw new Error(String(created))
  return { app, admin, run }
}

/** As a machine that runs out of memory would: the process that plans for the one cluster of this service ends at once. */
export async function killCoordinator({ dataDir }: Pick<TestApp, 'dataDir'>): Promise<void> {
  const place = join(dataDir, 'clusters', 'running')
  const [id = ''] = await readdir(place)
  const { nodes } = await readRecord(join(place, id))
  const found = nodes.find((node) => node.isCoordinator)
  if (!found) throw new Error('There is no coordinator.')
  process.kill(found.pid, 'SIGKILL')
}

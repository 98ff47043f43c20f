import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createLog, type Log } from '../kernel/log.ts'
import type { UserAccess } from '../providers/trino/access-rules.ts'
import { type CatalogDefinition, TPCH_CATALOG } from '../providers/trino/catalogs.ts'
import type { ClusterSecrets } from '../providers/trino/cluster-secrets.ts'
import { findInstallation } from '../providers/trino/installation.ts'
import { createLocalClusters } from '../providers/trino/local-clusters.ts'
import { createStartCache } from '../providers/trino/start-cache.ts'
import { found } from './outside-kit.ts'

const OLDEST_JAVA = 24
const SYSTEM_JAVAS = '/usr/lib/jvm'
const HEAP_BYTES = 512 * 1024 ** 2

function isNewJava(folder: string): boolean {
  const file = join(folder, 'release')
  const release = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return Number(/^JAVA_VERSION="(\d+)/m.exec(release)?.[1] ?? 0) >= OLDEST_JAVA
}

/** As `scripts/trino.mjs` finds it. */
function installedJava(): string | null {
  const names = existsSync(SYSTEM_JAVAS) ? readdirSync(SYSTEM_JAVAS) : []
  return names.map((name) => join(SYSTEM_JAVAS, name)).find(isNewJava) ?? null
}

/** Folders of the server and of the Java for it; null where one is missing, and tests that need it are skipped. */
export const TRINO = found('BOATHOUSE_TEST_TRINO', /^trino-\d+$/)
export const TRINO_JDK = process.env['BOATHOUSE_TEST_TRINO_JDK'] ?? installedJava()

interface TrinoOptions {
  readonly workers: number
  readonly catalogs?: readonly CatalogDefinition[]
  readonly users?: readonly UserAccess[]
}

/** What starts clusters of a real server, on small heaps, with a start cache that is kept between runs. */
export async function openTrino(directory: string, log: Log = createLog('warn')) {
  const installation = await findInstallation({ home: TRINO ?? undefined, jdk: TRINO_JDK ?? undefined })
  const place = join(dirname(TRINO ?? ''), 'trino-start-cache')
  const cache = createStartCache({ directory: place, installation, log })
  await cache.prepare()
  return createLocalClusters({ directory, installation, cache, log })
}

export const planOf = ({ workers, catalogs = [TPCH_CATALOG], users = [] }: TrinoOptions) => ({
  id: 'tests',
  workers,
  coordinatorHeapBytes: HEAP_BYTES,
  workerHeapBytes: HEAP_BYTES,
  catalogs: async (_secrets: ClusterSecrets) => catalogs,
  keys: {},
  users,
  owner: null,
})

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FileOwner, makePrivateFolder, writePrivate } from './private-files.ts'

/** One process of a cluster. */
export interface NodePlan {
  /** Names it in its cluster, and its folder. */
  readonly id: string
  readonly isCoordinator: boolean
  readonly port: number
  readonly heapBytes: number
  /** A coordinator without workers, which does their work itself. */
  readonly isAlone?: true
}

export interface NodeSurroundings {
  /** Folder of the cluster. */
  readonly directory: string
  /** No other cluster has it: a node never joins another one. */
  readonly environment: string
  readonly coordinatorPort: number
  readonly plugins: string
  /** Files of its catalogs, by their names. */
  readonly catalogs: ReadonlyMap<string, string>
  /** Whom its processes run as. */
  readonly owner: FileOwner
}

export const SHARED_SECRET_VARIABLE = 'BOATHOUSE_CLUSTER_SECRET'
export const TOKEN_KEY_FILE = 'token.key'
export const RULES_FILE = 'rules.json'
/** Who lost a privilege may use it this much longer. */
const RULES_REFRESHED = '500ms'

const LOG_FILE_BYTES = '5MB'
const LOG_BYTES = '20MB'

export const nodeDirectory = (directory: string, id: string): string => join(directory, 'nodes', id)

const properties = (values: Readonly<Record<string, string | number | boolean>>): string =>
  `${Object.entries(values)
    .map(([name, value]) => `${name}=${String(value).replaceAll('\\', '\\\\')}`)
    .join('\n')}\n`

function serverProperties(
  node: NodePlan,
  around: NodeSurroundings,
): Record<string, string | number | boolean> {
  const place = nodeDirectory(around.directory, node.id)
  return {
    coordinator: node.isCoordinator,
    ...(node.isCoordinator ? coordinatorProperties(node) : {}),
    'node.id': node.id,
    'node.environment': around.environment,
    // Nobody outside of this machine reaches it.
    'node.bind-ip': '127.0.0.1',
    'node.internal-address': '127.0.0.1',
    'http-server.http.port': node.port,
    'discovery.uri': `http://127.0.0.1:${around.coordinatorPort}`,
    'plugin.dir': around.plugins,
    'catalog.management': 'dynamic',
    // Nobody else on this machine is let in. Tokens are taken from requests that came over TLS, or say so: there is no
    // network between the service and its cluster.
    'http-server.authentication.type': 'jwt',
    'http-server.authentication.jwt.key-file': join(around.directory, TOKEN_KEY_FILE),
    'http-server.process-forwarded': true,
    'internal-communication.shared-secret': `\${ENV:${SHARED_SECRET_VARIABLE}}`,
    // A node that is gone is noticed within these, instead of minutes.
    'shutdown.grace-period': '2s',
    'exchange.max-error-duration': '10s',
    'query.remote-task.max-error-duration': '10s',
    'log.path': join(place, 'server.log'),
    'log.max-size': LOG_FILE_BYTES,
    'log.max-total-size': LOG_BYTES,
    'log.enable-console': false,
    'log.levels-file': join(place, 'etc', 'log.properties'),
  }
}

const coordinatorProperties = ({ isAlone }: NodePlan) => ({
  'node-scheduler.include-coordinator': isAlone === true,
  'web-ui.enabled': false,
  // Without a worker a statement would wait for five minutes.
  'query-manager.required-workers': 1,
  'query-manager.required-workers-max-wait': '10s',
})

/** Lays out what a node reads at its start, again each time: nothing of an earlier start is left. */
export async function writeNodeFiles(node: NodePlan, around: NodeSurroundings): Promise<void> {
  const { directory, catalogs, owner } = around
  const place = nodeDirectory(directory, node.id)
  const etc = join(place, 'etc')
  await rm(etc, { recursive: true, force: true })
  for (const folder of [place, etc, join(etc, 'catalog'), join(place, 'var')])
    await makePrivateFolder(folder, owner)
  await writePrivate(join(etc, 'config.properties'), properties(serverProperties(node, around)), owner)
  const rules = {
    'access-control.name': 'file',
    'security.config-file': join(directory, RULES_FILE),
    'security.refresh-period': RULES_REFRESHED,
  }
  await writePrivate(join(etc, 'access-control.properties'), properties(rules), owner)
  // Else a line each time that it reads its rules again.
  const levels = { 'io.trino.plugin.base.security': 'WARN' }
  await writePrivate(join(etc, 'log.properties'), properties(levels), owner)
  if (!node.isCoordinator) return
  for (const [name, text] of catalogs) await writePrivate(join(etc, 'catalog', name), text, owner)
}

/** How its Java is started. */
export const javaArguments = (
  node: NodePlan,
  { home, directory, cache }: { home: string; directory: string; cache: readonly string[] },
): string[] => [
  `-Xmx${Math.floor(node.heapBytes / 1024 ** 2)}M`,
  '-XX:+UseG1GC',
  '-XX:ReservedCodeCacheSize=256M',
  '-XX:+ExitOnOutOfMemoryError',
  '-XX:-UsePerfData',
  '-Djdk.attach.allowAttachSelf=true',
  // A library measures objects by attaching a second Java to this one, if it may: seconds of each start, for a guess that fits.
  '-Djol.skipHotspotSAAttach=true',
  '-XX:+EnableDynamicAgentLoading',
  '--enable-native-access=ALL-UNNAMED',
  '--sun-misc-unsafe-memory-access=allow',
  ...cache,
  '-cp',
  join(home, 'lib', '*'),
  `-Dconfig=${join(nodeDirectory(directory, node.id), 'etc', 'config.properties')}`,
  `-Dnode.data-dir=${join(nodeDirectory(directory, node.id), 'var')}`,
  'io.trino.server.TrinoServer',
]

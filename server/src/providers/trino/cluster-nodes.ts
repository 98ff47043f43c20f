import { createHash, randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type CatalogDefinition, RELAY_TOKEN_VARIABLE, renderCatalogs } from './catalogs.ts'
import { readRecord, writeRecord } from './cluster-record.ts'
import type { ClusterSecrets } from './cluster-secrets.ts'
import type { Installation } from './installation.ts'
import {
  nodeDirectory,
  type NodePlan,
  RULES_FILE,
  SHARED_SECRET_VARIABLE,
  TOKEN_KEY_FILE,
  writeNodeFiles,
} from './node-files.ts'
import { freePort, isFree, spawnNode, type StartedNode } from './node-process.ts'
import { type FileOwner, makePrivateFolder, writePrivate } from './private-files.ts'
import { end, isAlive } from './process-identity.ts'
import type { StartCache } from './start-cache.ts'

export interface ClusterNodesOptions {
  readonly directory: string
  /** Of letters, digits and underscores; no other cluster has it. */
  readonly environment: string
  readonly installation: Installation
  readonly secrets: ClusterSecrets
  readonly catalogs: readonly CatalogDefinition[]
  /** Of catalogs that it is given while it runs, by their names in its environment. */
  readonly keys: Readonly<Record<string, string>>
  /** As `renderRules` gives them. */
  readonly rules: string
  readonly coordinatorHeapBytes: number
  readonly workerHeapBytes: number
  readonly owner: FileOwner
  readonly cache: Pick<StartCache, 'options'>
  /** Called before a process is started. */
  readonly onLaunch?: (() => void) | undefined
}

const STOP_MS = 5_000

/** The processes of one cluster: those that run from before, and those that are started. */
export async function openClusterNodes(options: ClusterNodesOptions) {
  const { directory, environment, installation, secrets, owner, cache } = options
  const catalogs = renderCatalogs(options.catalogs)
  const made = madeOf(options, catalogs.files)
  const record = await readRecord(directory)
  let { coordinatorPort } = record
  let nodes: readonly StartedNode[] = record.nodes
  if (record.made !== made) await endAll()
  await makePrivateFolder(join(directory, 'nodes'), owner)
  await writePrivate(join(directory, TOKEN_KEY_FILE), secrets.tokenKey, owner)
  await writePrivate(join(directory, RULES_FILE), options.rules, owner)

  async function keep(kept: readonly StartedNode[]): Promise<void> {
    nodes = kept
    await writeRecord(directory, { made, coordinatorPort, nodes })
  }

  async function endAll(graceMs = STOP_MS): Promise<void> {
    await Promise.all(nodes.map((node) => end(node, graceMs)))
    await keep([])
    await rm(join(directory, 'nodes'), { recursive: true, force: true })
  }

  async function start(plan: NodePlan): Promise<StartedNode> {
    options.onLaunch?.()
    const plugins = join(installation.home, 'plugin')
    const around = { directory, environment, coordinatorPort, plugins, catalogs: catalogs.files, owner }
    await makePrivateFolder(join(directory, 'nodes'), owner)
    await writeNodeFiles(plan, around)
    const node = await spawnNode(plan, {
      installation,
      directory,
      environment: {
        [SHARED_SECRET_VARIABLE]: secrets.shared,
        [RELAY_TOKEN_VARIABLE]: secrets.relayToken,
        ...catalogs.environment,
        ...options.keys,
      },
      cache: await cache.options(),
      owner,
    })
    await keep([...nodes, node])
    return node
  }

  const startWorker = async (): Promise<StartedNode> =>
    start({
      id: `worker-${randomBytes(4).toString('hex')}`,
      isCoordinator: false,
      port: await freePort(),
      heapBytes: options.workerHeapBytes,
    })

  async function forget({ id }: StartedNode): Promise<void> {
    await keep(nodes.filter((node) => node.id !== id))
    await rm(nodeDirectory(directory, id), { recursive: true, force: true })
  }

  return {
    forget,
    endAll,

    async setRules(rules: string): Promise<void> {
      await writePrivate(join(directory, RULES_FILE), rules, owner)
    },

    /** The one that runs, else one that is started: where the workers that run look for it, if it can be there. */
    async coordinator(): Promise<StartedNode> {
      const running = nodes.find(({ isCoordinator }) => isCoordinator)
      if (running && (await isAlive(running))) return running
      if (running) await forget(running)
      if (nodes.length === 0 || !(await isFree(coordinatorPort))) {
        await endAll()
        coordinatorPort = await freePort()
      }
      const heapBytes = options.coordinatorHeapBytes
      return start({ id: 'coordinator', isCoordinator: true, port: coordinatorPort, heapBytes })
    },

    /** So many: those that run, and others that are started. */
    async workers(count: number): Promise<StartedNode[]> {
      const running = nodes.filter(({ isCoordinator, isLeaving }) => !isCoordinator && !isLeaving)
      const workers = running.slice(0, count)
      while (workers.length < count) workers.push(await startWorker())
      return workers
    },

    /** Another process in place of one that has ended. */
    async renew(node: StartedNode): Promise<StartedNode> {
      await forget(node)
      return startWorker()
    },

    /** It is no longer one of the workers, and ends when its work is done. */
    leave: ({ id }: StartedNode): Promise<void> =>
      keep(nodes.map((node) => (node.id === id ? { ...node, isLeaving: true } : node))),
  }
}

export type ClusterNodes = Awaited<ReturnType<typeof openClusterNodes>>

/** Whatever a process keeps from its start to its end; rules it reads again. */
function madeOf(options: ClusterNodesOptions, files: ReadonlyMap<string, string>): string {
  const { installation, secrets, catalogs, keys, coordinatorHeapBytes, workerHeapBytes, owner } = options
  const parts = [
    installation,
    secrets,
    catalogs,
    keys,
    [...files],
    coordinatorHeapBytes,
    workerHeapBytes,
    owner,
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

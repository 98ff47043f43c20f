import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StartedNode } from './node-process.ts'
import { noneIfUnreadable, writePrivate } from './private-files.ts'
import { isAlive } from './process-identity.ts'

/** Which processes a cluster has, for a service that starts again while they run. */
export interface ClusterRecord {
  /** Of all that they were started with, so that one that must be another is not taken for it. */
  readonly made: string
  /** Where workers look for their coordinator. */
  readonly coordinatorPort: number
  readonly nodes: readonly StartedNode[]
}

const FILE = 'cluster.json'
const NOTHING: ClusterRecord = { made: '', coordinatorPort: 0, nodes: [] }

export const writeRecord = (directory: string, record: ClusterRecord): Promise<void> =>
  writePrivate(join(directory, FILE), JSON.stringify(record))

/** Only of processes that still run. */
export async function readRecord(directory: string): Promise<ClusterRecord> {
  const { nodes, ...rest } = await readFile(join(directory, FILE), 'utf8')
    .then((text) => JSON.parse(text) as ClusterRecord)
    .catch((error: unknown) => noneIfUnreadable(error) ?? NOTHING)
  const living = await Promise.all(nodes.map(async (node) => ((await isAlive(node)) ? [node] : [])))
  return { ...rest, nodes: living.flat() }
}

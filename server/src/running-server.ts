import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `boathouse status` reads: where the running server is. Written when it is ready, removed when it closes. */
export interface RunningServer {
  readonly pid: number
  readonly url: string
  readonly mysqlHost: string
  readonly mysqlPort: number
  readonly region: string
  readonly accountId: string
  readonly user: string
  readonly version: string
  /** Whether warehouses can be clusters, and why not. */
  readonly clusters?: string
}

const fileIn = (dataDir: string): string => join(dataDir, 'server.json')

export async function announce(dataDir: string, server: RunningServer): Promise<void> {
  const draft = `${fileIn(dataDir)}.new`
  await writeFile(draft, `${JSON.stringify(server, null, 2)}\n`, { mode: 0o600 })
  await rename(draft, fileIn(dataDir))
}

export const withdraw = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true })

/** Undefined when no server is announced, or the announced one is no longer alive. */
export async function findRunning(dataDir: string): Promise<RunningServer | undefined> {
  try {
    const server = JSON.parse(await readFile(fileIn(dataDir), 'utf8')) as RunningServer
    process.kill(server.pid, 0)
    return server
  } catch {
    // No file, a torn file or no such process: all mean that none runs.
    return undefined
  }
}

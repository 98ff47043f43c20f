import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import { openSecrets } from './cluster-secrets.ts'
import { activeWorkers, hasStarted } from './coordinator.ts'
import type { Installation } from './installation.ts'
import { renderRules } from './access-rules.ts'
import { RULES_FILE, SHARED_SECRET_VARIABLE, TOKEN_KEY_FILE, writeNodeFiles } from './node-files.ts'
import { freePort, lastWords, spawnNode } from './node-process.ts'
import { writePrivate } from './private-files.ts'
import { end, isAlive } from './process-identity.ts'
import { ClusterRefused } from './refused.ts'

const MIB = 1024 ** 2
const TRAINING_HEAP = 512 * MIB
const TRAINING_MS = 300_000
/** It writes the cache before it ends. */
const WRITING_MS = 300_000
const LOOK_MS = 250

export interface StartCacheOptions {
  readonly directory: string
  readonly installation: Installation
  readonly log: Log
}

/**
 * What Java has loaded and linked of the server, kept for its next starts: they take two thirds of the time and of the
 * processor. Made once for a server and a Java; that of another one is deleted.
 */
export function createStartCache({ directory, installation, log }: StartCacheOptions) {
  const name = `${installation.fingerprint}.aot`
  const file = join(directory, name)
  let making: Promise<void> | null = null
  const closing = new AbortController()

  async function make(): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o755 })
    const place = await mkdtemp(join(directory, 'training-'))
    try {
      const draft = join(place, name)
      await train(installation, { directory: place, draft, signal: closing.signal })
      await rename(draft, file)
      for (const other of await readdir(directory))
        if (other.endsWith('.aot') && other !== name) await rm(join(directory, other), { force: true })
    } finally {
      await rm(place, { recursive: true, force: true })
    }
  }

  return {
    /** Options of Java with which a start uses it; none while it is not there. */
    async options(): Promise<string[]> {
      return (await stat(file).catch(() => null)) ? [`-XX:AOTCache=${file}`] : []
    },

    /** Does nothing where it is there, or where this Java cannot have one. A failure is logged: starts take longer. */
    async prepare(): Promise<void> {
      if (!installation.canCache || closing.signal.aborted || (await stat(file).catch(() => null))) return
      making ??= make()
        .catch((error: unknown) => {
          if (!closing.signal.aborted)
            log.warn({ err: error }, 'clusters start without a cache, which takes longer')
        })
        .finally(() => (making = null))
      await making
    },

    /** Ends the process that makes it; the next service makes it again. */
    async close(): Promise<void> {
      closing.abort()
      await making
    },
  }
}

export type StartCache = ReturnType<typeof createStartCache>

interface Training {
  readonly directory: string
  /** Where Java puts the cache. */
  readonly draft: string
  readonly signal: AbortSignal
}

/** Starts a server alone, lets it run a statement, and ends it. */
async function train(installation: Installation, { directory, draft, signal }: Training): Promise<void> {
  const secrets = await openSecrets(directory)
  await writePrivate(join(directory, TOKEN_KEY_FILE), secrets.tokenKey)
  await writePrivate(join(directory, RULES_FILE), renderRules([]))
  const port = await freePort()
  const plan = { id: 'training', isCoordinator: true, isAlone: true, port, heapBytes: TRAINING_HEAP } as const
  await writeNodeFiles(plan, {
    directory,
    environment: 'training',
    coordinatorPort: port,
    plugins: join(installation.home, 'plugin'),
    catalogs: new Map(),
    owner: null,
  })
  const node = await spawnNode(plan, {
    installation,
    directory,
    environment: { [SHARED_SECRET_VARIABLE]: secrets.shared },
    cache: [`-XX:AOTCacheOutput=${draft}`],
    owner: null,
  })
  const abort = (): void => void end(node, 0)
  signal.addEventListener('abort', abort, { once: true })
  const address = { port, tokenKey: secrets.tokenKey }
  const deadline = Date.now() + TRAINING_MS
  try {
    while (!(await hasStarted(address).catch(() => false))) {
      if (!(await isAlive(node)) || Date.now() > deadline)
        throw new ClusterRefused(`The server did not start. ${await lastWords(directory, node.id)}`)
      await sleep(LOOK_MS)
    }
    await activeWorkers(address)
  } finally {
    await end(node, signal.aborted ? 0 : WRITING_MS)
    signal.removeEventListener('abort', abort)
  }
  if (!(await stat(draft).catch(() => null)))
    throw new ClusterRefused(`Java wrote no start cache. ${await lastWords(directory, node.id)}`)
}

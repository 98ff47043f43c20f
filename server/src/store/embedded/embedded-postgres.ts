import { readFile, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import type { StoreLog } from '../store-log.ts'
import { createCluster, superuser } from './create-cluster.ts'
import { findHome, type Home } from './find-home.ts'
import { findRuntime, type PostgresRuntime } from './find-runtime.ts'
import { clearSocketLock, findPostmaster, type Postmaster } from './postmaster.ts'
import { prepareRuntime } from './prepare-runtime.ts'
import { chooseSocketDirectory, makeSocketDirectory, socketPort } from './socket-directory.ts'
import { spawnPostmaster, type Settings, type SpawnedPostmaster } from './spawn-postmaster.ts'
import { stopPostmaster } from './stop-postmaster.ts'

export interface EmbeddedOptions {
  dataDir: string
  log: StoreLog
  /** For the cluster and the programs of root when the data directory or the checkout is closed to others. */
  systemDirectory?: string
  installed?: PostgresRuntime
  settings?: Settings
}

export interface EmbeddedConnection {
  host: string
  port: number
  user: string
  password: string
  database: string
  ssl: false
}

interface Parts {
  options: EmbeddedOptions
  runtime: PostgresRuntime
  home: Home
  password: string
  found: Postmaster | undefined
}

const startDeadlineMs = 120_000
const pollMs = 15
const retryMs = 50

async function readPassword({ directory }: Home): Promise<string> {
  const file = join(directory, 'password')
  let text = ''
  try {
    text = (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  if (text) return text
  throw new Error(
    `The password of the database is missing in ${file}: restore that file from a backup, or choose another ` +
      'data directory to begin with an empty database.',
  )
}

/** Owns the PostgreSQL server of one data directory: starts it or takes over the one that runs, revives, stops. */
export class EmbeddedPostgres {
  readonly dataDir: string
  readonly connection: EmbeddedConnection
  #runtime: PostgresRuntime
  #home: Home
  #settings: Settings
  #log: StoreLog
  #postmaster: Postmaster | undefined
  #revival: Promise<void> | undefined
  #spawned = false
  #stopping = false

  private constructor(parts: Parts) {
    this.dataDir = parts.home.dataDir
    this.#runtime = parts.runtime
    this.#home = parts.home
    this.#settings = parts.options.settings ?? {}
    this.#log = parts.options.log
    this.#postmaster = parts.found
    // A server taken over keeps its socket, and so do its successors: the pool knows one address.
    const host = parts.found?.socketDirectory || chooseSocketDirectory(parts.home)
    const { password } = parts
    this.connection = { host, port: socketPort, user: superuser, password, database: 'postgres', ssl: false }
  }

  static async start(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
    const installed = options.installed ?? findRuntime()
    const systemDirectory = options.systemDirectory ?? '/var/lib/boathouse'
    const home = await findHome({ dataDir: options.dataDir, major: installed.major, systemDirectory })
    const copiesDirectory = join(home.runAs ? systemDirectory : home.dataDir, 'runtime')
    const runtime = await prepareRuntime({ installed, runAs: home.runAs, copiesDirectory, log: options.log })
    const durable = options.settings?.['fsync'] !== 'off'
    await createCluster({ runtime, home, durable, log: options.log })
    const password = await readPassword(home)
    const found = await findPostmaster(join(home.directory, 'data'))
    const embedded = new EmbeddedPostgres({ options, runtime, home, password, found })
    try {
      await embedded.revive()
      return embedded
    } catch (error) {
      if (embedded.startedHere) await embedded.stop()
      throw error
    }
  }

  get pid(): number | undefined {
    return this.#postmaster?.pid
  }

  /** False when a server left behind by an earlier process was taken over. */
  get startedHere(): boolean {
    return this.#spawned
  }

  /** Resolves when a server is ready, whether it had to be started or not. */
  revive(): Promise<void> {
    this.#revival ??= this.#bringUp().finally(() => (this.#revival = undefined))
    return this.#revival
  }

  async stop(): Promise<void> {
    this.#stopping = true
    // A start in progress ends when it sees the flag.
    await this.#revival?.catch((error: Error) =>
      this.#log.warn({ error: error.message }, 'PostgreSQL was stopped while starting'),
    )
    const running = await findPostmaster(this.#dataDirectory)
    if (running) await stopPostmaster(running.pid, this.#dataDirectory, this.#log)
    await this.#removeSocketDirectory()
  }

  get #dataDirectory(): string {
    return join(this.#home.directory, 'data')
  }

  async #bringUp(): Promise<void> {
    const deadline = Date.now() + startDeadlineMs
    let child: SpawnedPostmaster | undefined
    for (;;) {
      const found = await findPostmaster(this.#dataDirectory)
      if (found?.ready) {
        this.#postmaster = found
        return
      }
      const outcome = child?.outcome()
      const isStarting = child !== undefined && outcome === undefined
      // A child without a lock file yet could not be found and stopped.
      if (this.#stopping && (found || !isStarting)) throw new Error('PostgreSQL is being stopped.')
      if (!found && outcome && !outcome.retry) throw this.#cannotStart(outcome.reason)
      if (Date.now() > deadline) throw this.#cannotStart(outcome?.reason ?? 'it is not ready in time')
      if (!found && !isStarting) child = await this.#spawn()
      await sleep(outcome ? retryMs : pollMs)
    }
  }

  async #spawn(): Promise<SpawnedPostmaster> {
    await makeSocketDirectory(this.connection.host, this.#home)
    await clearSocketLock(this.connection.host, this.#dataDirectory)
    this.#spawned = true
    const socketDirectory = this.connection.host
    return spawnPostmaster({
      runtime: this.#runtime,
      home: this.#home,
      socketDirectory,
      settings: this.#settings,
    })
  }

  #cannotStart(reason: string): Error {
    return new Error(`PostgreSQL does not start on ${this.#dataDirectory}: ${reason}`)
  }

  async #removeSocketDirectory(): Promise<void> {
    if (dirname(this.connection.host) === this.#home.directory) return
    try {
      await rmdir(this.connection.host)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') {
        this.#log.warn({ directory: this.connection.host }, 'the socket folder could not be removed')
      }
    }
  }
}

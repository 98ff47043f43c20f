import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type { ClientConfig, Pool } from 'pg'
import { embeddedSettings, externalSettings, publicAddress } from './connection-settings.ts'
import { EmbeddedPostgres, type EmbeddedOptions } from './embedded/embedded-postgres.ts'
import { errorCode } from './error-code.ts'
import { migrate } from './migrate.ts'
import { PatientPool } from './patient-pool.ts'
import { preparingPool } from './preparing-pool.ts'
import type { Schema } from './schema.ts'
import { holdSingleServer, type SingleServer } from './single-server.ts'
import type { StoreLog } from './store-log.ts'

export type EmbeddedExtras = Pick<EmbeddedOptions, 'systemDirectory' | 'installed' | 'settings'>

export interface StoreOptions {
  /** A PostgreSQL server of the operator; without it one is started in the data directory. */
  databaseUrl?: string | undefined
  dataDir: string
  log: StoreLog
  /** How long callers wait for a connection while the server is away. */
  patienceMs?: number
  embedded?: EmbeddedExtras
}

export interface Store {
  db: Kysely<Schema>
  pool: Pool
  mode: 'embedded' | 'external'
  /** On which the server that was started here listens, and nowhere else; null: it is elsewhere. */
  socket: string | null
  /** By this start; 0 on a database that was up to date. */
  migrationsApplied: number
  /** All or nothing. Inside, use only the given transaction: the pool would be another one. */
  transaction<T>(work: (transaction: Transaction<Schema>) => Promise<T>): Promise<T>
  /** Ends connections and, when embedded, the server. */
  close(): Promise<void>
}

const poolSize = 8
const idleMs = 60_000
const defaultPatienceMs = 10_000
const closePatienceMs = 5_000
/** SQL is written for PostgreSQL 15. */
const oldestServer = 150_000

export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl } = options
  return databaseUrl ? openExternal(databaseUrl, options) : openEmbedded(options)
}

async function openExternal(databaseUrl: string, options: StoreOptions): Promise<Store> {
  const { log } = options
  const settings = externalSettings(databaseUrl)
  const address = publicAddress(databaseUrl)
  const pool = poolOf(settings, options)
  let server: SingleServer | undefined
  const close = async () => {
    await endPool(pool)
    await server?.release(async () => {})
  }
  try {
    // Before the lock is requested: the pool is patient with a server that cannot be reached, and reports it.
    await refuseOldServer(pool)
    const onLost = () => {
      log.warn(
        { database: address },
        'another Boathouse server took the database over; this one stops using it',
      )
      void endPool(pool)
    }
    server = await holdSingleServer({ settings, directory: address, revive: async () => {}, onLost, log })
    if (!server)
      throw new Error('another Boathouse server uses it, and this version runs one server for each database.')
    // Only the holder of the lock changes the database.
    return await storeOver({ settings, pool, mode: 'external', socket: null, close })
  } catch (error) {
    await close()
    // An attempt on several addresses of one host fails without words of its own.
    const reason = (error instanceof Error && error.message) || (errorCode(error) ?? String(error))
    throw new Error(`DATABASE_URL: the database ${address} cannot be used: ${reason}`, { cause: error })
  }
}

async function openEmbedded(options: StoreOptions): Promise<Store> {
  const { dataDir, log, embedded } = options
  const postgres = await EmbeddedPostgres.start({ dataDir, log, ...embedded })
  const settings = embeddedSettings(postgres.connection)
  const revive = () => postgres.revive()
  const pool = poolOf(settings, options, revive)
  let owned = true
  const onLost = () => {
    owned = false
    log.warn(
      { directory: postgres.dataDir },
      'another Boathouse server took the directory over; this one stops using it',
    )
    void endPool(pool)
  }
  const hold = holdSingleServer({ settings, directory: postgres.dataDir, revive, onLost, log })
  const server = await hold.catch(async (error: unknown) => {
    if (postgres.startedHere) await postgres.stop()
    throw error
  })
  if (!server) {
    throw new Error(
      `${postgres.dataDir} is in use by another Boathouse server: stop that one or choose another data directory.`,
    )
  }
  log.info(
    { directory: postgres.dataDir, pid: postgres.pid, startedHere: postgres.startedHere },
    'PostgreSQL is ready',
  )
  const close = async () => {
    await endPool(pool)
    await server.release(async () => (owned ? postgres.stop() : undefined))
  }
  try {
    await refuseOldServer(pool)
    const { host, port } = postgres.connection
    const socket = `${host}/.s.PGSQL.${port}`
    return await storeOver({ settings, pool, mode: 'embedded', socket, close })
  } catch (error) {
    await close()
    throw error
  }
}

interface StoreParts {
  settings: ClientConfig
  pool: Pool
  mode: Store['mode']
  socket: Store['socket']
  close: () => Promise<void>
}

async function storeOver({ settings, pool, mode, socket, close }: StoreParts): Promise<Store> {
  const migrationsApplied = await migrate(settings)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: preparingPool(pool) }) })
  let closed: Promise<void> | undefined
  return {
    db,
    pool,
    mode,
    socket,
    migrationsApplied,
    transaction: (work) => db.transaction().execute(work),
    close: () => (closed ??= close()),
  }
}

function poolOf(settings: ClientConfig, options: StoreOptions, untilBack = async () => {}): Pool {
  const { log, patienceMs = defaultPatienceMs } = options
  const limits = { max: poolSize, idleTimeoutMillis: idleMs }
  return new PatientPool({ ...settings, ...limits }, { log, patienceMs, untilBack })
}

/** Connections still lent out after the deadline end with the server or with the process. */
async function endPool(pool: Pool): Promise<void> {
  if (pool.ending) return
  await Promise.race([pool.end(), sleep(closePatienceMs, undefined, { ref: false })])
}

async function refuseOldServer(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ version: string; number: number }>(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
  )
  const [server] = rows
  if (server && server.number < oldestServer) {
    throw new Error(`PostgreSQL ${server.version} is too old: Boathouse needs 15 or later.`)
  }
}

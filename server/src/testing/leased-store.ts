import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import { Client, type Pool } from 'pg'
import { afterAll } from 'vitest'
import { externalSettings } from '../store/connection-settings.ts'
import { PatientPool } from '../store/patient-pool.ts'
import { preparingPool } from '../store/preparing-pool.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { freshDatabase, silentLog } from './database.ts'

/** A database with connections that know its tables and statements already. */
interface Room {
  readonly pool: Pool
  readonly prepared: PostgresPool
  /** Empties it. Not one of the pool: that makes a connection forget the plans of all its statements. */
  readonly cleaner: Client
}

/** Of this worker, without a row in them. */
const free: Room[] = []

/**
 * A store on a database that has no rows yet and that nobody else uses. Closing it empties the database for the next
 * lease, and refuses later queries of this one.
 */
export async function leaseStore(): Promise<Store> {
  const room = free.pop() ?? (await openRoom())
  let closed: Promise<void> | undefined
  const refuseLate = () => {
    if (closed) throw new Error('This store is closed.')
  }
  const pool = guarded(room.pool, refuseLate)
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => {
          refuseLate()
          return room.prepared.connect()
        },
        end: async () => undefined,
      },
    }),
  })
  return {
    db,
    pool,
    mode: 'external',
    socket: null,
    migrationsApplied: 0,
    transaction: (work) => db.transaction().execute(work),
    close: () => (closed ??= giveBack(room)),
  }
}

/** A store for one test file, called at its top; it is closed after the file. */
export async function freshStore(): Promise<Store> {
  const store = await leaseStore()
  afterAll(() => store.close())
  return store
}

async function openRoom(): Promise<Room> {
  const { url } = await freshDatabase()
  // Longer than the product waits for a connection: a slow machine is not what tests are about.
  const limits = { max: 8, idleTimeoutMillis: 60_000, connectionTimeoutMillis: 25_000 }
  const patience = { log: silentLog, patienceMs: 10_000, untilBack: async () => undefined }
  const pool = new PatientPool({ ...externalSettings(url), ...limits }, patience)
  const cleaner = new Client({ connectionString: url })
  // It ends with the server, after the last test.
  cleaner.on('error', () => undefined)
  await cleaner.connect()
  return { pool, prepared: preparingPool(pool), cleaner }
}

function guarded(pool: Pool, refuseLate: () => void): Pool {
  return new Proxy(pool, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        if (name === 'connect' || name === 'query') refuseLate()
        return Reflect.apply(value, target, args)
      }
    },
  })
}

const RETURN_WITHIN_MS = 5_000

async function giveBack(room: Room): Promise<void> {
  const { pool, cleaner } = room
  const deadline = Date.now() + RETURN_WITHIN_MS
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) {
    if (Date.now() > deadline) return abandon(room)
    await sleep(2)
  }
  const emptied = await cleaner
    .query<{ done: boolean }>('select public.forget_rows() as done')
    .then(({ rows }) => rows[0]?.done === true)
    .catch(() => false)
  if (emptied) free.push(room)
  else abandon(room)
}

/** Its database is deleted with the server; connections that are still in use stay open until then. */
function abandon({ pool, cleaner }: Room): void {
  void pool.end()
  void cleaner.end()
}

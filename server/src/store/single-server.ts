import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { isPassing } from './passing-error.ts'
import type { StoreLog } from './store-log.ts'

export interface SingleServerOptions {
  settings: ClientConfig
  /** The data directory or the address of the database, for the log. */
  directory: string
  /** Makes PostgreSQL run again after it died. */
  revive(): Promise<void>
  /** Another server took the directory over while PostgreSQL was down. */
  onLost(): void
  log: StoreLog
}

export interface SingleServer {
  /** Lets go after the last work is done, without reviving what that work ends. */
  release(lastWork: () => Promise<void>): Promise<void>
}

const lockKey = 0x626f6174
/** The session of a server that was just killed may need a moment to end. */
const lockPatienceMs = 1_000
const lockRetryMs = 50
const firstPatienceMs = 30_000
const firstPauseMs = 50
const longestPauseMs = 5_000

/**
 * Holds the directory for this server by a lock in the database, on a connection of its own; undefined when
 * another server holds it. That connection is also what notices the death of PostgreSQL, which is then revived
 * and the lock taken again.
 */
export async function holdSingleServer(options: SingleServerOptions): Promise<SingleServer | undefined> {
  const { directory, log } = options
  let released = false
  let client: Client | undefined

  const hold = async (): Promise<boolean> => {
    const locked = await lockedClient(options)
    if (!locked) return false
    if (released) await locked.end()
    client = locked
    locked.once('end', () => void regain())
    return true
  }
  const regain = async (): Promise<void> => {
    if (released) return
    log.warn({ directory }, 'PostgreSQL is gone; restarting it')
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await options.revive()
        if (await hold()) log.info({ directory }, 'PostgreSQL is back')
        else options.onLost()
        return
      } catch (error) {
        if (released) return
        log.warn({ error: String(error), pauseMs }, 'PostgreSQL could not be restarted yet')
        await sleep(pauseMs, undefined, { ref: false })
      }
    }
  }

  const holdFirst = async (): Promise<boolean> => {
    for (const deadline = Date.now() + firstPatienceMs; ; await sleep(lockRetryMs)) {
      try {
        return await hold()
      } catch (error) {
        // A server found running may have been on its way down.
        if (!isPassing(error) || Date.now() > deadline) throw error
        await options.revive()
      }
    }
  }

  if (!(await holdFirst())) return undefined
  return {
    release: async (lastWork) => {
      released = true
      await lastWork()
      await client?.end()
    },
  }
}

async function lockedClient({ settings }: SingleServerOptions): Promise<Client | undefined> {
  const client = new Client(settings)
  // Its end follows, and that is what is acted on.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const deadline = Date.now() + lockPatienceMs
    while (Date.now() < deadline) {
      const answer = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [
        lockKey,
      ])
      if (answer.rows[0]?.held) return client
      await sleep(lockRetryMs)
    }
  } catch (error) {
    await client.end()
    throw error
  }
  await client.end()
  return undefined
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, type PoolClient, type PoolConfig } from 'pg'
import { isPassing } from './passing-error.ts'
import type { StoreLog } from './store-log.ts'

type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

const retryMs = 25

export interface Patience {
  log: StoreLog
  patienceMs: number
  /** Resolves when another attempt is worthwhile. */
  untilBack: () => Promise<void>
}

/**
 * A pool that outlives restarts of its server: callers wait a while for a connection instead of failing. Statements are
 * never repeated, only the attempt to connect.
 */
export class PatientPool extends Pool {
  #patienceMs: number
  #untilBack: () => Promise<void>

  constructor(config: PoolConfig, { log, patienceMs, untilBack }: Patience) {
    super(config)
    this.#patienceMs = patienceMs
    this.#untilBack = untilBack
    this.on('error', (error) => log.warn({ error: error.message }, 'a database connection was lost'))
    // The pool does not listen to a client that is lent out, and an unheard error would end the process;
    // the borrower learns of it by the statement that fails.
    this.on('connect', (client) => client.on('error', () => undefined))
  }

  override connect(): Promise<PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    if (!callback) return this.#connectPatiently()
    void this.#answer(callback)
  }

  async #answer(callback: ConnectCallback): Promise<void> {
    try {
      const client = await this.#connectPatiently()
      callback(undefined, client, (release) => client.release(release))
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), undefined, () => undefined)
    }
  }

  async #connectPatiently(): Promise<PoolClient> {
    const deadline = Date.now() + this.#patienceMs
    for (;;) {
      try {
        return await super.connect()
      } catch (error) {
        if (this.ending || !isPassing(error) || Date.now() > deadline) throw error
        const left = sleep(deadline - Date.now(), undefined, { ref: false })
        await Promise.race([left, this.#untilBack()])
        await sleep(retryMs)
      }
    }
  }
}

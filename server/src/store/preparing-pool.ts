import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryResultRow } from 'pg'
import { AppError } from '../kernel/app-error.ts'
import { diskFull, isDiskFull } from '../kernel/disk-full.ts'
import { isPassing } from './passing-error.ts'

/** Of statements that a connection has prepared. Texts with lists of any length must not fill the server's memory. */
const MOST_PREPARED = 200

const AWAY =
  'The database of the service is temporarily unavailable. Try again: a request that is sent again with its id runs once.'

/** A fault of the database itself is reported as such, whatever the statement was. */
function rethrow(error: unknown): never {
  if (isDiskFull(error)) throw diskFull(error)
  throw isPassing(error) ? new AppError('Unavailable', AWAY, { cause: error }) : error
}

/** Lets each connection plan a statement once and not every time: planning takes longer than most of our statements. */
export function preparingPool(pool: Pool): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect().catch(rethrow)
      const known = clients.get(client)
      if (known) return known
      const preparing = preparingClient(client)
      clients.set(client, preparing)
      return preparing
    },
    end: () => pool.end(),
  }
}

function preparingClient(client: PoolClient): PostgresPoolClient {
  const names = new Map<string, string>()

  function nameOf(text: string): string | undefined {
    if (!names.has(text) && names.size < MOST_PREPARED) names.set(text, `s${names.size}`)
    return names.get(text)
  }

  async function query<R extends QueryResultRow>(text: string, values: readonly unknown[]) {
    // Words such as BEGIN need no plan.
    const name = values.length > 0 ? nameOf(text) : undefined
    return client.query<R>({ text, values: [...values], ...(name && { name }) }).catch(rethrow)
  }

  // The other form of `query` is for cursors, which Kysely asks for only when it is given a class of them.
  return { query: query as unknown as PostgresPoolClient['query'], release: () => client.release() }
}

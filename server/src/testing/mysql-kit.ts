import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise'
import { onTestFinished } from 'vitest'
import type { TestApp } from './start-app.ts'

/** Settings of an app that opens the MySQL endpoint, on any free port. */
export const WITH_MYSQL = { BOATHOUSE_MYSQL_PORT: '0' } as const

/** A real client of the MySQL endpoint; ends with the test. */
export async function mysqlClient(app: TestApp, options: ConnectionOptions = {}): Promise<Connection> {
  const { host, port } = app.mysql?.endpoint ?? { host: '', port: 0 }
  const client = await createConnection({
    host,
    port,
    user: `${app.accountId}.admin`,
    password: app.password,
    ssl: { rejectUnauthorized: false },
    connectTimeout: 60_000,
    connectAttributes: { program_name: 'oars' },
    ...options,
  })
  // A connection that the server ends says so to who waits, and to nobody else.
  client.on('error', () => undefined)
  onTestFinished(() => client.destroy())
  return client
}

/** Why a client was refused: number and SQLSTATE. Null when it was not. */
export const refusalOf = (refused: Promise<unknown>): Promise<{ errno: number; sqlState: string } | null> =>
  refused.then(
    () => null,
    (error: unknown) => {
      const { errno = 0, sqlState = '' } = error as { errno?: number; sqlState?: string }
      return { errno, sqlState }
    },
  )

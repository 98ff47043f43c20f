import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createConnection as createPlainConnection } from 'mysql2'
import { type Connection, createConnection } from 'mysql2/promise'
import type { SignIn } from '@boathouse/client'

/** Where MySQL clients connect to, and as whom. */
export interface Endpoint {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
}

export async function endpointOf(
  dataDirectory: string,
  { accountId, username, password }: SignIn,
): Promise<Endpoint> {
  const text = await readFile(join(dataDirectory, 'server.json'), 'utf8')
  const { mysqlHost: host, mysqlPort: port } = JSON.parse(text) as { mysqlHost: string; mysqlPort: number }
  return { host, port, user: `${accountId}.${username}`, password }
}

/** One connection over TLS, as a pool would keep it. */
export const connect = (endpoint: Endpoint): Promise<Connection> =>
  createConnection({ ...endpoint, ssl: { rejectUnauthorized: false } })

/** Reads all rows one by one, and throws them away. */
export async function readByDriver(endpoint: Endpoint, sql: string, database = ''): Promise<void> {
  const client = createPlainConnection({
    ...endpoint,
    ...(database && { database }),
    ssl: { rejectUnauthorized: false },
  })
  await new Promise<void>((resolve, reject) => {
    client
      .query(sql)
      .on('result', () => undefined)
      .on('error', reject)
      .on('end', () => resolve())
  })
  client.destroy()
}

/** Several, one after the other. */
export async function connectAll(endpoints: readonly Endpoint[], each: number): Promise<Connection[]> {
  const open: Connection[] = []
  for (const endpoint of endpoints)
    for (let count = 0; count < each; count++) open.push(await connect(endpoint))
  return open
}

export const endAll = async (connections: readonly Connection[]): Promise<void> => {
  await Promise.all(connections.map((connection) => connection.end()))
}

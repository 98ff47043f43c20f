import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

/** Line of the lock file that names the folder of the socket. */
const SOCKET_LINE = 4

/** Where the database listens that the product started for itself, and who may enter. */
export async function databaseOf(dataDirectory: string) {
  const home = (await readdir(dataDirectory)).find((name) => /^pg\d+$/.test(name))
  if (!home) throw new Error(`There is no database in ${dataDirectory}.`)
  const lock = await readFile(join(dataDirectory, home, 'data', 'postmaster.pid'), 'utf8')
  return {
    host: lock.split('\n')[SOCKET_LINE] ?? '',
    user: 'boathouse',
    password: (await readFile(join(dataDirectory, home, 'password'), 'utf8')).trim(),
    database: 'postgres',
  }
}

/** Straight to the database that the product started for itself. */
export async function connectToDatabase(dataDirectory: string): Promise<Client> {
  const client = new Client({
    ...(await databaseOf(dataDirectory)),
    options: '-c search_path=boathouse',
  })
  await client.connect()
  return client
}

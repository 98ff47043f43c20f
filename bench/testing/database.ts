import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

/** Line of the lock file that names the folder of the socket. */
const SOCKET_LINE = 4

/** Straight to the database that the product started for itself. */
export async function connectToDatabase(dataDirectory: string): Promise<Client> {
  const home = (await readdir(dataDirectory)).find((name) => /^pg\d+$/.test(name))
  if (!home) throw new Error(`There is no database in ${dataDirectory}.`)
  const lock = await readFile(join(dataDirectory, home, 'data', 'postmaster.pid'), 'utf8')
  const client = new Client({
    host: lock.split('\n')[SOCKET_LINE] ?? '',
    user: 'boathouse',
    password: (await readFile(join(dataDirectory, home, 'password'), 'utf8')).trim(),
    database: 'postgres',
    options: '-c search_path=boathouse',
  })
  await client.connect()
  return client
}

import type { SignIn } from '@boathouse/client'
import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

/** Line of the lock file that names the folder of the socket. */
const SOCKET_LINE = 4

async function connect(dataDirectory: string): Promise<Client> {
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

/** Further users of the account with everything that its first user may and knows, straight into the database. */
export async function addUsers(dataDirectory: string, like: SignIn, count: number): Promise<SignIn[]> {
  const client = await connect(dataDirectory)
  try {
    const users = Array.from({ length: count }, () => ({
      ...like,
      username: `bench_${randomUUID().slice(0, 8)}`,
    }))
    for (const { username } of users) {
      const userId = randomUUID()
      await client.query(
        `insert into users (user_id, account_id, name, password_hash, is_org_admin, created_at, password_changed_at)
         select $1, account_id, $2, password_hash, is_org_admin, created_at, password_changed_at from users
         where account_id = $3 and name = $4`,
        [userId, username, like.accountId, like.username],
      )
      await client.query(
        `insert into user_roles (user_id, role, active, granted_at)
         select $1, role, active, granted_at from user_roles join users using (user_id)
         where account_id = $2 and name = $3`,
        [userId, like.accountId, like.username],
      )
    }
    return users
  } finally {
    await client.end()
  }
}

import type { SignIn } from '@boathouse/client'
import { randomUUID } from 'node:crypto'
import { connectToDatabase } from './database.ts'

/** Further users of the account with everything that its first user may and knows, straight into the database. */
export async function addUsers(dataDirectory: string, like: SignIn, count: number): Promise<SignIn[]> {
  const client = await connectToDatabase(dataDirectory)
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

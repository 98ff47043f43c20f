import { readFile } from 'node:fs/promises'

/** The user PostgreSQL runs as; undefined stands for our own. */
export interface RunAs {
  uid: number
  gid: number
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** PostgreSQL refuses to run as root, and under a user id that the system does not know. */
export async function userForRoot(passwdFile = '/etc/passwd'): Promise<RunAs> {
  const users = new Map<string, RunAs>()
  for (const line of (await readFile(passwdFile, 'utf8')).split('\n')) {
    const [name, , uid, gid] = line.split(':')
    if (name && Number(uid) > 0) users.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  const user = users.get('postgres') ?? users.get('_postgres') ?? users.get('nobody')
  if (user) return user
  throw new Error(
    `PostgreSQL does not run as root, and ${passwdFile} has neither a user "postgres" nor "nobody": ` +
      'start Boathouse as another user or set DATABASE_URL.',
  )
}

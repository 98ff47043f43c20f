import { chmod, lchown, opendir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UserRange } from '../../engine/local-space.ts'

export interface HostUser {
  readonly uid: number
  readonly gid: number
}

export interface HostUserNeeds {
  readonly osUser: number | null
  /** Exists; becomes that user's own. */
  readonly directory: string
}

// Numbers that systemd keeps for services without a user of their own; nobody logs in under them.
const USERS: UserRange = { first: 61_184, last: 65_519 }

/** Only root can give an engine a user of its own. */
export const hostUsers = (): UserRange | null => (process.getuid?.() === 0 ? USERS : null)

/** An engine would have to run as root, and does not. */
export class NoUserOfItsOwn extends Error {
  override readonly name = 'NoUserOfItsOwn'
}

/**
 * As root an engine gets a user of its own, so that it can reach no other account's files; where that cannot be done,
 * it is refused. Null for an ordinary user: the engine then runs as we do.
 */
export async function hostUser({ osUser, directory }: HostUserNeeds): Promise<HostUser | null> {
  if (!hostUsers()) return null
  if (osUser === null)
    throw new NoUserOfItsOwn('No operating system user was chosen for it, and statements never run as root.')
  const closed = await closedFolder(dirname(directory))
  if (closed !== null) throw new NoUserOfItsOwn(closedSentence(closed))
  try {
    await giveTo(osUser, directory)
  } catch (error) {
    throw new NoUserOfItsOwn(
      `Its folder cannot be given to user ${osUser} (${(error as Error).message}), and statements never run as root.`,
      { cause: error },
    )
  }
  return { uid: osUser, gid: osUser }
}

/** Makes this process that user's, for good. It has loaded its program before, and so needs no way to it. */
export function become({ uid, gid }: HostUser): void {
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

export const closedSentence = (folder: string): string =>
  `Statements never run as root, and other users cannot pass through ${folder}: ` +
  'let them (chmod o+x), choose another BOATHOUSE_DATA_DIR, or start the service as an ordinary user.'

const PASS_BY_ALL = 0o001

/** The folder nearest to the root, from there to this one, that does not let everybody through; null when all do. */
export async function closedFolder(directory: string): Promise<string | null> {
  const above = dirname(directory)
  const closedAbove = above === directory ? null : await closedFolder(above)
  if (closedAbove !== null) return closedAbove
  return ((await stat(directory)).mode & PASS_BY_ALL) === 0 ? directory : null
}

/** The folder last: once it is that user's, everything in it is, also what another user's engine left behind. */
async function giveTo(uid: number, directory: string): Promise<void> {
  if ((await stat(directory)).uid === uid) return
  for await (const entry of await opendir(directory, { recursive: true }))
    await lchown(join(entry.parentPath, entry.name), uid, uid)
  await chmod(directory, 0o700)
  await lchown(directory, uid, uid)
}

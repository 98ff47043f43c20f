import { createHash } from 'node:crypto'
import { chown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Home } from './find-home.ts'
import { isRoot } from './run-as.ts'

export const socketPort = 5432

/** Bytes, without the closing zero, that the system allows for the path of a socket. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103

export function chooseSocketDirectory(home: Home, temporary = temporaryDirectories()): string {
  const inside = join(home.directory, 'run')
  if (fits(inside)) return inside
  const name = `boathouse-${createHash('sha256').update(home.directory).digest('hex').slice(0, 12)}`
  const outside = temporary.map((directory) => join(directory, name)).find((directory) => fits(directory))
  if (outside !== undefined) return outside
  throw new Error(`${home.directory} is too long a path for a socket, and so is every temporary directory.`)
}

/** A folder in a shared place may have been put there by somebody else to catch our password. */
export async function makeSocketDirectory(directory: string, home: Home): Promise<void> {
  const owner = home.runAs ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const made = await mkdir(directory, { recursive: true, mode: 0o700 })
  if (made !== undefined && home.runAs) await chown(directory, owner.uid, owner.gid)
  const found = await lstat(directory)
  if (found.isDirectory() && found.uid === owner.uid && (found.mode & 0o077) === 0) return
  throw new Error(`${directory} must be a private folder of user id ${owner.uid}: remove it and start again.`)
}

function temporaryDirectories(): string[] {
  // The runtime directory of root is closed to the user PostgreSQL runs as.
  const runtime = isRoot() ? undefined : process.env.XDG_RUNTIME_DIR
  return [...(runtime ? [runtime] : []), tmpdir(), '/tmp']
}

function fits(directory: string): boolean {
  return Buffer.byteLength(join(directory, `.s.PGSQL.${socketPort}`)) <= longestSocketPath
}

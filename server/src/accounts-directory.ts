import { createHash } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { closedFolder, closedSentence, hostUsers } from './engines/duckdb/hosting/host-user.ts'
import { StartRefused } from './start-refused.ts'
import { makeOpenFolder, pathExists } from './store/embedded/paths.ts'

/** Where root keeps what other users of this machine must reach. */
const SYSTEM_DIRECTORY = '/var/lib/boathouse'
export const ACCOUNTS_POINTER = 'accounts-location'

/**
 * Where the folders of the accounts are: in the data directory. Root's engines run as users of their own, though, and
 * cannot get into a data directory behind a closed folder, such as root's home; then they are in a place of the system,
 * and a file in the data directory says where.
 */
export async function findAccountsDirectory(
  dataDir: string,
  systemDirectory = SYSTEM_DIRECTORY,
): Promise<string> {
  const inside = join(dataDir, 'accounts')
  const pointer = join(dataDir, ACCOUNTS_POINTER)
  if (await pathExists(pointer)) return pointed(pointer)
  if (!hostUsers()) return inside
  const closed = await closedFolder(dataDir)
  if (closed === null) return inside
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const location = join(systemDirectory, name, 'accounts')
  await makeOpenFolder(join(systemDirectory, name))
  // The name follows from the data directory: after a crash in between, the next start finds it again.
  if (await pathExists(inside)) await moveTo(inside, location, closed)
  else await makeOpenFolder(location)
  await chmod(location, 0o711)
  await writeFile(pointer, `${location}\n`)
  return location
}

async function pointed(pointer: string): Promise<string> {
  const location = (await readFile(pointer, 'utf8')).trim()
  if (await pathExists(location)) return location
  // Empty accounts in its place would look like lost data.
  throw new StartRefused(
    `The data of the accounts is kept in ${location}, which does not exist. Restore that folder, or remove ${pointer} to start without it.`,
  )
}

async function moveTo(inside: string, location: string, closed: string): Promise<void> {
  try {
    await rename(inside, location)
  } catch (error) {
    throw new StartRefused(`${closedSentence(closed)} (${(error as Error).message})`, { cause: error })
  }
}

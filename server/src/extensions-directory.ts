import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { closedFolder, hostUsers } from './engines/duckdb/hosting/host-user.ts'
import { ACCOUNTS_POINTER } from './accounts-directory.ts'

export { installedExtensions } from './engines/duckdb/extensions/installed.ts'

/** Beside the folders of the accounts: an engine that can read those can read it too. */
export const extensionsBeside = (accountsDirectory: string): string =>
  join(dirname(accountsDirectory), 'extensions')

/** Where engines that keep their data there look for extensions. Makes nothing. */
export async function findExtensionsDirectory(dataDir: string): Promise<string> {
  try {
    return extensionsBeside((await readFile(join(dataDir, ACCOUNTS_POINTER), 'utf8')).trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return extensionsBeside(join(dataDir, 'accounts'))
  }
}

/** The parent folder that the engines of accounts cannot pass; null if they can pass all. */
export const closedToEngines = async (folder: string): Promise<string | null> =>
  hostUsers() ? closedFolder(folder) : null

import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The folders of accounts on this machine: results, files of users, and the data of engines that run here. */
export const createAccountFolders = (accountsDirectory: string) => ({
  directoryOf: (accountId: string): string => join(accountsDirectory, accountId),

  /** Of all accounts that have a folder. */
  async accountIds(): Promise<string[]> {
    const found = await readdir(accountsDirectory, { withFileTypes: true }).catch(noneIfMissing)
    return found.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  },
})

export type AccountFolders = ReturnType<typeof createAccountFolders>

/** Of the files in a folder itself. */
export async function bytesIn(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(noneIfMissing)
  const files = entries.filter((entry) => entry.isFile())
  // A file that was removed since the listing, such as a log that was merged, has no bytes.
  const sizes = await Promise.all(
    files.map(async ({ name }) => (await stat(join(directory, name)).catch(() => null))?.size ?? 0),
  )
  return sizes.reduce((all, bytes) => all + bytes, 0)
}

/** Null when there is no such file. */
export async function changedAt(file: string): Promise<Date | null> {
  try {
    return (await stat(file)).mtime
  } catch (error) {
    noneIfMissing(error)
    return null
  }
}

function noneIfMissing(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
  throw error
}

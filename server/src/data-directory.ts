import { chmod, mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDiskFull } from './kernel/disk-full.ts'
import { StartRefused } from './start-refused.ts'
import { errorCode } from './store/error-code.ts'

const MODE = 0o711

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** One after the other: Node's own way of making all of them tries for ever where none can be made, as in /proc. */
async function makeFolders(directory: string): Promise<void> {
  try {
    await mkdir(directory, { mode: MODE })
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && (await stat(directory)).isDirectory()) return
    if (errorCode(error) !== 'ENOENT' || (await exists(dirname(directory)))) throw error
    await makeFolders(dirname(directory))
    await mkdir(directory, { mode: MODE })
  }
}

/** A full disk is no reason: the server lives on such a one, and is needed to make room. */
async function tryToWrite(directory: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(directory, '.trial-')))
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** Creates the data directory if it is missing, and refuses one that cannot be written. */
export async function makeDataDirectory(directory: string): Promise<void> {
  try {
    await makeFolders(directory)
    await tryToWrite(directory)
    // The database and the engines run as users of their own when this one is root: they pass through, no more.
    if (process.getuid?.() === 0) await chmod(directory, (await stat(directory)).mode | (MODE & 0o011))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartRefused(
      `BOATHOUSE_DATA_DIR: ${directory} cannot be used, choose a folder that this user can write to (${reason}).`,
      { cause: error },
    )
  }
}

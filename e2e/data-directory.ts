import { execFile } from 'node:child_process'
import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { processesOf } from './processes.ts'

/** Says to the workers where `prepare.ts` has left the directory that others are copies of. */
export const PREPARED = 'BOATHOUSE_TEST_PREPARED_DATA'

export interface DataDirectory {
  /** Where the product keeps everything; an empty one is not there until the product makes it. */
  readonly path: string
  /** Ends what still works with it, then removes it. */
  remove(): Promise<void>
}

export async function newDataDirectory(name = 'data'): Promise<DataDirectory> {
  const parent = await mkdtemp(join(await realpath(tmpdir()), 'boathouse-e2e-'))
  // As root, PostgreSQL and the engines run as other users and must come through.
  await chmod(parent, 0o755)
  return {
    path: join(parent, name),
    async remove() {
      for (const { pid } of processesOf(parent)) end(pid)
      await rm(parent, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

/**
 * As the first start leaves it, with account, administrator and sample data: a copy takes a small part of the time of a
 * first start. Owners stay as they are, because database and engines run as other users when this one is root.
 */
export async function preparedDataDirectory(): Promise<DataDirectory> {
  const directory = await newDataDirectory()
  const prepared = process.env[PREPARED]
  if (prepared !== undefined) await promisify(execFile)('cp', ['-a', prepared, directory.path])
  return directory
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

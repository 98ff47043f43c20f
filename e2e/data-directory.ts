import { chmod, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { processesOf } from './processes.ts'

export interface DataDirectory {
  /** Not there yet: the product makes it. */
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

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

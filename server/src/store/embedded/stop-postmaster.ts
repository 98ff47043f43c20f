import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../error-code.ts'
import type { StoreLog } from '../store-log.ts'
import { isPostmaster } from './postmaster.ts'

/** SIGINT: end sessions, write everything down, stop. SIGQUIT: stop at once and recover at the next start. */
const insistence = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 5_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
] as const

export async function stopPostmaster(pid: number, dataDirectory: string, log: StoreLog): Promise<void> {
  for (const { signal, waitMs } of insistence) {
    if (!(await isPostmaster(pid, dataDirectory))) return
    if (signal !== 'SIGINT') log.warn({ pid, signal }, 'PostgreSQL is slow to stop; insisting')
    send(pid, signal)
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline && (await isPostmaster(pid, dataDirectory))) await sleep(10)
  }
  if (await isPostmaster(pid, dataDirectory)) throw new Error(`PostgreSQL (process ${pid}) does not end.`)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has ended in the meantime.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

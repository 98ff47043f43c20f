import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** A process that is this one and no later one with its number. */
export interface ProcessIdentity {
  readonly pid: number
  /** As the system tells it, in its own form. */
  readonly startedAt: string
}

interface Known {
  readonly startedAt: string
  readonly cpuMs: number
}

/** Linux counts processor time in hundredths of a second, whatever its kernel does. */
const TICK_MS = 10
const LOOK_MS = 50

async function fromProc(pid: number): Promise<Known | null> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
  ])
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state = 'X'] = fields ?? []
  if (!fields || state === 'Z' || state === 'X') return null
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS
  return { startedAt: `${boot.trim()}/${fields[19]}`, cpuMs }
}

/** `[[hours:]minutes:]seconds` of processor time, in milliseconds. */
const msOf = (time: string): number =>
  time.split(':').reduce((sum, part) => sum * 60 + Number.parseFloat(part), 0) * 1000

async function fromPs(pid: number): Promise<Known | null> {
  try {
    const args = ['-o', 'stat=,time=,lstart=', '-p', String(pid)]
    const { stdout } = await promisify(execFile)('ps', args, { env: { ...process.env, LC_ALL: 'C' } })
    const [, state = 'Z', time = '0', startedAt = ''] = /^\s*(\S+)\s+(\S+)\s+(.*\S)/.exec(stdout) ?? []
    return state.startsWith('Z') ? null : { startedAt, cpuMs: msOf(time) }
  } catch {
    // ps ends with status 1 when there is no such process.
    return null
  }
}

const known = (pid: number): Promise<Known | null> =>
  process.platform === 'linux' ? fromProc(pid) : fromPs(pid)

/** Null when there is no such process. */
export async function identify(pid: number): Promise<ProcessIdentity | null> {
  const found = await known(pid)
  return found && { pid, startedAt: found.startedAt }
}

/** Milliseconds of processors that it has used; null when it has ended. */
export async function cpuMsOf({ pid, startedAt }: ProcessIdentity): Promise<number | null> {
  const found = await known(pid)
  return found?.startedAt === startedAt ? found.cpuMs : null
}

export const isAlive = async (identity: ProcessIdentity): Promise<boolean> =>
  (await cpuMsOf(identity)) !== null

/** Ends it in good order if it can within that time, else at once. Resolves when it is gone. */
export async function end(identity: ProcessIdentity, graceMs: number): Promise<void> {
  const deadline = Date.now() + graceMs
  await signal(identity, 'SIGTERM')
  // One that is stopped (SIGSTOP) does not hear it until it continues.
  await signal(identity, 'SIGCONT')
  while ((await isAlive(identity)) && Date.now() < deadline) await sleep(LOOK_MS)
  await signal(identity, 'SIGKILL')
  while (await isAlive(identity)) await sleep(LOOK_MS)
}

async function signal(identity: ProcessIdentity, name: NodeJS.Signals): Promise<void> {
  if (!(await isAlive(identity))) return
  try {
    process.kill(identity.pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

import { readFile } from 'node:fs/promises'
import { processes } from './processes.ts'

/** Of Linux, on every machine that Node runs on. */
const TICKS_EACH_SECOND = 100

/** Own time, and that of ended children. Nothing where there is no /proc. */
async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_EACH_SECOND
}

/** Seconds of processor time that a process and all that it has started have used so far. */
export async function cpuSeconds(root: number): Promise<number> {
  const all = await processes()
  const pids = [root]
  for (const pid of pids) pids.push(...all.filter(({ parent }) => parent === pid).map((one) => one.pid))
  const times = await Promise.all(pids.map(cpuOf))
  return times.reduce((sum, time) => sum + time, 0)
}

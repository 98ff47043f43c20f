import { readFile } from 'node:fs/promises'

/** Milliseconds of a processor that the first thread of a process has had: of the server, the one that serves everybody. */
export async function firstThreadMs(pid: number): Promise<number> {
  if (process.platform !== 'linux') return 0
  const [nanoseconds = ''] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(nanoseconds) / 1e6
}

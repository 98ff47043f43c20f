import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

export interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly command: string
  readonly rssBytes: number
}

const PAGE_BYTES = 4096

async function fromProc(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [stat, command, memory] = await Promise.all(
      ['stat', 'cmdline', 'statm'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    )
    // The name in parentheses may itself hold spaces and parentheses.
    const [state, parent] = (stat ?? '').slice((stat ?? '').lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return undefined
    return {
      pid,
      parent: Number(parent),
      command: (command ?? '').replaceAll('\0', ' '),
      rssBytes: Number((memory ?? '').split(' ')[1]) * PAGE_BYTES,
    }
  } catch {
    // It ended while it was looked at.
    return undefined
  }
}

async function allFromPs(): Promise<ProcessFacts[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,rss=,stat=,command='])
  return stdout.split('\n').flatMap((line) => {
    const [, pid, parent, rss, state = '', command = ''] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    if (!pid || state.startsWith('Z')) return []
    return [{ pid: Number(pid), parent: Number(parent), command, rssBytes: Number(rss) * 1024 }]
  })
}

/** Every living process that can be seen. */
export async function processes(): Promise<ProcessFacts[]> {
  if (process.platform !== 'linux') return allFromPs()
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  return (await Promise.all(pids.map(fromProc))).filter((facts) => facts !== undefined)
}

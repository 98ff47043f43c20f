import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

interface Process {
  readonly pid: number
  readonly command: string
}

/** Null when the process ended meanwhile, or belongs to somebody else. */
function readProc<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

const words = (path: string): string =>
  readProc(() => readFileSync(path, 'utf8').replaceAll('\0', ' ').trim()) ?? ''

function belongsTo(pid: string, directory: string): boolean {
  const cwd = readProc(() => readlinkSync(`/proc/${pid}/cwd`)) ?? ''
  return (
    cwd.startsWith(directory) ||
    words(`/proc/${pid}/cmdline`).includes(directory) ||
    words(`/proc/${pid}/environ`).includes(`BOATHOUSE_DATA_DIR=${directory}`)
  )
}

/** Elsewhere than on Linux a process is known by its command line alone. */
const listed = (directory: string): Process[] =>
  execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(directory))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+ /, '') }))

/** Every process that works with this data directory: the server, its PostgreSQL and its engines. */
export function processesOf(directory: string): Process[] {
  if (process.platform !== 'linux') return listed(directory)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid && belongsTo(name, directory))
    .map((pid) => ({ pid: Number(pid), command: words(`/proc/${pid}/cmdline`) }))
}

export const enginesOf = (directory: string): Process[] =>
  processesOf(directory).filter(({ command }) => command.includes('engine-host'))

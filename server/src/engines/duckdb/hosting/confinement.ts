import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Programs with their arguments; each starts the next, and the last one a host. */
export type Confinement = readonly (readonly string[])[]

const OPEN_FILES = 4096

const NO_NETWORK_AS_ROOT = ['unshare', '--net']
const NO_NETWORK = ['unshare', '--user', '--map-current-user', '--net']
const NO_NEW_PRIVILEGES = ['setpriv', '--no-new-privs']
/** When the machine's memory is short, the system ends an engine, and neither the server nor its database. */
const ENDED_FIRST = ['choom', '-n', '1000', '--']
/** A core file would hold the data of an account. */
const LIMITS = ['prlimit', '--core=0', `--nofile=${OPEN_FILES}`]

let found: Confinement | null = null

/** What this machine lets us take away from a process. Each costs a start a millisecond or two. */
export function confinement(): Confinement {
  found ??= process.platform === 'linux' ? wanted().map(located).filter(works) : []
  return found
}

function wanted(): Confinement {
  const network = process.getuid?.() === 0 ? NO_NETWORK_AS_ROOT : NO_NETWORK
  return [network, NO_NEW_PRIVILEGES, ENDED_FIRST, LIMITS]
}

/** By their paths: the environment in which they run is empty. */
export function located([program = '', ...args]: readonly string[]): string[] {
  const places = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => join(folder, program))
  return [places.find((place) => existsSync(place)) ?? program, ...args]
}

function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore', timeout: 1_000 }).status === 0
}

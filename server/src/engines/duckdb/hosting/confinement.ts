import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Programs with their arguments; each starts the next, and the last one a host. */
export type Confinement = readonly (readonly string[])[]

const OPEN_FILES = 4096

/** A network of its own, in which there is nothing and nobody. */
const NO_NETWORK_AS_ROOT = ['unshare', '--net']
const NO_NETWORK = ['unshare', '--user', '--map-current-user', '--net']
const NO_NEW_PRIVILEGES = ['setpriv', '--no-new-privs']
/** When the machine's memory is short, the system ends an engine, and neither the server nor its database. */
const ENDED_FIRST = ['choom', '-n', '1000', '--']
/** A core file would hold the data of an account. */
const LIMITS = ['prlimit', '--core=0', `--nofile=${OPEN_FILES}`]

/** Ways to let a process talk to itself in a network of its own. The last one needs nothing but Perl: SIOCSIFFLAGS on lo. */
const LOOPBACK_UP = [
  ['ip', 'link', 'set', 'lo', 'up'],
  ['ifconfig', 'lo', 'up'],
  ['perl', '-e', 'socket(S,2,2,0);ioctl(S,0x8914,pack("a16sx22","lo",0x41))||exit 1'],
]

interface Found {
  readonly all: Confinement
  readonly isApart: boolean
}

let found: Found | null = null

/** What this machine lets us take away from a process. Each costs a start a millisecond or two. */
export const confinement = (): Confinement => (found ??= find()).all

/** Whether an engine is in a network of its own, in which it can talk to itself and to nobody else. */
export const isApart = (): boolean => (found ??= find()).isApart

function find(): Found {
  if (process.platform !== 'linux') return { all: [], isApart: false }
  const others = [NO_NEW_PRIVILEGES, ENDED_FIRST, LIMITS].map(located).filter(works)
  const isRoot = process.getuid?.() === 0
  const apart = LOOPBACK_UP.map(located)
    .map((up) => withLoopback(up, isRoot))
    .find(works)
  if (apart) return { all: [apart, ...others], isApart: true }
  const network = located(isRoot ? NO_NETWORK_AS_ROOT : NO_NETWORK)
  return { all: works(network) ? [network, ...others] : others, isApart: false }
}

/** An ordinary user may do it with rights that it has in a world of its own, and that end right after it. */
function withLoopback(up: readonly string[], isRoot: boolean): string[] {
  const [network, drop] = isRoot
    ? [NO_NETWORK_AS_ROOT, []]
    : [[...NO_NETWORK, '--keep-caps'], located(['setpriv', '--ambient-caps=-all', '--inh-caps=-all'])]
  const script = `${words(up)} && exec ${words([...WITHOUT_SHELL, ...drop])} "$@"`
  return [...located(network), '/bin/sh', '-c', script, 'sh']
}

/** What a shell adds to the environment. */
const WITHOUT_SHELL = located(['env', '-u', 'PWD', '-u', 'OLDPWD', '-u', 'SHLVL', '-u', '_'])

const words = (command: readonly string[]): string => command.map(quoted).join(' ')
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`

/** By their paths: the environment in which they run is empty. */
export function located([program = '', ...args]: readonly string[]): string[] {
  const places = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].map((folder) => join(folder, program))
  return [places.find((place) => existsSync(place)) ?? program, ...args]
}

function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, [...args, 'true'], { stdio: 'ignore', timeout: 1_000 }).status === 0
}

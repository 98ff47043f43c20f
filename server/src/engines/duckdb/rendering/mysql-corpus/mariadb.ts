import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

const find = (variable: string, ...paths: readonly string[]): string | undefined =>
  [process.env[variable], ...paths].find((path) => path && existsSync(path))

const SERVER = find('BOATHOUSE_TEST_MARIADBD', '/usr/sbin/mariadbd')
const CLIENT = find('BOATHOUSE_TEST_MARIADB', '/usr/bin/mariadb')
const INSTALL = find('BOATHOUSE_TEST_MARIADB_INSTALL', '/usr/bin/mariadb-install-db')

/** `scripts/test-tools.mjs` installs it where it can, and says so where it cannot. */
export const hasMariadb = SERVER !== undefined && CLIENT !== undefined && INSTALL !== undefined

export interface Reference {
  readonly client: string
  /** The client's arguments for this server. */
  readonly connect: readonly string[]
  stop(): Promise<void>
}

const READY = 'ready for connections'

/** A MariaDB with a data directory of its own, that is reached by a socket in it alone. */
export async function startMariadb(): Promise<Reference> {
  if (!SERVER || !CLIENT || !INSTALL) throw new Error('MariaDB is not installed.')
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-mariadb-'))
  const user = `--user=${userInfo().username}`
  const made = spawnSync(
    INSTALL,
    ['--no-defaults', `--datadir=${directory}`, '--auth-root-authentication-method=normal', user],
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`MariaDB's data directory could not be made: ${made.stderr}`)
  const socket = join(directory, 'it.sock')
  const server = spawn(
    SERVER,
    [
      '--no-defaults',
      `--datadir=${directory}`,
      `--socket=${socket}`,
      `--pid-file=${join(directory, 'it.pid')}`,
      user,
      '--skip-networking',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_bin',
      '--innodb-buffer-pool-size=32M',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  await untilReady(server)
  return {
    client: CLIENT,
    connect: ['-uroot', `-S${socket}`],
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function untilReady(server: ChildProcess): Promise<void> {
  let said = ''
  const { stderr } = server
  if (!stderr) throw new Error('MariaDB says nothing.')
  for await (const part of stderr.iterator({ destroyOnReturn: false })) {
    said += String(part)
    if (said.includes(READY)) {
      // Nobody reads on, and it may say more than a pipe holds.
      stderr.resume()
      return
    }
  }
  throw new Error(`MariaDB did not start: ${said}`)
}

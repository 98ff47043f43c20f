import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { query } from '@boathouse/contract'
import { createEmbeddedProvider } from './embedded-engine.ts'
import { freePort } from './free-port.ts'
import { startApp, type TestUser } from './start-app.ts'

/** Where a client of MySQL connects to, and as whom. */
export interface MysqlServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  stop(): Promise<void>
}

const run = promisify(execFile)
const DATABASE = 'clients'

/** Null where the machine does not have it, and tests that need it are skipped. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

export const hasMariadb = ['mariadbd', 'mariadb-install-db', 'mariadb', 'openssl'].every(findProgram)

/** A real MariaDB in a directory of its own, whose answers are what is right. */
export async function startMariadb(): Promise<MysqlServer> {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-mariadb-'))
  const inside = (name: string) => join(folder, name)
  // Servers refuse to run as root unless they are asked to.
  const asUser = process.getuid?.() === 0 ? ['--user=root'] : []
  await run('mariadb-install-db', [
    '--no-defaults',
    ...asUser,
    `--datadir=${inside('data')}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ])
  const certificate = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost']
  await run('openssl', ['req', ...certificate, '-keyout', inside('key.pem'), '-out', inside('cert.pem')])
  const port = await freePort()
  const child = spawn(
    findProgram('mariadbd') ?? 'mariadbd',
    [
      '--no-defaults',
      ...asUser,
      `--datadir=${inside('data')}`,
      `--socket=${inside('socket')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--character-set-server=utf8mb4',
      `--ssl-cert=${inside('cert.pem')}`,
      `--ssl-key=${inside('key.pem')}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  await new Promise<void>((resolve, reject) => {
    const said: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said.push(text)
      if (text.includes('ready for connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`MariaDB did not start.\n${said.join('')}`)))
  })
  const account = { user: 'A1.ada', password: 'secret_2000' }
  const statements = [
    `create database ${DATABASE}`,
    `create user '${account.user}'@'%' identified by '${account.password}'`,
    `grant all on *.* to '${account.user}'@'%'`,
  ]
  const place = ['--no-defaults', '--protocol=socket', '-S', inside('socket'), '-u', 'root']
  await run('mariadb', [...place, '-e', statements.join('; ')])
  return { host: '127.0.0.1', port, ...account, database: DATABASE, stop }
}

/** Ours, which also says what ran. */
export interface MysqlEndpoint extends MysqlServer {
  /** Statements of the history in which a text occurs, as they began. */
  statementsWith(text: string): Promise<readonly string[]>
}

/** The whole service with the engine of the product and its MySQL endpoint. */
export async function startMysqlEndpoint(): Promise<MysqlEndpoint> {
  const engines = await createEmbeddedProvider()
  let end: (() => Promise<void>) | undefined
  const ends = (work: () => Promise<void>) => void (end = work)
  const app = await startApp({ BOATHOUSE_MYSQL_PORT: '0' }, { engines, ends })
  const stop = async () => {
    await end?.()
    await engines.close()
  }
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run(`create database ${DATABASE}`)
  const endpoint = app.mysql?.endpoint
  if (!endpoint?.listening) throw new Error(`The MySQL endpoint is not open: ${app.mysql?.health}`)
  return {
    host: '127.0.0.1',
    port: endpoint.port,
    user: `${app.accountId}.${admin.name}`,
    password: app.password,
    database: `default_catalog.${DATABASE}`,
    stop,
    statementsWith: (text) => historyWith(admin, text),
  }
}

async function historyWith(admin: TestUser, text: string): Promise<readonly string[]> {
  const statements: string[] = []
  let after: string | undefined
  do {
    const { data } = await admin.call(query.history, { text, ...(after ? { after } : {}) })
    statements.push(...data.entries.map(({ sql }) => sql))
    after = data.next ?? undefined
  } while (after)
  return statements
}

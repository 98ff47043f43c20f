import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Endpoint } from './endpoint.ts'
import { freePort } from '../../server/src/testing/free-port.ts'

const run = promisify(execFile)

const PASSWORD = 'bench_2000'
const START_MS = 60_000

async function isReady(socket: string): Promise<boolean> {
  try {
    await run('mariadb', ['--no-defaults', '-S', socket, '-u', 'root', '-e', 'select 1'])
    return true
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

export interface MariadbOptions {
  readonly scratch: string
  /** Of the product: both use its certificate, so that both encrypt alike. */
  readonly dataDirectory: string
}

/** A MariaDB of its own in an empty directory; nothing that is installed is changed. */
export async function startMariadb({
  scratch,
  dataDirectory,
}: MariadbOptions): Promise<Endpoint & { stop(): Promise<void> }> {
  const directory = join(scratch, 'mariadb')
  await mkdir(directory)
  await chmod(scratch, 0o755)
  const [data, socket] = [join(directory, 'data'), join(directory, 'socket')]
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  await run('mariadb-install-db', [
    '--no-defaults',
    ...user,
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
  ])
  const port = await freePort()
  const child = spawn(
    'mariadbd',
    [
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--ssl-cert=${join(dataDirectory, 'mysql-tls', 'certificate.pem')}`,
      `--ssl-key=${join(dataDirectory, 'mysql-tls', 'key.pem')}`,
    ],
    { stdio: 'ignore' },
  )
  const late = Date.now() + START_MS
  while (!(await isReady(socket))) {
    if (Date.now() > late || child.exitCode !== null) throw new Error('MariaDB did not start.')
    await sleep(200)
  }
  const statements = `create database bench; create user bench@'127.0.0.1' identified by '${PASSWORD}'; grant all on *.* to bench@'127.0.0.1'`
  await run('mariadb', ['--no-defaults', '-S', socket, '-u', 'root', '-e', statements])
  return { host: '127.0.0.1', port, user: 'bench', password: PASSWORD, stop: () => stop(child) }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../engine/cluster-space.ts'
import { ClusterClient } from '../protocol/client.ts'
import { RemoteQuery } from '../protocol/remote-query.ts'
import { SessionHeaders } from '../protocol/session-headers.ts'
import { freePort } from '../../../testing/free-port.ts'

const HOME = process.env.BOATHOUSE_TEST_TRINO
const JDK = process.env.BOATHOUSE_TEST_TRINO_JDK

/** Whether there is a Trino here, and a Java that runs it. */
export const hasTrino = HOME !== undefined && JDK !== undefined

/** A real server of one node on this machine, for tests. Its data outlives it. */
export interface TrinoServer extends Pick<
  Cluster,
  'url' | 'headersFor' | 'addressOf' | 'catalogs' | 'requireWorkers'
> {
  readonly folder: string
  /** Resolves when its process has ended. */
  readonly ended: Promise<void>
  readonly isRunning: boolean
  kill(): void
  /** Runs one statement of the test's own, and gives its rows. */
  ask(sql: string): Promise<readonly (readonly unknown[])[]>
  stop(): Promise<void>
}

async function writeConfig(folder: string, port: number): Promise<void> {
  const etc = join(folder, 'etc')
  await mkdir(join(etc, 'catalog'), { recursive: true })
  await mkdir(join(folder, 'data'), { recursive: true })
  await symlink(etc, join(folder, 'data', 'etc'))
  const url = `http://127.0.0.1:${port}`
  await writeFile(
    join(etc, 'config.properties'),
    [
      'coordinator=true',
      'node-scheduler.include-coordinator=true',
      `http-server.http.port=${port}`,
      `discovery.uri=${url}`,
      'node.environment=test',
      'node.id=one',
      'node.internal-address=127.0.0.1',
      'node.bind-ip=127.0.0.1',
      `plugin.dir=${HOME}/plugin`,
      'catalog.management=dynamic',
      'catalog.store=memory',
    ].join('\n'),
  )
}

const JVM = [
  '-Xmx1G',
  // It starts in half the time, and no test runs for as long as better code would pay.
  '-XX:TieredStopAtLevel=1',
  '-XX:+UseG1GC',
  '-XX:+ExitOnOutOfMemoryError',
  '-Djdk.attach.allowAttachSelf=true',
  '--enable-native-access=ALL-UNNAMED',
  '--sun-misc-unsafe-memory-access=allow',
]

const LOOK_MS = 500
const STARTED_WITHIN_MS = 600_000

/** Starts one, and waits until it runs statements. */
export async function startTrino(): Promise<TrinoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-trino-'))
  const port = await freePort()
  await writeConfig(folder, port)
  const data = join(folder, 'data')
  const args = ['-cp', `${HOME}/lib/*`, `-Dconfig=${folder}/etc/config.properties`, `-Dnode.data-dir=${data}`]
  const child = spawn(`${JDK}/bin/java`, [...JVM, ...args, 'io.trino.server.TrinoServer'], {
    cwd: data,
    stdio: 'ignore',
  })
  const server = serverOf(child, { folder, url: `http://127.0.0.1:${port}` })
  await untilItAnswers(server)
  return server
}

function serverOf(child: ChildProcess, { folder, url }: { folder: string; url: string }): TrinoServer {
  const ended = once(child, 'exit').then(() => undefined)
  const cluster = {
    url,
    headersFor: (user: string) => ({ 'x-trino-user': user }),
    addressOf: (link: string) => link,
    catalogs: ['default_catalog'],
    requireWorkers: () => Promise.resolve(),
  }
  return {
    ...cluster,
    folder,
    ended,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null
    },
    kill: () => void child.kill('SIGKILL'),
    ask: (sql) => askOf(cluster, sql),
    async stop() {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function askOf(cluster: Pick<Cluster, 'url' | 'headersFor' | 'addressOf'>, sql: string) {
  const client = new ClusterClient(cluster as Cluster)
  const session = new SessionHeaders({ catalog: 'system', schema: 'runtime', timeZone: 'UTC' })
  const query = await RemoteQuery.announce(client, { sql, user: 'test', session, queryId: 'test' })
  const rows: (readonly unknown[])[] = []
  for (let answer = await query.next(); answer; answer = await query.next()) rows.push(...answer.rows)
  if (query.last.error) throw new Error(query.last.error.message)
  return rows
}

async function untilItAnswers(server: TrinoServer): Promise<void> {
  const until = performance.now() + STARTED_WITHIN_MS
  for (;;) {
    if (!server.isRunning) throw new Error('Trino ended while it started.')
    try {
      return void (await server.ask('SELECT count(*) FROM system.runtime.nodes'))
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(LOOK_MS)
    }
  }
}

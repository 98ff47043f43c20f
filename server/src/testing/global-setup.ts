import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { monthOf } from '../kernel/history-time.ts'
import { externalSettings } from '../store/connection-settings.ts'
import { EmbeddedPostgres } from '../store/embedded/embedded-postgres.ts'
import { findRuntime } from '../store/embedded/find-runtime.ts'
import { findPostmaster } from '../store/embedded/postmaster.ts'
import { processInfo } from '../store/embedded/process-info.ts'
import { stopPostmaster } from '../store/embedded/stop-postmaster.ts'
import { migrate } from '../store/migrate.ts'
import { testDirectoryPrefix } from './store-kit.ts'
import { databaseAt, silentLog } from './database.ts'
import { fakeClock } from './fake-clock.ts'
import { MAKE_REUSABLE } from './reusable-database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server that test databases live on, and the migrated database they are copies of. */
    testServer: { url: string; template: string; copyStrategy: string }
  }
}

interface TestServer {
  url: string
  /** How `create database` copies; files cloned by the system take half the time of the default. */
  copyStrategy: string
  stop(): Promise<void>
}

/** One PostgreSQL for the whole run, with one migrated database as the template of all others. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env.BOATHOUSE_TEST_DATABASE_URL
  const server = external ? { url: external, copyStrategy: '', stop: async () => {} } : await startServer()
  const template = `boathouse_template_${randomBytes(4).toString('hex')}`
  await administer(server.url, `create database ${template}`)
  const templateUrl = databaseAt(server.url, template)
  await migrate(externalSettings(templateUrl))
  await prepareMonths(templateUrl)
  await administer(templateUrl, MAKE_REUSABLE)
  const { url, copyStrategy } = server
  project.provide('testServer', { url, template, copyStrategy })
  return async () => {
    await administer(server.url, `drop database ${template} with (force)`)
    await server.stop()
  }
}

/** Those that the clock of tests begins in: each app would make them at its start. */
async function prepareMonths(url: string): Promise<void> {
  const now = fakeClock().now()
  for (const month of [monthOf(now), monthOf(now, 1)])
    await administer(url, `select boathouse.add_statement_month('${month.toISOString()}')`)
}

async function startServer(): Promise<TestServer> {
  await removeAbandoned()
  const dataDir = await mkdtemp(join(tmpdir(), `${testDirectoryPrefix}${process.pid}-`))
  // As root the server runs as another user.
  await chmod(dataDir, 0o755)
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '200',
    autovacuum: 'off',
    file_copy_method: 'clone',
  }
  const postgres = await EmbeddedPostgres.start({ dataDir, log: silentLog, settings })
  const { host, user, password } = postgres.connection
  const url = `postgresql://${user}:${password}@localhost/postgres?host=${encodeURIComponent(host)}`
  // Tests connect some thousands of times, and a password that is hard to guess is as long to check.
  await administer(url, `set scram_iterations = 1`, `alter role ${user} password '${password}'`)
  return {
    url,
    copyStrategy: 'strategy file_copy',
    stop: async () => {
      await postgres.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** A run that was killed leaves its server behind. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const directory = join(tmpdir(), name)
    const pid = Number.parseInt(name.slice(testDirectoryPrefix.length), 10)
    if (!name.startsWith(testDirectoryPrefix) || !isOurs(directory)) continue
    if ((await processInfo(pid)).state === 'alive') continue
    const data = join(directory, `pg${findRuntime().major}`, 'data')
    const postmaster = await findPostmaster(data)
    if (postmaster) await stopPostmaster(postmaster.pid, data, silentLog)
    await rm(directory, { recursive: true, force: true })
  }
}

function isOurs(directory: string): boolean {
  return statSync(directory, { throwIfNoEntry: false })?.uid === process.getuid?.()
}

async function administer(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Home } from './find-home.ts'
import { programOf, type PostgresRuntime } from './find-runtime.ts'
import { quietEnvironment } from './run-program.ts'
import { openServerLog } from './server-log.ts'
import { socketPort } from './socket-directory.ts'

export type Settings = Record<string, string>

export interface Launch {
  runtime: PostgresRuntime
  home: Home
  socketDirectory: string
  settings: Settings
}

export interface SpawnedPostmaster {
  /** Undefined while it runs; then whether another attempt can help, and its last words. */
  outcome(): { retry: boolean; reason: string } | undefined
}

/** Statements and their values stay out of the server's log: they may hold secrets. */
const fixedSettings: Settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  port: String(socketPort),
  shared_buffers: '32MB',
  max_connections: '40',
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

/** The remains of a killed server disappear a moment later. */
const passing = /lock file|shared memory block|Address already in use/i

export async function spawnPostmaster({
  runtime,
  home,
  socketDirectory,
  settings,
}: Launch): Promise<SpawnedPostmaster> {
  const log = await openServerLog(join(home.directory, 'postgres.log'))
  const all = { ...fixedSettings, unix_socket_directories: quoted(socketDirectory), ...settings }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached: Ctrl+C in the terminal must reach us alone, so that we close in order.
  const child = spawn(programOf(runtime, 'postgres'), ['-D', join(home.directory, 'data'), ...args], {
    ...home.runAs,
    cwd: '/',
    env: quietEnvironment,
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor],
  })
  log.close()
  child.unref()
  let outcome: { retry: boolean; reason: string } | undefined
  child.once('error', (error) => (outcome = { retry: false, reason: error.message }))
  child.once('exit', (code, signal) => {
    void log.tail().then(
      (words) =>
        (outcome = {
          retry: signal !== null || passing.test(words),
          reason: words || `it ended with ${code}`,
        }),
      (error: Error) => (outcome = { retry: false, reason: error.message }),
    )
  })
  return { outcome: () => outcome }
}

/** The setting is a list, in which commas and quotes have a meaning. */
function quoted(directory: string): string {
  return `"${directory.replaceAll('"', '""')}"`
}

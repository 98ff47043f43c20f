import { CATALOG } from './internal-schema.ts'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBInstance, quotedString } from '@duckdb/node-api'
import type { AccountSpace } from '../../engine/local-space.ts'
import { readReport } from '../errors.ts'
import { raiseGuard } from './raise-guard.ts'
import { openReplayed } from '../account/replay.ts'
import { NOT_APART, notLoaded, type Reach } from '../outside/reach.ts'
import { SESSION_SETTINGS } from '../session/session-settings.ts'

export { CATALOG }

/** Below the account's folder: the files of further catalogs, the only ones that can be attached. */
export const CATALOG_FOLDER = 'catalogs'

export interface Sandbox {
  readonly instance: DuckDBInstance
  /** The account's, by its true path. */
  readonly directory: string
  /** Takes the account's place on this machine out of a message. */
  readonly mask: (message: string) => string
  /** The only folder it may write into, apart from its own file. */
  readonly temporary: string
  /** By which it reads what lies outside; as a sentence when it does not. */
  readonly reach: Reach | string
}

export type SandboxSpace = Omit<AccountSpace, 'accountId' | 'osUser' | 'outside' | 'resultsDirectory'>

export interface SandboxOptions {
  readonly inMemory?: boolean
  readonly reach?: Reach | string
}

/** The account's DuckDB: sees its own file and its temporary folder, and its settings can no longer be changed. */
export async function openSandbox(
  space: SandboxSpace,
  { inMemory = false, reach: wanted = NOT_APART }: SandboxOptions = {},
): Promise<Sandbox> {
  const directory = await realpath(space.directory)
  const temporary = join(directory, 'tmp', randomUUID())
  await mkdir(temporary, { recursive: true })
  const mask = maskOf([directory, space.directory])
  const path = inMemory ? ':memory:' : join(directory, `${CATALOG}.duckdb`)
  const settings = startSettings({ ...space, directory }, temporary)
  const instance = await openReplayed({ path, catalog: CATALOG, settings }).catch((error: unknown) => {
    throw cannotOpen(mask(readReport(error).message))
  })
  try {
    // Only now: if another process still used these files, we could not have opened the database.
    if (!inMemory) await removeLeftovers(temporary)
    const folders = await Promise.all((space.folders ?? []).map(trueNames))
    const reach = typeof wanted === 'string' ? wanted : await reachOut(instance, wanted)
    const addresses = typeof reach === 'string' ? [] : [reach.loopback.address]
    await confine(instance, { directory, inMemory, folders: [...folders.flat(), ...addresses] })
    return { instance, directory, mask, temporary, reach }
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

function cannotOpen(message: string): Error {
  if (message.includes('Could not set lock'))
    return new Error('The data of this account is in use by another process.')
  return new Error(`The data of this account cannot be opened: ${message}`)
}

/**
 * Depth of nested expressions, after views and macros are expanded. DuckDB's time grows with the third power of it
 * and cannot be interrupted: 400 take half a second, and its default of 1000 takes ten.
 */
const MOST_EXPRESSION_DEPTH = 400

function startSettings(space: SandboxSpace, temporary: string): Record<string, string> {
  const unreachable = join(space.directory, 'none')
  return {
    threads: String(space.threads),
    memory_limit: `${space.memoryBytes}B`,
    temp_directory: temporary,
    max_temp_directory_size: `${space.tempBytes}B`,
    // New files hold all types of this DuckDB, as VARIANT. One that was made before stays as it is.
    storage_compatibility_version: 'latest',
    max_expression_depth: String(MOST_EXPRESSION_DEPTH),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_persistent_secrets: 'false',
    // Not below the home of the user that runs the server, and out of reach: DuckDB would install extensions from
    // the network into a folder within reach.
    home_directory: unreachable,
    extension_directory: unreachable,
    secret_directory: unreachable,
  }
}

/** What a session is given when it opens must stay changeable; all of it concerns that session alone. */
const OF_SESSIONS = [
  'enable_progress_bar',
  'enable_progress_bar_print',
  'TimeZone',
  ...Object.keys(SESSION_SETTINGS),
]
/** The host changes these while statements run; `forbidden.ts` keeps them from everybody else. */
const OF_THE_HOST = [
  'threads',
  'memory_limit',
  'enable_profiling',
  'profiling_coverage',
  'profiling_output',
  'search_path',
  // DuckDB itself, where it makes several statements out of one.
  'current_transaction_invalidation_policy',
]
export const CHANGEABLE: readonly string[] = [...OF_SESSIONS, ...OF_THE_HOST]

/**
 * Loads what reads from an address. DuckDB checks who has signed the file. A file that it does not load takes nothing
 * from the account but its catalogs over buckets.
 */
async function reachOut(instance: DuckDBInstance, reach: Reach): Promise<Reach | string> {
  const connection = await instance.connect()
  try {
    await connection.run(`LOAD ${quotedString(reach.httpfs)}`)
    for (const setting of OF_HTTPFS) await connection.run(`SET GLOBAL ${setting}`)
    return reach
  } catch (error) {
    await reach.loopback.close()
    return notLoaded(readReport(error).message.split('\n')[0] ?? '')
  } finally {
    connection.closeSync()
  }
}

/** The service has its own patience with what lies outside. */
const OF_HTTPFS = ['http_timeout = 60', 'http_retries = 1']

/** In this order: each step takes away what the step before still needed. */
async function confine(
  instance: DuckDBInstance,
  { directory, inMemory, folders }: { directory: string; inMemory: boolean; folders: readonly string[] },
): Promise<void> {
  const connection = await instance.connect()
  await raiseGuard(connection)
  const open = [join(directory, CATALOG_FOLDER), ...folders]
  const steps = [
    ...(inMemory ? [`ATTACH ':memory:' AS ${CATALOG}`] : []),
    // Errors with their class and place, for every connection.
    'SET GLOBAL errors_as_json = true',
    `SET allowed_directories = [${open.map((folder) => quotedString(`${folder}/`)).join(', ')}]`,
    'SET enable_external_access = false',
    `SET allowed_configs = [${CHANGEABLE.map(quotedString).join(', ')}]`,
    'SET lock_configuration = true',
  ]
  for (const step of steps) await connection.run(step)
  connection.closeSync()
}

/** One that is not there now may be later. */
async function trueNames(folder: string): Promise<string[]> {
  return [...new Set([folder, await realpath(folder).catch(() => folder)])]
}

async function removeLeftovers(temporary: string): Promise<void> {
  const parent = join(temporary, '..')
  for (const name of await readdir(parent)) {
    if (join(parent, name) !== temporary) await rm(join(parent, name), { recursive: true, force: true })
  }
}

export function maskOf(paths: readonly string[]): (message: string) => string {
  return (message) => paths.reduce((masked, path) => masked.replaceAll(path, '<account>'), message)
}

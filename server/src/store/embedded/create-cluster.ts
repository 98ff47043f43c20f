import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { chown, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { StoreLog } from '../store-log.ts'
import type { Home } from './find-home.ts'
import { programOf, type PostgresRuntime } from './find-runtime.ts'
import { pathExists } from './paths.ts'
import { processInfo } from './process-info.ts'
import { runProgram } from './run-program.ts'

export const superuser = 'boathouse'

/** Tells our own drafts from those of an earlier process with the same number, usual in containers. */
const thisProcess = `${process.pid}-${randomBytes(4).toString('hex')}`
const oldestDraftMs = 10 * 60_000

export interface Cluster {
  runtime: PostgresRuntime
  home: Home
  /** False for databases of tests only: files are not forced to the disk. */
  durable: boolean
  log: StoreLog
}

/**
 * The cluster and its password are made in a draft folder and renamed as a whole when complete: an interrupted
 * attempt is never taken for a cluster, and of two processes that try at once one wins.
 */
export async function createCluster(cluster: Cluster): Promise<void> {
  const { home, log } = cluster
  if (await pathExists(join(home.directory, 'data'))) return
  await removeOldDrafts(home.directory, log)
  const draft = `${home.directory}.initialising-${thisProcess}-${randomBytes(4).toString('hex')}`
  try {
    await fillDraft(draft, cluster)
    await rename(draft, home.directory)
    await syncDirectory(dirname(home.directory))
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    if (!(await pathExists(join(home.directory, 'data')))) throw error
  }
}

async function fillDraft(draft: string, { runtime, home, durable }: Cluster): Promise<void> {
  const password = join(draft, 'password')
  await mkdir(draft, { mode: 0o700 })
  await writeFile(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true })
  if (home.runAs) {
    await chown(draft, home.runAs.uid, home.runAs.gid)
    await chown(password, home.runAs.uid, home.runAs.gid)
  }
  const args = ['-D', join(draft, 'data'), '-U', superuser, '-A', 'scram-sha-256', `--pwfile=${password}`]
  const layout = [
    '-E',
    'UTF8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ]
  const made = await runProgram({
    file: programOf(runtime, 'initdb'),
    args: [...args, ...layout],
    runAs: home.runAs,
  })
  if (made.ok) return
  throw new Error(
    `PostgreSQL could not make its files in ${dirname(draft)}: ${made.output}. ` +
      'Fix the cause, choose another data directory or set DATABASE_URL.',
  )
}

async function removeOldDrafts(home: string, log: StoreLog): Promise<void> {
  const prefix = `${basename(home)}.initialising-`
  for (const name of await readdir(dirname(home))) {
    const draft = join(dirname(home), name)
    if (!name.startsWith(prefix) || (await isInWork(draft, name.slice(prefix.length)))) continue
    log.warn({ draft }, 'an interrupted first start left an unfinished database behind; it is removed')
    // The program that fills it may have outlived the process that started it, for a moment.
    await rm(draft, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function isInWork(draft: string, maker: string): Promise<boolean> {
  if (maker.startsWith(thisProcess)) return true
  const pid = Number.parseInt(maker, 10)
  if (pid === process.pid || (await processInfo(pid)).state !== 'alive') return false
  const found = statSync(draft, { throwIfNoEntry: false })
  return found === undefined || Date.now() - found.mtimeMs < oldestDraftMs
}

/** So that the new name survives a power cut. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

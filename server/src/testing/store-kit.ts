import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { silentLog } from './database.ts'
import { errorCode } from '../store/error-code.ts'
import { openStore, type Store, type EmbeddedExtras } from '../store/store.ts'

/** Followed by the number of the process that made it, so that the next run can clear up after a killed one. */
export const testDirectoryPrefix = 'boathouse-test-'

/** A folder of this test, open to the user that PostgreSQL runs as. */
export async function testDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `${testDirectoryPrefix}${process.pid}-`))
  await chmod(directory, 0o755)
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return directory
}

/** Forcing files to the disk protects from power cuts, which no test can make, and takes most of the time. */
export const quickSettings = { fsync: 'off' }

export async function openForTest(dataDir: string, extras?: EmbeddedExtras): Promise<Store> {
  const embedded = { settings: quickSettings, ...extras }
  const store = await openStore({ dataDir, log: silentLog, embedded })
  onTestFinished(() => store.close())
  return store
}

export async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'pg18', 'data', 'postmaster.pid'), 'utf8'), 10)
}

export async function remember(store: Store, key: string): Promise<void> {
  await store.db.insertInto('instance_facts').values({ key, value: '{}' }).execute()
}

export async function remembered(store: Store): Promise<string[]> {
  const rows = await store.db.selectFrom('instance_facts').select('key').orderBy('key').execute()
  return rows.map(({ key }) => key)
}

/** For the few figures a test run should show. */
export function show(text: string): void {
  process.stdout.write(`  ${text}\n`)
}

export function since(beginning: number): string {
  return `${Math.round(performance.now() - beginning)} ms`
}

export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 120_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain until ${what}.`)
    await sleep(10)
  }
}

/** Kills a process and its children as a power cut would, without a chance to say goodbye. */
export async function killWithChildren(pid: number): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const children = pairs.filter(([, parent]) => parent === pid).map(([child]) => child)
  for (const victim of [pid, ...children]) if (victim) kill(victim)
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // A child may have ended together with its parent.
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

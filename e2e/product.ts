import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type CommandOptions, spawnCommand } from './command.ts'
import { newDataDirectory, preparedDataDirectory } from './data-directory.ts'

export interface StartOptions extends CommandOptions {
  /** The caller's own; otherwise one for this product, which is removed when the product is stopped. */
  readonly dataDir?: string
  /** `empty`: for tests of the first start. Otherwise account and sample data exist already. */
  readonly begins?: 'prepared' | 'empty'
  /** Null: the first start generates one and prints it. */
  readonly password?: string | null
  /** Behind `boathouse start`. */
  readonly args?: readonly string[]
}

export interface Product {
  readonly url: string
  readonly accountId: string
  readonly user: string
  /** Empty when none was given and this start printed none. */
  readonly password: string
  readonly pid: number
  readonly dataDir: string
  /** From the start of the process to the line that says it is ready. */
  readonly readyMs: number
  stdout(): string
  stderr(): string
  /** Resolves to the exit code when the process has ended, null when it was killed. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  kill9(): Promise<void>
}

const PASSWORD = 'Rowing_2026'
const READY = /^Boathouse is ready: (\S+)$/m
const LAST_LINE = 'Stop with Ctrl+C'
/** Only what hangs is ended: how long it takes on a busy machine is measured in start.spec.ts. */
const START_WITHIN_MS = 300_000
const STOP_WITHIN_MS = 120_000

function listenTo(child: ChildProcess) {
  const heard = { stdout: '', stderr: '' }
  child.stdout?.on('data', (data: Buffer) => (heard.stdout += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (heard.stderr += data.toString()))
  return heard
}

function untilReady(child: ChildProcess, heard: { stdout: string; stderr: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what}\n${heard.stdout}${heard.stderr.slice(-4000)}`))
    const late = setTimeout(() => fail('Boathouse was not ready in time.'), START_WITHIN_MS)
    child.stdout?.on('data', () => {
      if (!heard.stdout.includes(LAST_LINE)) return
      clearTimeout(late)
      resolve()
    })
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      fail(`Boathouse ended before it was ready (${signal ?? code}).`)
    })
  })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exited = once(child, 'exit')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  child.kill(signal)
  await exited
  clearTimeout(late)
  if (child.signalCode === 'SIGKILL' && signal !== 'SIGKILL')
    throw new Error(`Boathouse did not end within ${STOP_WITHIN_MS / 1000} s of ${signal}.`)
  return child.exitCode
}

const word = (stdout: string, label: string): string =>
  new RegExp(`^ +${label} +(\\S+)`, 'm').exec(stdout)?.[1] ?? ''

/** A product of its own, started as a user starts it, ready for the first request. */
export async function startProduct(options: StartOptions = {}): Promise<Product> {
  const newDirectory = options.begins === 'empty' ? newDataDirectory : preparedDataDirectory
  const own = options.dataDir === undefined ? await newDirectory() : null
  const dataDir = own?.path ?? options.dataDir ?? ''
  const given = options.password === undefined ? PASSWORD : options.password
  const startedAt = performance.now()
  const child = spawnCommand(['start', ...(options.args ?? [])], {
    ...options,
    env: {
      BOATHOUSE_DATA_DIR: dataDir,
      BOATHOUSE_HTTP_PORT: '0',
      BOATHOUSE_MYSQL_PORT: '0',
      ...(given === null ? {} : { BOATHOUSE_ADMIN_PASSWORD: given }),
      ...options.env,
    },
  })
  const heard = listenTo(child)
  // Whatever ends the tests ends the product too.
  const orphaned = () => void child.kill('SIGTERM')
  process.once('exit', orphaned)

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    try {
      return await end(child, signal)
    } finally {
      process.off('exit', orphaned)
      await own?.remove()
    }
  }
  try {
    await untilReady(child, heard)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: READY.exec(heard.stdout)?.[1] ?? '',
    accountId: word(heard.stdout, 'Account'),
    user: word(heard.stdout, 'User'),
    password: given ?? word(heard.stdout, 'Password'),
    pid: child.pid ?? 0,
    dataDir,
    readyMs: performance.now() - startedAt,
    stdout: () => heard.stdout,
    stderr: () => heard.stderr,
    stop,
    kill9: async () => void (await end(child, 'SIGKILL')),
  }
}

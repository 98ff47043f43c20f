import type { SignIn } from '@boathouse/client'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const READY = /^Boathouse is ready: (\S+)/
const LINES_KEPT = 20
/** They end only what hangs: machines that build and test are busy. */
const STOP_WITHIN_MS = 120_000
const START_WITHIN_MS = 120_000
const PASSWORD = 'bench_2000'

export interface Launch {
  readonly dataDirectory: string
  /** Any free one when it is not given. */
  readonly port?: number
  /** Of its MySQL endpoint; any free one when it is not given. */
  readonly mysqlPort?: number
  /** Folders that are open to the account, as the setting has them. */
  readonly folders?: string
  /** Called with every line that it prints, on either stream. */
  readonly hear?: (line: string) => void
}

/** One life of the product's process. */
export interface LaunchedProduct {
  readonly pid: number
  readonly url: string
  /** How it ended, once it has. */
  readonly ended: Promise<string>
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
}

export interface RunningProduct extends LaunchedProduct {
  readonly signIn: SignIn
}

const commandIn = (directory: string): string => join(directory, 'cli', 'bin', 'boathouse.js')

/** This file runs from a bundle, so its own place says little: the repository is looked for from there upwards. */
export function findRepository(): string {
  let directory = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(commandIn(directory))) {
    if (directory === dirname(directory))
      throw new Error('cli/bin/boathouse.js was not found above this script; run it inside the repository.')
    directory = dirname(directory)
  }
  return directory
}

/** Settings of the person who runs this must not reach the product: it is measured as it comes, but for what is set here. */
function productEnvironment({ dataDirectory, port = 0, mysqlPort = 0, folders }: Launch): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('BOATHOUSE_') && name !== 'DATABASE_URL',
  )
  return {
    ...Object.fromEntries(inherited),
    BOATHOUSE_DATA_DIR: dataDirectory,
    BOATHOUSE_HTTP_PORT: String(port),
    BOATHOUSE_MYSQL_PORT: String(mysqlPort),
    BOATHOUSE_ADMIN_PASSWORD: PASSWORD,
    BOATHOUSE_SAMPLE_DATA: 'false',
    ...(folders !== undefined && { BOATHOUSE_CATALOG_FOLDERS: folders }),
    // The bench of the MySQL endpoint opens a thousand connections of one account.
    BOATHOUSE_CONNECTIONS_PER_ACCOUNT: '1200',
    BOATHOUSE_CONNECTIONS_PER_USER: '250',
  }
}

/** The address it answers on; the last lines it said when it ends or is silent instead. */
async function waitUntilReady(child: ChildProcess, tell: Launch['hear']): Promise<string> {
  const said: string[] = []
  return new Promise<string>((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what}\n${said.join('\n')}`))
    const late = setTimeout(() => fail('Boathouse was not ready in time.'), START_WITHIN_MS)
    const hear = (line: string) => {
      tell?.(line)
      said.push(line)
      said.splice(0, said.length - LINES_KEPT)
      const url = READY.exec(line)?.[1]
      if (!url) return
      clearTimeout(late)
      resolve(url)
    }
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', hear)
    child.once('exit', (code, signal) => {
      clearTimeout(late)
      fail(`Boathouse ended before it was ready (${signal ?? code}).`)
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
  child.kill('SIGTERM')
  await exited
  clearTimeout(late)
  if (child.signalCode === 'SIGKILL') throw new Error('Boathouse did not stop in time after SIGTERM.')
}

interface Status {
  readonly accountId: string
  readonly user: string
}

async function readStatus(command: string, environment: NodeJS.ProcessEnv): Promise<Status> {
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'status', '--json'], {
    env: environment,
  })
  const status = JSON.parse(stdout) as Partial<Status>
  if (typeof status.accountId !== 'string' || typeof status.user !== 'string')
    throw new Error(`The status names no account and user: ${stdout}`)
  return { accountId: status.accountId, user: status.user }
}

/** Starts the product's process as a user would, on a directory that may hold an earlier life's data. */
export async function launchProduct(launch: Launch): Promise<LaunchedProduct> {
  const child = spawn(process.execPath, [commandIn(findRepository()), 'start'], {
    env: productEnvironment(launch),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code))
  try {
    const url = await waitUntilReady(child, launch.hear)
    return { pid: child.pid ?? 0, url, ended, stop: () => stop(child) }
  } catch (error) {
    await stop(child)
    throw error
  }
}

/** A Boathouse of its own in an empty directory, and how to sign in to it. */
export async function startProduct(launch: Launch): Promise<RunningProduct> {
  const launched = await launchProduct(launch)
  try {
    const { accountId, user } = await readStatus(commandIn(findRepository()), productEnvironment(launch))
    const signIn = { url: launched.url, accountId, username: user, password: PASSWORD }
    return { ...launched, signIn }
  } catch (error) {
    await launched.stop()
    throw error
  }
}

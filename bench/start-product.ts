import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { SignIn } from './channel-client.ts'

const READY = /^Boathouse is ready: (\S+)/
const LINES_KEPT = 20
const STOP_WITHIN_MS = 20_000
const START_WITHIN_MS = 120_000

export interface RunningProduct {
  readonly signIn: SignIn
  /** Ends every process of it. */
  stop(): Promise<void>
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

/** Settings of the person who runs this must not reach the product: it is measured as it comes. */
function productEnvironment(dataDirectory: string, password: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('BOATHOUSE_') && name !== 'DATABASE_URL',
  )
  return {
    ...Object.fromEntries(inherited),
    BOATHOUSE_DATA_DIR: dataDirectory,
    BOATHOUSE_HTTP_PORT: '0',
    BOATHOUSE_MYSQL_PORT: '0',
    BOATHOUSE_ADMIN_PASSWORD: password,
    BOATHOUSE_SAMPLE_DATA: 'false',
  }
}

/** The address it answers on; the last lines it said when it ends or is silent instead. */
async function waitUntilReady(child: ChildProcess): Promise<string> {
  const said: string[] = []
  return new Promise<string>((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`${what}\n${said.join('\n')}`))
    const late = setTimeout(() => fail('Boathouse was not ready in time.'), START_WITHIN_MS)
    const hear = (line: string) => {
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

/** A Boathouse of its own in an empty directory, as a user would start it. */
export async function startProduct(dataDirectory: string): Promise<RunningProduct> {
  const command = commandIn(findRepository())
  const password = 'bench_2000'
  const environment = productEnvironment(dataDirectory, password)
  const child = spawn(process.execPath, [command, 'start'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const url = await waitUntilReady(child)
    const status = await readStatus(command, environment)
    return {
      signIn: { url, accountId: status.accountId, username: status.user, password },
      stop: () => stop(child),
    }
  } catch (error) {
    await stop(child)
    throw error
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { COMMAND } from './repository.ts'

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Runs it as another user, which only root can do. */
  readonly uid?: number
}

export interface CommandEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Only what hangs is ended. */
const END_WITHIN_MS = 120_000

/** Settings in the environment of the tests must not reach the product. */
function productEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('BOATHOUSE_') && name !== 'DATABASE_URL',
  )
  return { ...Object.fromEntries(inherited), ...settings }
}

/** The way every command of the product is started; its output can be read. */
export const spawnCommand = (args: readonly string[], { env = {}, cwd, uid }: CommandOptions = {}) =>
  spawn(process.execPath, [COMMAND, ...args], {
    env: productEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })

/** Runs `boathouse …` to its end. */
export async function boathouse(args: readonly string[], options: CommandOptions = {}): Promise<CommandEnd> {
  const child = spawnCommand(args, options)
  const late = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  clearTimeout(late)
  return { code, stdout, stderr }
}

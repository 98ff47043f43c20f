import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bundleForTests } from '../../../../server/src/testing/embedded-engine.ts'

/** The command of the product, bundled as the product is. */
const command = (): Promise<string> =>
  bundleForTests({
    name: 'boathouse-command',
    entry: '../cli/src/boathouse.ts',
    madeOf: ['../cli/src', '../packages/client/src', '../packages/contract/src', '../packages/sql/src'],
  })

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>
  /** What comes from a pipe. */
  readonly input?: string
}

/** Settings of the tests' own environment must not reach it. */
const environment = (env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BOATHOUSE_'))),
  BOATHOUSE_DATA_DIR: '/nonexistent',
  ...env,
})

/** Runs `boathouse sql …` to its end, without a terminal. */
export async function runSqlCommand(args: readonly string[], { env, input = '' }: CommandOptions = {}) {
  const child = spawn(process.execPath, [await command(), 'sql', ...args], {
    env: environment(env),
    stdio: ['pipe', 'pipe', 'pipe'],
    // Of its own: nobody can be asked for a password at the terminal of who runs the tests.
    detached: true,
  })
  child.stdin.on('error', () => undefined) // It may have ended before it read everything.
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

const MOVEMENT = new RegExp(String.raw`\u001b\[[\d;?]*[A-Za-z]`, 'g')

/** What is on a screen without colours and movements. */
const plain = (output: string): string => output.replaceAll(MOVEMENT, '').replaceAll('\r', '')

const nothing = (): void => undefined

const WITHIN_MS = 60_000

export interface Terminal {
  type(keys: string): void
  /** Waits until it is shown, behind what was awaited before; resolves to all that was shown in between. */
  shows(what: string | RegExp): Promise<string>
  /** All that was written, with its control characters. */
  raw(): string
  ended(): Promise<number | null>
}

/** Runs `boathouse sql …` in a real pseudo terminal. */
export async function openTerminal(
  args: readonly string[],
  { env, columns = 80 }: { env?: Readonly<Record<string, string>>; columns?: number } = {},
): Promise<Terminal> {
  const driver = fileURLToPath(new URL('terminal.py', import.meta.url))
  const child: ChildProcess = spawn(
    'python3',
    [driver, String(columns), process.execPath, await command(), 'sql', ...args],
    { env: { ...environment(env), TERM: 'xterm' }, stdio: ['pipe', 'pipe', 'inherit'] },
  )
  onTestFinished(() => void child.kill())
  let output = ''
  let seen = 0
  let wake = nothing
  child.stdout?.setEncoding('utf8').on('data', (more: string) => {
    output += more
    wake()
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  closed.then(
    () => wake(),
    () => undefined,
  )
  return {
    type: (keys) => void child.stdin?.write(keys),
    raw: () => output,
    async shows(what) {
      const deadline = AbortSignal.timeout(WITHIN_MS)
      deadline.addEventListener('abort', () => wake(), { once: true })
      for (;;) {
        const all = plain(output)
        const unseen = all.slice(seen)
        const at = typeof what === 'string' ? unseen.indexOf(what) : unseen.search(what)
        if (at >= 0) {
          const length = typeof what === 'string' ? what.length : (what.exec(unseen)?.[0].length ?? 0)
          seen += at + length
          return unseen.slice(0, at + length)
        }
        if (deadline.aborted || child.exitCode !== null)
          throw new Error(`${String(what)} was not shown, but ${JSON.stringify(unseen)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    ended: async () => (await closed)[0],
  }
}

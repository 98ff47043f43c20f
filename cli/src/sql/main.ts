import type { Client, Session } from '@boathouse/client/public/index'
import { readConfig } from '@boathouse/server/config'
import { findRunning } from '@boathouse/server/running-server'
import { UsageError } from '../command-line.ts'
import { productRoot } from '../product-root.ts'
import { askUser, Interrupted } from './ask.ts'
import { historyFile, openHistory } from './history.ts'
import { parseSqlOptions, type SqlOptions, USAGE } from './options.ts'
import { safeText } from './output/safe-text.ts'
import { problemText } from './run-statement.ts'
import { runScript } from './script.ts'
import { Shell } from './shell.ts'
import { type LocalServer, signIn } from './sign-in.ts'

const EXIT = { done: 0, failed: 1, usage: 2, notConnected: 3, stopped: 130 } as const

/** What people at a terminal see unless they say otherwise. */
const SHELL_ROWS = 1_000

const { stdin, stdout, stderr } = process

async function findLocal(): Promise<LocalServer | null> {
  const { dataDir } = readConfig(process.env, productRoot)
  return (await findRunning(dataDir)) ?? null
}

/** Who reads the output has gone, as `head` does: there is nobody to write for. */
function leaveWithReader(): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done)
    throw error
  })
}

async function runTexts(options: SqlOptions, session: Session): Promise<number> {
  const stop = new AbortController()
  process.on('SIGINT', () => stop.abort())
  const format = options.format ?? (stdout.isTTY ? 'table' : 'csv')
  const texts = options.texts.length > 0 ? options.texts : [{ file: '-' }]
  const script = { session, format, force: options.force, out: stdout, err: stderr, signal: stop.signal }
  return EXIT[await runScript(texts, stdin, script)]
}

async function runShell(options: SqlOptions, client: Client, session: Session): Promise<number> {
  const history = options.keepsHistory ? openHistory(historyFile(process.env)) : null
  stdout.write(
    `Connected to ${client.url} as ${safeText(client.user)}, account ${client.account}. \\? is help.\n`,
  )
  const format = options.format ?? 'table'
  await new Shell({ client, session, format, history, input: stdin, out: stdout, err: stderr }).run()
  return EXIT.done
}

async function work(options: SqlOptions, client: Client): Promise<number> {
  const isShell = options.texts.length === 0 && stdin.isTTY && stdout.isTTY
  const { warehouse, catalog, database, limit } = options
  const rowLimit = limit === undefined ? (isShell ? SHELL_ROWS : undefined) : (limit ?? undefined)
  const session = await client.session({ warehouse, catalog, database, rowLimit })
  return isShell ? runShell(options, client, session) : runTexts(options, session)
}

/** `boathouse sql`: resolves to the exit code. */
export async function runSql(words: readonly string[]): Promise<number> {
  const options = parseSqlOptions(words, process.env)
  if (options.help) {
    stdout.write(USAGE)
    return EXIT.done
  }
  leaveWithReader()
  let client: Client | null = null
  try {
    const warn = (text: string) => stderr.write(`${text}\n`)
    client = await signIn({ options, env: process.env, findLocal, ask: askUser, warn })
    return await work(options, client)
  } catch (error) {
    if (error instanceof Interrupted) return EXIT.stopped
    if (error instanceof UsageError) throw error
    stderr.write(problemText(error))
    return client ? EXIT.failed : EXIT.notConnected
  } finally {
    // The server ends the sign-in of one that cannot say so.
    await client?.close().catch(() => undefined)
  }
}

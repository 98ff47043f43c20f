import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { build } from './build.ts'
import { readConfig } from './config.ts'
import { NO_CONSOLE } from './doors/http/console-files.ts'
import { createDuckdbProvider } from './engines/duckdb/provider.ts'
import { createTrinoProvider } from './engines/trino/provider.ts'
import { AppError } from './kernel/app-error.ts'
import { systemClock } from './kernel/clock.ts'
import { createLog } from './kernel/log.ts'
import { serverPackageDirectory } from './store/package-directory.ts'
import { openStore } from './store/store.ts'

/**
 * Carries out operator commands while no server runs: opens the store, reads questions from standard input, a line
 * each, and answers each with a line. Refuses when a server holds the data.
 */
async function main(): Promise<void> {
  const packageDirectory = serverPackageDirectory()
  const config = readConfig(process.env, dirname(packageDirectory))
  const log = createLog('error')
  const { version } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8')) as {
    version: string
  }
  const { dataDir, databaseUrl } = config
  const questions = (await text(process.stdin)).split('\n').filter(Boolean)
  const store = await openStore({ dataDir, databaseUrl, log })
  const built = await build({
    config,
    version,
    store,
    engines: createDuckdbProvider({ log }),
    clusterEngine: createTrinoProvider(),
    consoleFiles: NO_CONSOLE,
    analysisWorker: async () => join(packageDirectory, 'dist', 'sql-analysis.js'),
    jsonWorker: async () => join(packageDirectory, 'dist', 'json-reader.js'),
    pdfWorker: async () => join(packageDirectory, 'dist', 'pdf-printer.js'),
    mysqlDoor: async () => join(packageDirectory, 'dist', 'mysql-door.js'),
    clock: systemClock,
    log,
    tell: () => undefined,
  })
  try {
    for (const question of questions) {
      const { command, input } = JSON.parse(question) as { command: string; input: unknown }
      process.stdout.write(`${JSON.stringify(await answerTo(() => built.operator(command, input)))}\n`)
    }
  } finally {
    await built.close()
  }
}

async function answerTo(work: () => Promise<unknown>): Promise<object> {
  try {
    return { output: await work() }
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message }
    throw error
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)

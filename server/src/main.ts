import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { CallDescriptions } from '@boathouse/contract/openapi'
import { build, type Built } from './build.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { makeDataDirectory } from './data-directory.ts'
import { readConsoleFiles } from './doors/http/console-files.ts'
import { createDuckdbProvider } from './engines/duckdb/provider.ts'
import { createTrinoProvider } from './engines/trino/provider.ts'
import { systemClock } from './kernel/clock.ts'
import { createLog, type Log, outliveOutput } from './kernel/log.ts'
import type { Welcome } from './modules/first-start/service.ts'
import { operatorSocketIn } from './operator-socket.ts'
import { announce, withdraw } from './running-server.ts'
import { StartRefused } from './start-refused.ts'
import { watchStrayFailures } from './stray-failures.ts'
import { serverPackageDirectory } from './store/package-directory.ts'
import { openStore } from './store/store.ts'

// Engines are given 10 s, then the database is ended.
const SHUTDOWN_MS = 20_000

const say = (text: string): void => void process.stdout.write(`${text}\n`)

/** Before anything is started, so that a taken port costs nothing. */
function assertPortFree({ httpHost, httpPort }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portProblem(error, httpHost, httpPort)))
    probe.listen(httpPort, httpHost, () => probe.close(() => resolve()))
  })
}

function portProblem(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartRefused(
      `Port ${port} on ${host} is taken. Choose another one: BOATHOUSE_HTTP_PORT=${port + 1}`,
    )
  if (error.code === 'EACCES')
    return new StartRefused(
      `Port ${port} may not be opened by this user. Choose one above 1023 with BOATHOUSE_HTTP_PORT.`,
    )
  return new StartRefused(`BOATHOUSE_HTTP_HOST: ${host} is not an address of this machine (${error.code}).`)
}

function privatePortProblem({ code }: NodeJS.ErrnoException, { privateLink }: Config): Error {
  const { host, httpPort } = privateLink
  return new StartRefused(
    `The listener of private links cannot open port ${httpPort} on ${host} (${code}). Change BOATHOUSE_PRIVATE_LINK_HOST or BOATHOUSE_PRIVATE_LINK_HTTP_PORT.`,
  )
}

async function open(config: Config, log: Log, version: string): Promise<Built> {
  const { dataDir, databaseUrl } = config
  const store = await openStore({ dataDir, databaseUrl, log })
  try {
    const consoleFiles = await readConsoleFiles(join(dirname(serverPackageDirectory()), 'console', 'dist'), {
      ...config,
      keepsMails: config.smtp === undefined,
    })
    const descriptions = join(serverPackageDirectory(), 'dist', 'call-descriptions.json')
    const engines = createDuckdbProvider({ log })
    return await build({
      config,
      version,
      store,
      engines,
      clusterEngine: createTrinoProvider(),
      consoleFiles,
      callDescriptions: JSON.parse(await readFile(descriptions, 'utf8')) as CallDescriptions,
      analysisWorker: async () => join(serverPackageDirectory(), 'dist', 'sql-analysis.js'),
      jsonWorker: async () => join(serverPackageDirectory(), 'dist', 'json-reader.js'),
      pdfWorker: async () => join(serverPackageDirectory(), 'dist', 'pdf-printer.js'),
      mysqlDoor: async () => join(serverPackageDirectory(), 'dist', 'mysql-door.js'),
      clock: systemClock,
      log,
      tell: say,
    })
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Where mails to the administrator go, or what is missing and how it is set. */
function mailLines({ accountId, user, email }: Welcome, config: Config): string[] {
  const address =
    email === null
      ? `${user} has no mail address yet. Set one: npx boathouse user set-email ${accountId} ${user} ADDRESS`
      : email
  const server = config.smtp
    ? []
    : ["No mail server is set (BOATHOUSE_SMTP_URL): mails are kept, 'npx boathouse outbox list' lists them"]
  return [...(address === undefined ? [] : [address]), ...server]
}

/** What a program needs to connect; nothing where the endpoint is closed, which was said before. */
function mysqlLines({ mysql }: Built, { accountId, user }: Welcome): string[] {
  if (mysql?.state !== 'listening') return []
  const { host, port } = mysql.endpoint
  return [`  MySQL     mysql -h ${host} -P ${port} -u ${accountId}.${user} -p`]
}

function welcome(built: Built, config: Config, welcomed: Welcome | null): void {
  const url = built.publicUrl()
  say(`Boathouse is ready: ${url}`)
  if (!welcomed) {
    say(`  Region    ${config.region}. Its accounts are created on ${config.regions.central?.url ?? ''}`)
    say('  Stop with Ctrl+C')
    return
  }
  const { accountId, user, password } = welcomed
  say(`  Sign in   ${url}/login?step=signin&aid=${accountId}&region=${config.region}`)
  say(`  Account   ${accountId}`)
  say(`  User      ${user}`)
  if (password) say(`  Password  ${password}   (shown only now: keep it)`)
  mysqlLines(built, welcomed).forEach(say)
  mailLines(welcomed, config).forEach((line, index) => say(`  ${index === 0 ? 'Mail' : '    '}      ${line}`))
  say('  Stop with Ctrl+C')
}

/**
 * Ends everything that was opened, at the first signal or failure that calls for it; a second one changes nothing,
 * because it already ends as fast as it can without leaving a process behind.
 */
function closeOnce(opening: Promise<Built>, dataDir: string, log: Log) {
  const state = { isClosing: false }
  const close = async (): Promise<void> => {
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref()
    await withdraw(dataDir)
    // A start that failed has closed what it had opened.
    const built = await opening.catch(() => null)
    await built?.close()
  }
  return {
    get isClosing(): boolean {
      return state.isClosing
    },
    close(reason: string, exitCode: number): void {
      if (state.isClosing) return
      state.isClosing = true
      log.info({ reason }, 'closing')
      close()
        .then(() => process.exit(exitCode))
        .catch((error: unknown) => {
          log.error({ err: error }, 'closing failed')
          process.exit(1)
        })
    },
  }
}

async function start(): Promise<void> {
  const packageDirectory = serverPackageDirectory()
  const config = readConfig(process.env, dirname(packageDirectory))
  const log = createLog(config.logLevel)
  const { version } = JSON.parse(await readFile(join(packageDirectory, 'package.json'), 'utf8')) as {
    version: string
  }

  await assertPortFree(config)
  await makeDataDirectory(config.dataDir)
  const opening = open(config, log, version)
  const closing = closeOnce(opening, config.dataDir, log)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => closing.close(signal, 0))
  watchStrayFailures(process, {
    log,
    onRejection: () => {
      // A failed start is reported elsewhere, and has nothing to count.
      opening.then(
        ({ metrics }) => metrics.strayRejections.inc(),
        () => undefined,
      )
    },
    end: () => closing.close('a failure', 1),
  })
  try {
    await serve(await opening, config, version)
  } catch (error) {
    // What fails because everything is being closed is no failure of the start.
    if (closing.isClosing) return
    await (await opening.catch(() => null))?.close()
    throw error
  }
}

async function serve(built: Built, config: Config, version: string): Promise<void> {
  // The accounts of a region are made by the central server.
  const welcomed = config.regions.central ? null : await built.firstStart.prepare()
  await built.app.listen({ host: config.httpHost, port: config.httpPort })
  await built.mysql?.start()
  await built.privateHttp?.start().catch((error: NodeJS.ErrnoException) => {
    throw privatePortProblem(error, config)
  })

  const { host = config.httpHost, port: mysqlPort = 0 } = built.mysql?.endpoint ?? {}
  const url = built.publicUrl()
  const socket = operatorSocketIn(config.dataDir)
  if (socket) await built.listenToOperator(socket)
  await announce(config.dataDir, {
    pid: process.pid,
    url,
    mysqlHost: host,
    mysqlPort,
    region: config.region,
    accountId: welcomed?.accountId ?? '',
    user: welcomed?.user ?? '',
    version,
    clusters: built.clusters.offer(),
  })
  welcome(built, config, welcomed)
  if (welcomed?.password) await built.firstStart.passwordTold()
}

outliveOutput([process.stdout, process.stderr])
start().catch((error: unknown) => {
  const isForeseen = error instanceof ConfigError || error instanceof StartRefused
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`Boathouse did not start. ${message}\n`)
  if (!isForeseen && error instanceof Error && process.env['BOATHOUSE_LOG_LEVEL'] === 'debug')
    process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})

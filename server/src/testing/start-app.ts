import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuiltInRole, Call, Sent } from '@boathouse/contract'
import { afterAll, onTestFinished } from 'vitest'
import type { BuildOptions } from '../build-options.ts'
import { build } from '../build.ts'
import { type Environment, readConfig } from '../config.ts'
import { NO_CONSOLE } from '../doors/http/console-files.ts'
import { HTTP_TIMES } from '../doors/http/server.ts'
import type { Capabilities } from '../engines/engine/capabilities.ts'
import { createScriptedProvider } from '../engines/scripted/provider.ts'
import { createLog } from '../kernel/log.ts'
import { createFirstStartStore } from '../modules/first-start/store.ts'
import { servicesOf } from './app-services.ts'
import { bundleForTests, createEmbeddedInProcess } from './embedded-engine.ts'
import { fakeClock } from './fake-clock.ts'
import { leaseStore } from './leased-store.ts'
import { createOtherAccount } from './other-account.ts'
import { hashForTests, PASSWORD } from './test-password.ts'
import { createTestUsers, type TestUser } from './test-users.ts'

/** The thread that analyses large texts. */
export const analysisForTests = (): Promise<string> =>
  bundleForTests({
    name: 'sql-analysis',
    entry: 'src/modules/query/analysis/worker.ts',
    madeOf: ['src/modules/query/analysis', 'src/engines/engine', 'src/kernel', '../packages/sql/src'],
  })

/** The thread that reads large JSON. */
const jsonReaderForTests = (): Promise<string> =>
  bundleForTests({ name: 'json-reader', entry: 'src/kernel/json/worker.ts', madeOf: ['src/kernel'] })

/** The thread that prints invoices. */
const printerForTests = (): Promise<string> =>
  bundleForTests({
    name: 'pdf-printer',
    entry: 'src/modules/payment/printing/worker.ts',
    madeOf: ['src/modules/payment/printing', 'src/kernel'],
  })

/** The process that speaks the MySQL protocol. */
const mysqlDoorForTests = (): Promise<string> =>
  bundleForTests({
    name: 'mysql-door',
    entry: 'src/doors/mysql/process/main.ts',
    madeOf: ['src/doors/mysql', 'src/doors/private-link', 'src/engines/engine', 'src/kernel'],
  })

export type { Answer, TestUser } from './test-users.ts'

export interface TestAppOptions extends Partial<
  Pick<
    BuildOptions,
    | 'log'
    | 'httpTimes'
    | 'mysqlDoor'
    | 'engines'
    | 'otherEngines'
    | 'clusterEngine'
    | 'issuerFailsAfterMs'
    | 'silentAfterMs'
    | 'streamIdleMs'
    | 'transactionLimits'
    | 'runsJobs'
  >
> {
  /** `embedded` is for what only the product's own engine can say; all others are about the service, and soon done with the scripted one. */
  readonly engine?: 'scripted' | 'embedded'
  /** What its engine cannot do. */
  readonly without?: readonly (keyof Capabilities)[]
  /** Given the end of the app, for when that is; by default with the test. */
  readonly ends?: (end: () => Promise<void>) => void
}

/** The whole server with a database of its own and a clock that stands still; ends with the test. */
export async function startApp(
  settings: Environment = {},
  {
    log = createLog('silent'),
    httpTimes = { ...HTTP_TIMES, refusalMs: 0 },
    issuerFailsAfterMs = 0,
    engine = 'scripted',
    without = [],
    engines: provider,
    otherEngines = [],
    clusterEngine,
    silentAfterMs,
    streamIdleMs,
    transactionLimits,
    mysqlDoor = mysqlDoorForTests,
    // A test calls what a job calls when it is time: on a slow machine, a timer would be there before it.
    runsJobs = false,
    ends = onTestFinished,
  }: TestAppOptions = {},
) {
  const clock = fakeClock()
  const printed: string[] = []
  const engines = (engine === 'embedded' ? createEmbeddedInProcess : createScriptedProvider)({ without })
  const dataDir = await mkdtemp(join(tmpdir(), 'boathouse-app-'))
  // Engines run as users of their own, and pass through it.
  await chmod(dataDir, 0o711)
  const store = await leaseStore()
  const config = readConfig(
    {
      BOATHOUSE_DATA_DIR: dataDir,
      BOATHOUSE_HTTP_PORT: '0',
      BOATHOUSE_MYSQL_PORT: 'off',
      BOATHOUSE_ADMIN_PASSWORD: PASSWORD,
      BOATHOUSE_SAMPLE_DATA: 'false',
      ...settings,
    },
    dataDir,
  )
  const built = await build({
    config,
    version: '0.0.0-test',
    store,
    engines: provider ?? engines,
    otherEngines,
    clusterEngine,
    consoleFiles: NO_CONSOLE,
    analysisWorker: analysisForTests,
    jsonWorker: jsonReaderForTests,
    pdfWorker: printerForTests,
    mysqlDoor,
    clock,
    log,
    tell: (text) => void printed.push(text),
    httpTimes,
    issuerFailsAfterMs,
    silentAfterMs,
    streamIdleMs,
    transactionLimits,
    runsJobs,
  })
  ends(async () => {
    await built.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  if (config.adminPassword === PASSWORD && !config.sampleData && !config.regions.central)
    await createFirstStartStore(store.db).createDemo({
      region: config.region,
      csp: config.regions.own.cspId,
      passwordHash: await hashForTests(),
      savedQueries: [],
      fact: { user: 'admin', samples: 'not wanted', password: 'told' },
      at: clock.now(),
    })
  // The server of a region has no account of its own.
  const { accountId, user: admin } = config.regions.central
    ? { accountId: '', user: '' }
    : await built.firstStart.prepare()
  await built.mysql?.start()
  await built.privateHttp?.start()
  const users = createTestUsers({ built, store, clock })
  const { signIn, addUser } = users
  const otherAccount = createOtherAccount({ store, users, accountId, region: config.region, clock })

  return {
    accountId,
    dataDir,
    password: PASSWORD,
    clock,
    engines,
    store,
    ...servicesOf(built),
    /** Messages to the operator, for example about mails that could not be sent. */
    printed,
    /** Without a login. */
    call: <C extends Call>(value: C, input: Sent<C>) => users.call('', value, input),
    /** Address of the listening server. */
    url: users.url,
    admin: () => signIn(admin, accountId),
    /** Another login of somebody. */
    signInAs: (name: string, account = accountId): Promise<TestUser> => signIn(name, account),
    /** A further user, holding these roles and nothing else. */
    user: (roles: readonly BuiltInRole[] = []) => addUser(accountId, roles),
    /** A second, normal account of the same organisation, of lake edition: what does it see? */
    otherAccount,
    /** A user of that account. */
    stranger: async (roles: readonly BuiltInRole[] = []): Promise<TestUser> =>
      (await otherAccount()).user(roles),
  }
}

/** One app for those tests of a file that leave nothing behind; called at its top, started when the first of them asks. */
export function sharedApp(settings: Environment = {}, options: Omit<TestAppOptions, 'ends'> = {}) {
  let end: (() => Promise<void>) | undefined
  let started: ReturnType<typeof startApp> | undefined
  afterAll(() => end?.())
  return () => (started ??= startApp(settings, { ...options, ends: (work) => (end = work) }))
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

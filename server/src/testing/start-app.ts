import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { type BuiltInRole, type Call, type Output, type Sent } from '@boathouse/contract'
import { afterAll, onTestFinished } from 'vitest'
import { build, type BuildOptions } from '../build.ts'
import { type Environment, readConfig } from '../config.ts'
import { HTTP_TIMES } from '../doors/http/server.ts'
import type { Capabilities } from '../engines/engine/capabilities.ts'
import { createScriptedProvider } from '../engines/scripted/provider.ts'
import { createLog } from '../kernel/log.ts'
import { SERVICE } from '../modules/audit/author.ts'
import { openAccount } from '../modules/org/open-account.ts'
import { createFirstStartStore } from '../modules/first-start/store.ts'
import { bundleForTests, createEmbeddedInProcess } from './embedded-engine.ts'
import { fakeClock } from './fake-clock.ts'
import { leaseStore } from './leased-store.ts'
import { signedCall } from './signed-call.ts'
import { channelUrl, TestChannel } from './test-channel.ts'

const PASSWORD = 'Rowing_2026'
const OTHER_ADMIN = 'harbourmaster'
/** As requests that are injected. */
const FROM = { requestId: 'sign-in', clientIp: '127.0.0.1', userAgent: 'lightMyRequest' }
let passwordHash: Promise<string> | undefined
/**
 * Of the password that all of them have. A hash says what it costs to hold a password against it, and a real one costs
 * more than most of what a test does: this one is the cheapest that there can be.
 */
const hashForTests = (): Promise<string> =>
  (passwordHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 }))

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

export interface Answer<C extends Call> {
  readonly code: number
  readonly message: string
  readonly data: Output<C>
}

/** Someone signed in to the test's account. */
export interface TestUser {
  readonly name: string
  readonly accountId: string
  readonly token: string
  call<C extends Call>(call: C, input: Sent<C>): Promise<Answer<C>>
  channel(): Promise<TestChannel>
}

export interface TestAppOptions extends Partial<
  Pick<
    BuildOptions,
    'log' | 'httpTimes' | 'engines' | 'otherEngines' | 'issuerFailsAfterMs' | 'silentAfterMs'
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
    silentAfterMs,
    ends = onTestFinished,
  }: TestAppOptions = {},
) {
  const clock = fakeClock()
  const told: string[] = []
  const engines = (engine === 'embedded' ? createEmbeddedInProcess : createScriptedProvider)({ without })
  const dataDir = await mkdtemp(join(tmpdir(), 'boathouse-app-'))
  // Engines run as users of their own, and pass through it.
  await chmod(dataDir, 0o711)
  const store = await leaseStore()
  const config = readConfig(
    {
      BOATHOUSE_DATA_DIR: dataDir,
      BOATHOUSE_HTTP_PORT: '0',
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
    consoleFiles: new Map(),
    analysisWorker: analysisForTests,
    jsonWorker: jsonReaderForTests,
    pdfWorker: printerForTests,
    clock,
    log,
    tell: (text) => void told.push(text),
    httpTimes,
    issuerFailsAfterMs,
    silentAfterMs,
  })
  ends(async () => {
    await built.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  if (config.adminPassword === PASSWORD && !config.sampleData)
    await createFirstStartStore(store.db).createDemo({
      region: config.region,
      passwordHash: await hashForTests(),
      savedQueries: [],
      fact: { user: 'admin', samples: 'not wanted', password: 'told' },
      at: clock.now(),
    })
  const { accountId, user: admin } = await built.firstStart.prepare()
  let listening: Promise<string> | undefined

  async function call<C extends Call>(token: string, value: C, input: Sent<C>): Promise<Answer<C>> {
    const answer = await built.app.inject(signedCall(value, input, { token, now: clock.now() }))
    return answer.json<Answer<C>>()
  }

  async function signIn(name: string, account = accountId): Promise<TestUser> {
    const { user_id } = await store.db
      .selectFrom('users')
      .select('user_id')
      .where('account_id', '=', account)
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const { token } = await built.identity.users.loginAs(FROM, user_id, 'password')
    return {
      name,
      accountId: account,
      token,
      call: (value, input) => call(token, value, input),
      channel: async () => {
        listening ??= built.app.listen({ host: '127.0.0.1', port: 0 })
        return TestChannel.open(channelUrl(await listening, { token, now: clock.now() }))
      },
    }
  }

  async function addUser(account: string, roles: readonly BuiltInRole[]): Promise<TestUser> {
    const name = `user_${randomUUID().slice(0, 8)}`
    const userId = randomUUID()
    const at = clock.now()
    await store.db
      .insertInto('users')
      .values({
        user_id: userId,
        account_id: account,
        name,
        password_hash: await hashForTests(),
        is_org_admin: false,
        created_at: at,
        password_changed_at: at,
      })
      .execute()
    for (const role of roles)
      await store.db
        .insertInto('user_roles')
        .values({ user_id: userId, role, active: true, granted_at: at })
        .execute()
    return signIn(name, account)
  }

  let other: Promise<string> | undefined

  const openOther = async (): Promise<string> => {
    const hash = await hashForTests()
    return store.transaction(async (trx) => {
      const { organisation_id } = await trx
        .selectFrom('accounts')
        .select('organisation_id')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      const opened = await openAccount(trx, {
        organisationId: organisation_id,
        name: 'harbour',
        isRoot: false,
        csp: 'local',
        region: config.region,
        edition: 'lake',
        administrator: { name: OTHER_ADMIN, email: 'master@harbour.example', passwordHash: hash },
        begins: 'ready',
        wantsSamples: false,
        by: SERVICE,
        at: clock.now(),
      })
      return opened.accountId
    })
  }

  async function otherAccount() {
    const id = await (other ??= openOther())
    return {
      accountId: id,
      admin: () => signIn(OTHER_ADMIN, id),
      user: (roles: readonly BuiltInRole[] = []) => addUser(id, roles),
    }
  }

  return {
    accountId,
    dataDir,
    password: PASSWORD,
    clock,
    engines,
    store,
    http: built.app,
    queries: built.queries,
    results: built.results,
    downloads: built.downloads,
    loads: built.loads,
    room: built.room,
    editor: built.editor,
    warehouses: built.warehouses,
    materialized: built.tasks.materialized,
    tasks: built.tasks.submitted,
    scheduledTasks: built.tasks.scheduled,
    compute: built.compute,
    folders: built.folders,
    outside: built.catalog.outside,
    mails: built.identity.mails,
    links: built.identity.links,
    passwords: built.identity.passwords,
    orgs: built.identity.orgs,
    trials: built.identity.trials,
    payments: built.identity.payments,
    budgets: built.identity.budgets,
    storage: built.identity.storage,
    accountLife: built.identity.accountLife,
    firewall: built.identity.firewall,
    operator: built.operator,
    notes: built.catalog.notes,
    signIns: built.identity.signIns,
    actorOf: built.identity.users.actorOf,
    plainSignIn: built.identity.plainSignIn,
    /** Messages to the operator, for example about mails that could not be sent. */
    told,
    /** Before a test looks into the table of statements itself. */
    endsWritten: built.endsWritten,
    /** Without a login. */
    call: <C extends Call>(value: C, input: Sent<C>) => call('', value, input),
    /** Address of the listening server. */
    url: () => (listening ??= built.app.listen({ host: '127.0.0.1', port: 0 })),
    admin: () => signIn(admin),
    /** Another login of somebody. */
    signInAs: (name: string): Promise<TestUser> => signIn(name),
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

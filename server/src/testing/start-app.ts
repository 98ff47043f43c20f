import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BuiltInRole,
  type Call,
  encodePassword,
  type Output,
  type Sent,
  user,
} from '@boathouse/contract'
import { onTestFinished } from 'vitest'
import { build } from '../build.ts'
import { type Environment, readConfig } from '../config.ts'
import { createFakeProvider } from '../engines/fake/provider.ts'
import { createLog } from '../kernel/log.ts'
import { hashPassword } from '../modules/user/passwords.ts'
import { openStore } from '../store/store.ts'
import { freshDatabase, silentLog } from './database.ts'
import { fakeClock } from './fake-clock.ts'
import { signedCall } from './signed-call.ts'
import { channelUrl, TestChannel } from './test-channel.ts'

const PASSWORD = 'Rowing_2026'
let passwordHash: Promise<string> | undefined

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

/** The whole server with a database of its own, the fake engine and a clock that stands still; ends with the test. */
export async function startApp(settings: Environment = {}) {
  const clock = fakeClock()
  const engines = createFakeProvider()
  const database = await freshDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'boathouse-app-'))
  const store = await openStore({ databaseUrl: database.url, dataDir, log: silentLog })
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
    engines,
    consoleFiles: new Map(),
    clock,
    log: createLog('silent'),
  })
  onTestFinished(async () => {
    await built.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { accountId, user: admin } = await built.firstStart.prepare()
  let listening: Promise<string> | undefined

  async function call<C extends Call>(token: string, value: C, input: Sent<C>): Promise<Answer<C>> {
    const answer = await built.app.inject(signedCall(value, input, { token, now: clock.now() }))
    return answer.json<Answer<C>>()
  }

  async function signIn(name: string, account = accountId): Promise<TestUser> {
    const { data } = await call('', user.login, {
      accountId: account,
      username: name,
      password: encodePassword(PASSWORD),
    })
    return {
      name,
      accountId: account,
      token: data.token,
      call: (value, input) => call(data.token, value, input),
      channel: async () => {
        listening ??= built.app.listen({ host: '127.0.0.1', port: 0 })
        return TestChannel.open(channelUrl(await listening, { token: data.token, now: clock.now() }))
      },
    }
  }

  async function addUser(account: string, roles: readonly BuiltInRole[]): Promise<TestUser> {
    const name = `user_${randomUUID().slice(0, 8)}`
    const userId = randomUUID()
    const at = clock.now()
    passwordHash ??= hashPassword(PASSWORD)
    await store.db
      .insertInto('users')
      .values({
        user_id: userId,
        account_id: account,
        name,
        password_hash: await passwordHash,
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

  return {
    accountId,
    password: PASSWORD,
    clock,
    engines,
    store,
    http: built.app,
    queries: built.queries,
    results: built.results,
    warehouses: built.warehouses,
    compute: built.compute,
    /** Before a test looks into the table of statements itself. */
    endsWritten: built.endsWritten,
    /** Without a login. */
    call: <C extends Call>(value: C, input: Sent<C>) => call('', value, input),
    /** Address of the listening server. */
    url: () => (listening ??= built.app.listen({ host: '127.0.0.1', port: 0 })),
    admin: () => signIn(admin),
    /** A further user, holding these roles and nothing else. */
    user: (roles: readonly BuiltInRole[] = []) => addUser(accountId, roles),
    /** A user of another account of the organisation, which has nothing of its own yet. */
    async stranger(roles: readonly BuiltInRole[] = []): Promise<TestUser> {
      const other = `ZZZ${String(randomInt(100_000)).padStart(5, '0')}`
      const { rows } = await store.pool.query<{ account_id: string }>(
        `insert into accounts (account_id, organisation_id, name, csp, region, edition, state, shell_state, creator, created_at)
         select $1, organisation_id, $1, csp, region, 'lake', state, shell_state, 'nobody', created_at
         from accounts where account_id = $2 returning account_id`,
        [other, accountId],
      )
      return addUser(rows[0]?.account_id ?? other, roles)
    },
  }
}

export type TestApp = Awaited<ReturnType<typeof startApp>>

import { randomUUID } from 'node:crypto'
import { encodePassword, user } from '@boathouse/contract'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { Engine, UseEngine } from '../../engines/engine/engine.ts'
import type { EngineSession } from '../../engines/engine/session.ts'
import { freshStore } from '../../testing/leased-store.ts'
import { fakeClock, MINUTES } from '../../testing/fake-clock.ts'
import { startCompute } from '../../testing/recorded-engines.ts'
import { startApp } from '../../testing/start-app.ts'
import { BY_OPERATOR, verifyPassword } from '../user/passwords.ts'
import { createFirstStart } from './service.ts'
import { createFirstStartStore } from './store.ts'

const { db } = await freshStore()
const store = createFirstStartStore(db)

beforeEach(async () => {
  await db.updateTable('organisations').set({ root_account_id: null }).execute()
  for (const table of ['instance_facts', 'accounts', 'organisations'] as const)
    await db.deleteFrom(table).execute()
})

const noEngine: UseEngine = () => Promise.reject(new Error('No engine is needed here.'))

function firstStart(
  config: { adminPassword?: string; adminEmail?: string; sampleData?: boolean } = {},
  useServiceEngine: UseEngine = noEngine,
) {
  return createFirstStart({
    store,
    useServiceEngine,
    clock: fakeClock(),
    config: {
      adminPassword: config.adminPassword,
      adminEmail: config.adminEmail,
      sampleData: config.sampleData ?? false,
      region: 'local-1',
      regions: { own: { cspId: 'local' } },
    },
  })
}

const storedHash = async () =>
  (await db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()).password_hash

test('a generated password is shown at every start until it was seen, and never again', async () => {
  const first = await firstStart().prepare()
  expect(first.password).toMatch(/^.{16}$/)
  const second = await firstStart().prepare()
  expect(second.password).not.toBe(first.password)
  expect(await verifyPassword(second.password ?? '', await storedHash(), BY_OPERATOR)).toBe(true)
  await firstStart().passwordTold()
  expect((await firstStart().prepare()).password).toBeNull()
  expect(await verifyPassword(second.password ?? '', await storedHash(), BY_OPERATOR)).toBe(true)
})

test('a given password is set and not shown, also when an earlier start was cut off', async () => {
  await firstStart().prepare()
  expect((await firstStart({ adminPassword: 'Rowing_2026' }).prepare()).password).toBeNull()
  expect(await verifyPassword('Rowing_2026', await storedHash(), BY_OPERATOR)).toBe(true)
  expect((await firstStart({ adminPassword: 'Another_2026' }).prepare()).password).toBeNull()
  expect(await verifyPassword('Rowing_2026', await storedHash(), BY_OPERATOR), 'first start only').toBe(true)
})

test('a second start changes nothing about the account', async () => {
  const first = await firstStart({ adminPassword: 'Rowing_2026' }).prepare()
  expect(first.accountId).toMatch(/^[A-Z]{3}[0-9]{5}$/)
  expect(await firstStart().prepare()).toEqual(first)
  expect(await db.selectFrom('warehouses').select(['name', 'status']).execute()).toEqual([
    { name: 'default_warehouse', status: 'Suspended' },
  ])
})

test('the administrator has the address of the first start, and it is never replaced by a later one', async () => {
  const first = await firstStart({ adminEmail: 'keeper@boats.example' }).prepare()
  expect(first.email).toBe('keeper@boats.example')
  expect((await firstStart({ adminEmail: 'other@boats.example' }).prepare()).email).toBe(first.email)
})

test('an address that was left out is filled in by a later start, once and in the audit log', async () => {
  expect((await firstStart().prepare()).email).toBeNull()
  for (const adminEmail of ['keeper@boats.example', 'other@boats.example'])
    expect((await firstStart({ adminEmail }).prepare()).email).toBe('keeper@boats.example')
  const { rows } = await sql<{ entry: string }>`
    select entry from audit_entries where action = 'user.set-email'
      and account_id = (select account_id from accounts)`.execute(db)
  expect(rows.map(({ entry }) => JSON.parse(entry))).toMatchObject([
    { by: { kind: 'operator' }, before: { email: null }, after: { email: 'keeper@boats.example' } },
  ])
})

test('an address that another user has leaves the administrator without one, and the start goes through', async () => {
  const { accountId } = await firstStart().prepare()
  await db
    .insertInto('users')
    .values({
      user_id: randomUUID(),
      account_id: accountId,
      name: 'ada',
      email: 'keeper@boats.example',
      is_org_admin: false,
      created_at: new Date(),
      password_changed_at: new Date(),
    })
    .execute()
  expect((await firstStart({ adminEmail: 'keeper@boats.example' }).prepare()).email).toBeNull()
})

test('sample data that take longer than a minute keep their engine until they are made', async () => {
  const { compute, clock, engines } = await startCompute()
  /** Every statement takes two minutes, in which engines that nobody uses are ended. */
  const slowSession = (session: EngineSession): EngineSession => ({
    close: () => session.close(),
    execute(_, options) {
      const afterMinutes = async () => {
        clock.advance(2 * MINUTES)
        await compute.endUnusedEngines()
        return session.execute('SELECT 1', options).outcome
      }
      return { ...session.execute('SELECT 1', options), outcome: afterMinutes() }
    },
  })
  const slow: UseEngine = (accountId, work) =>
    compute.useServiceEngine(accountId, (engine) =>
      work(
        Object.assign(Object.create(engine) as Engine, {
          openSession: async (state: Parameters<Engine['openSession']>[0]) =>
            slowSession(await engine.openSession(state)),
        }),
      ),
    )
  await firstStart({ sampleData: true }, slow).prepare()
  expect((await store.fact())?.samples).toBe('made')
  expect(engines.opened.map(({ isClosed }) => isClosed)).toEqual([false])
})

test('the administrator of a new installation can sign in and holds every role', async () => {
  const app = await startApp()
  const { data } = await app.call(user.login, {
    accountId: app.accountId,
    username: 'admin',
    password: encodePassword(app.password),
  })
  expect(data.info.activeRoles).toEqual(
    expect.arrayContaining(['account_admin', 'org_admin', 'cluster_admin', 'db_admin']),
  )
})

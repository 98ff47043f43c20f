import { readdir } from 'node:fs/promises'
import { CODES, encodePassword, LIFE_CYCLE_STATES, org, SHELL_STATES, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'
import { verifyAudit } from '../audit/verify.ts'
import { createDeletion } from './deletion.ts'
import { daysLeft, startTrial } from './trials.ts'

async function start(organisation: { source?: number; identity?: number } = {}) {
  const app = await startApp()
  const { db } = app.store
  const { organisation_id: organisationId, user_id: userId } = await db
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.account_id')
    .select(['organisation_id', 'user_id'])
    .executeTakeFirstOrThrow()
  await db.updateTable('users').set({ email: 'ada@rowing.example' }).execute()
  if (Object.keys(organisation).length > 0) await db.updateTable('organisations').set(organisation).execute()
  await app.store.transaction((trx) =>
    startTrial(trx, { organisationId, accountId: app.accountId, userId, at: app.clock.now() }),
  )
  const passes = async (ms: number) => {
    app.clock.advance(ms)
    await app.trials.advance()
    await app.accountLife.advance()
  }
  return { app, passes }
}

const shellState = async (app: TestApp) => {
  const { rows } = await app.store.pool.query<{ shell_state: number }>(
    'select shell_state from accounts where account_id = $1',
    [app.accountId],
  )
  return rows[0]?.shell_state
}
const mailKinds = async (app: TestApp) => (await app.mails.outbox()).map(({ kind }) => kind).sort()

test('a trial lasts 30 days; its users are notified by mail and by message three days before, and at the end, once [ACCOUNT-80, ACCOUNT-81, ACCOUNT-85]', async () => {
  const { app, passes } = await start()
  const trial = async () => (await (await app.admin()).call(org.freeTrialContract, {})).data.trial
  const types = async () =>
    (await (await app.admin()).call(user.listUnreadMessages, {})).data.messages.map(({ type }) => type)
  expect(await trial()).toMatchObject({ days: 30, daysLeft: 30, usd: 500, hasEnded: false })
  expect(await types()).toEqual([1])

  await passes(27 * DAYS - 1)
  expect(await mailKinds(app)).toEqual([])
  await passes(1)
  await passes(1 * DAYS)
  expect(await mailKinds(app)).toEqual(['trialEnding'])
  expect(await types()).toEqual([1, 2])
  expect(await trial()).toMatchObject({ daysLeft: 2 })
  expect(await shellState(app)).toBe(SHELL_STATES.Active)

  await passes(2 * DAYS)
  await passes(0)
  expect(await mailKinds(app)).toEqual(['trialEnded', 'trialEnding'])
  expect(await shellState(app)).toBe(SHELL_STATES.FrozenForDeletion)
  expect(await trial()).toMatchObject({ daysLeft: 0, hasEnded: true })
})

test('data is kept for 15 days after that, then the account is deleted with everything that belongs to it [ACCOUNT-84, ACCOUNT-87, ACCOUNT-88]', async () => {
  const { app, passes } = await start()
  const channel = await (await app.admin()).channel()
  const [made] = await channel.run('create table boats (name varchar)')
  expect(made, 'during the trial it is an account like any other').toMatchObject({ errCode: CODES.Ok.code })
  const folders = async () => readdir(app.folders.directoryOf('').replace(/\/$/, ''))
  expect(await folders()).toContain(app.accountId)

  await passes(30 * DAYS)
  await passes(15 * DAYS - 1)
  expect(await shellState(app)).toBe(SHELL_STATES.FrozenForDeletion)
  await passes(1)
  expect(await shellState(app), 'closed for everyone').toBe(SHELL_STATES.Closed)
  expect(await folders(), 'the operator can still bring it back').toContain(app.accountId)
  await passes(24 * HOURS)
  expect(await shellState(app)).toBeUndefined()
  expect(await folders()).toEqual([])

  const { rows } = await app.store.pool.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where column_name = 'account_id' and table_schema = current_schema()`,
  )
  const left = new Map<string, number>()
  for (const { table_name: table } of rows) {
    const { rows: counted } = await app.store.pool.query<{ count: number }>(
      `select count(*)::int as count from ${table} where account_id = $1`,
      [app.accountId],
    )
    if (counted[0]?.count) left.set(table, counted[0].count)
  }
  expect([...left.keys()].sort()).toEqual(['audit_chains', 'audit_entries', 'deleted_accounts'])
  expect(await verifyAudit(app.store.db, app.accountId)).toMatchObject([{ problem: null }])
  const again = await app.call(user.login, {
    accountId: app.accountId,
    username: 'admin',
    password: encodePassword(app.password),
  })
  expect(again.code).toBe(CODES.LoginFailed.code)
})

test('every account of the organisation is frozen; who pays by contract or marketplace is not deleted [CARD-28]', async () => {
  const { app, passes } = await start({ source: 2 })
  const other = await app.otherAccount()
  await passes(30 * DAYS)
  const { rows } = await app.store.pool.query('select shell_state, delete_at from accounts')
  expect(rows).toEqual([
    { shell_state: SHELL_STATES.Frozen, delete_at: null },
    { shell_state: SHELL_STATES.Frozen, delete_at: null },
  ])
  await passes(100 * DAYS)
  expect((await (await other.admin()).call(user.accountInfo, {})).data.accountState).toBe(SHELL_STATES.Frozen)
})

test('a clock that jumps a month forward and back loses nothing, and its effects can be reverted', async () => {
  const { app, passes } = await start()
  const channel = await (await app.admin()).channel()
  await channel.run("create table boats as select 'Argo' as name")
  await passes(31 * DAYS)
  await passes(0)
  expect(await shellState(app)).toBe(SHELL_STATES.FrozenForDeletion)
  expect(await mailKinds(app)).toEqual(['trialEnded', 'trialEnding'])
  await passes(31 * DAYS)
  expect(await shellState(app)).toBe(SHELL_STATES.Closed)

  await passes(-62 * DAYS)
  expect(await mailKinds(app)).toEqual(['trialEnded', 'trialEnding'])
  await app.accountLife.resume(app.accountId, OPERATOR)
  await passes(0)
  expect(await shellState(app)).toBe(SHELL_STATES.Active)
  const later = await (await app.admin()).channel()
  expect((await later.run('select name from boats'))[0]?.errMsg).toBe('')
})

test.each([0, 1, 2])('a deletion that is cut off at step %i continues at the next run', async (cutAt) => {
  const { app, passes } = await start()
  await passes(30 * DAYS)
  await passes(15 * DAYS)
  app.clock.advance(24 * HOURS)
  const { db } = app.store
  let step = 0
  const cut = async (work: () => Promise<void>) => {
    if (step++ === cutAt && cutAt < 2) throw new Error('cut off')
    await work()
  }
  const deletion = createDeletion({
    db,
    clock: app.clock,
    suspendWarehouses: () => cut(async () => undefined),
    removeData: (id) => cut(() => app.compute.removeAccount(id)),
  })
  if (cutAt === 2)
    await app.store.pool.query(
      `create function cut() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$;
       create trigger cut before delete on accounts for each row execute function cut()`,
    )
  await expect(deletion.deleteDue()).rejects.toThrow('cut off')
  await expect(app.accountLife.resume(app.accountId, OPERATOR), 'it is too late').rejects.toMatchObject({
    code: 'Conflict',
  })
  if (cutAt === 2) await app.store.pool.query('drop trigger cut on accounts')
  await deletion.deleteDue()
  expect(await db.selectFrom('accounts').select('account_id').execute()).toEqual([])
  expect(await db.selectFrom('organisations').select('name').execute()).toEqual([])
  expect(await verifyAudit(db, app.accountId)).toMatchObject([{ problem: null }])
})

test('days left include the current one, and are never more than a trial has [ACCOUNT-93]', () => {
  const end = new Date('2026-03-31T09:00:00Z')
  const at = (text: string) => daysLeft(end, new Date(text))
  expect(at('2026-03-01T09:00:00Z')).toBe(30)
  expect(at('2026-03-30T09:00:01Z')).toBe(1)
  expect(at('2026-03-31T09:00:00Z')).toBe(0)
  expect(at('2026-05-01T09:00:00Z')).toBe(0)
  expect(at('2025-12-01T09:00:00Z'), 'the clock was put back').toBe(30)
})

test("a deleted account is listed to administrators who ask for it, and its id is nobody else's [ACCOUNT-41, ACCOUNT-61]", async () => {
  const app = await startApp()
  const other = await app.otherAccount()
  await app.accountLife.release(other.accountId, OPERATOR)
  app.clock.advance(24 * HOURS)
  await app.accountLife.advance()
  const admin = await app.admin()
  const listed = async (notFilterDeleted: boolean) =>
    (await admin.call(org.listAccount, { notFilterDeleted })).data.accounts.map(({ name, state }) => [
      name,
      state,
    ])
  expect(await listed(false)).toEqual([['demo', LIFE_CYCLE_STATES.Available]])
  expect(await listed(true)).toEqual([
    ['demo', LIFE_CYCLE_STATES.Available],
    ['harbour', LIFE_CYCLE_STATES.Deleted],
  ])
  const analyst = await app.user(['db_admin'])
  expect((await analyst.call(org.listAccount, { notFilterDeleted: true })).data.accounts).toMatchObject([
    { name: 'demo', creator: '' },
  ])
})

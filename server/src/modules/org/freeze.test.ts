import {
  account,
  CODES,
  editor,
  encodePassword,
  MESSAGES,
  org,
  query,
  schema,
  SHELL_STATES,
  sso,
  user,
  warehouse,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { until } from '../../testing/store-kit.ts'
import { OPERATOR } from '../audit/author.ts'
import { actorWith } from '../../testing/actor.ts'
import { startTrial } from './trials.ts'

const frozen = { code: CODES.AccountFrozen.code, message: MESSAGES.accountFrozen }

async function secondsCounted({ store }: TestApp): Promise<number> {
  const { rows } = await store.pool.query<{ seconds: number }>(
    'select coalesce(sum(seconds), 0)::int as seconds from warehouse_usage',
  )
  return rows[0]?.seconds ?? 0
}

async function start() {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const statusOf = async () =>
    (
      await app.store.db
        .selectFrom('warehouses')
        .select('status')
        .where('account_id', '=', app.accountId)
        .execute()
    )
      .map(({ status }) => status)
      .join()
  return { app, admin, channel, statusOf, freeze: () => app.accountLife.freeze(app.accountId, OPERATOR) }
}

test('an account frozen in mid-statement: the statement ends with the sentence, the warehouse is suspended [ACCOUNT-79, ACCOUNT-86]', async () => {
  const { app, channel, statusOf, freeze } = await start()
  await channel.run('create table boats (name varchar)')
  app.engines.hold()
  const answers = channel.run("insert into boats values ('Argo')")
  await until(
    async () => (await statusOf()) === 'Running' && app.warehouses.runningAccounts().length === 1,
    'it runs',
  )
  await until(
    async () =>
      (
        await app.store.db
          .selectFrom('statements')
          .select('state')
          .where('sql', 'like', 'insert%')
          .where('state', '=', 'running')
          .execute()
      ).length === 1,
    'the statement runs',
  )
  await freeze()
  const advanced = app.accountLife.advance()
  const [answer] = await answers
  app.engines.release()
  await advanced
  expect(answer).toMatchObject({ errMsg: expect.stringContaining(MESSAGES.accountFrozen) })
  expect(await statusOf()).toBe('Suspended')
  expect(app.warehouses.runningAccounts()).toEqual([])
})

test('no door lets anybody at the data of a frozen account; what the dialogs need is answered [ACCOUNT-79, ACCOUNT-86]', async () => {
  const { app, admin, channel, freeze } = await start()
  const requestId = '11111111-2222-4333-8444-555555555555'
  const [answer] = await channel.run('select 1', { requestId })
  await app.endsWritten()
  const queryId = answer?.queryId ?? ''
  const made = await admin.call(query.exportResult, { queryId, format: 'csv' })
  await freeze()
  await app.accountLife.advance()

  expect((await channel.run('select 2'))[0]).toMatchObject({ errCode: frozen.code, errMsg: frozen.message })
  expect((await channel.run('show databases'))[0]).toMatchObject({ errCode: frozen.code })
  expect((await channel.run('select 1', { requestId }))[0], 'answered again').toMatchObject({
    errCode: frozen.code,
  })
  expect(await admin.call(query.resultWindow, { queryId, offset: 0, limit: 10 })).toMatchObject(frozen)
  expect(await admin.call(schema.databases, { catalog: 'default_catalog' })).toMatchObject(frozen)
  expect(await admin.call(editor.listTabTree, {})).toMatchObject(frozen)
  expect(await admin.call(warehouse.list, {})).toMatchObject(frozen)
  const download = await app.http.inject({ url: made.data.url })
  expect(download.json()).toMatchObject(frozen)

  for (const call of [user.info, user.accountInfo, user.listUnreadMessages, org.detail, account.details])
    expect([call.path, (await admin.call(call, {})).code]).toEqual([call.path, CODES.Ok.code])
  expect((await admin.call(user.accountInfo, {})).data.accountState).toBe(SHELL_STATES.Frozen)
  const password = encodePassword(app.password)
  const signedIn = await app.call(user.login, { accountId: app.accountId, username: 'admin', password })
  expect(signedIn.code, 'signs in all the same').toBe(CODES.Ok.code)
})

test('the other account of the organisation does not notice', async () => {
  const { app, freeze } = await start()
  const other = await (await app.otherAccount()).admin()
  await other.call(warehouse.create, { name: 'dock', size: 'X-Small' })
  const channel = await other.channel()
  await channel.run('set warehouse dock')
  await freeze()
  await app.accountLife.advance()
  expect((await channel.run('set warehouse dock; select 1'))[1]).toMatchObject({ errCode: CODES.Ok.code })
  expect((await other.call(user.accountInfo, {})).data.accountState).toBe(SHELL_STATES.Active)
})

test('a warehouse of a frozen account cannot be resumed by a user who was signed in before', async () => {
  const { app, freeze, statusOf } = await start()
  const actor = actorWith(app.accountId, ['cluster_admin'])
  const [row] = await app.warehouses.list(actor)
  await freeze()
  await expect(app.warehouses.resume(actor, row?.warehouse_id ?? '')).rejects.toMatchObject({
    code: 'AccountFrozen',
    message: MESSAGES.accountFrozen,
  })
  expect(await statusOf()).toBe('Suspended')
  expect(app.warehouses.runningAccounts()).toEqual([])
})

test('a resumed account is resuming until its data is reached, then it works as before', async () => {
  const { app, admin, channel, freeze } = await start()
  await channel.run("create table boats as select 'Argo' as name")
  await freeze()
  await app.accountLife.advance()
  await app.accountLife.resume(app.accountId, OPERATOR)
  expect((await admin.call(user.accountInfo, {})).data.accountState).toBe(SHELL_STATES.Resuming)
  expect(await admin.call(warehouse.list, {})).toMatchObject({
    code: CODES.AccountFrozen.code,
    message: MESSAGES.accountResuming,
  })
  await app.accountLife.advance()
  expect((await admin.call(user.accountInfo, {})).data.accountState).toBe(SHELL_STATES.Active)
  expect((await channel.run('select name from boats'))[0]?.errMsg).toBe('')
})

test('trial, freeze and resumption decide what is charged and who sees the settings of security [ACCOUNT-68]', async () => {
  const { app, admin, channel, freeze } = await start()
  const { orgId } = (await admin.call(org.detail, {})).data
  const { user_id: userId } = await app.store.db
    .selectFrom('users')
    .select('user_id')
    .executeTakeFirstOrThrow()
  const trial = { organisationId: orgId, accountId: app.accountId, userId, at: app.clock.now() }
  await app.store.db.transaction().execute((trx) => startTrial(trx, trial))
  /** Seconds that were counted in the hour that passes, and what the settings of security answer. */
  const hour = async () => {
    const before = await secondsCounted(app)
    app.clock.advance(HOURS)
    await app.warehouses.meter()
    return [(await secondsCounted(app)) - before, (await admin.call(sso.settings, {})).code]
  }
  await channel.run('select 1')
  expect(await hour(), 'in the trial').toEqual([3600, CODES.Ok.code])
  await freeze()
  await app.accountLife.advance()
  expect(await hour(), 'frozen').toEqual([0, frozen.code])
  await app.accountLife.resume(app.accountId, OPERATOR)
  expect(await hour(), 'resuming').toEqual([0, frozen.code])
  await app.accountLife.advance()
  await channel.run('select 1')
  expect(await hour(), 'active').toEqual([3600, CODES.Ok.code])
})

test('an account whose engine does not start stays resuming, is shown as abnormal, and is tried again', async () => {
  const { app, admin, freeze } = await start()
  const lifeState = async () => (await admin.call(org.listAccount, {})).data.accounts[0]?.state
  await freeze()
  await app.accountLife.resume(app.accountId, OPERATOR)
  for (let i = 0; i < 2; i++) {
    app.engines.failNextOpen('no more memory')
    await app.accountLife.advance()
    expect(await lifeState()).toBe(0)
  }
  app.clock.advance(3_600_000)
  await app.accountLife.advance()
  expect(await lifeState()).toBe(3)
  expect((await (await app.admin()).call(user.accountInfo, {})).data.accountState).toBe(SHELL_STATES.Active)
})

test('what the states do not allow is refused with the state', async () => {
  const { app, freeze } = await start()
  await expect(app.accountLife.resume(app.accountId, OPERATOR)).rejects.toMatchObject({
    code: 'Conflict',
    message: `The account demo (${app.accountId}) cannot be resumed now: it is Available and Active.`,
  })
  const both = await Promise.allSettled([freeze(), freeze()])
  expect(both.map(({ status }) => status).sort(), 'of two at once one wins').toEqual([
    'fulfilled',
    'rejected',
  ])
  await expect(app.accountLife.freeze('ZZZ99999', OPERATOR)).rejects.toMatchObject({ code: 'NotFound' })
})

test('open consoles are notified of the freeze at once', async () => {
  const { channel, freeze } = await start()
  await freeze()
  const heard = await channel.hear((message) =>
    message.cmd === 3 && message.type === 'GlobalEventTypeAccountStateChanged' ? message : undefined,
  )
  expect(heard).toBeTruthy()
})

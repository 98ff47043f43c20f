import { account, CODES, MESSAGES, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'
import { SERVICE } from '../audit/author.ts'
import { verifyAudit } from '../audit/verify.ts'
import { type AccountDraft, openAccount } from './open-account.ts'

async function start() {
  const app = await startApp()
  const { organisation_id } = await app.store.db
    .selectFrom('accounts')
    .select('organisation_id')
    .executeTakeFirstOrThrow()
  const open = (more: Partial<AccountDraft> = {}) =>
    app.store.transaction((trx) =>
      openAccount(trx, {
        organisationId: organisation_id,
        name: 'quay',
        isRoot: false,
        csp: 'local',
        region: 'local-1',
        edition: 'lake',
        administrator: { name: 'ann', email: ' Ann@Quay.Example ', passwordHash: null },
        begins: 'set up',
        wantsSamples: true,
        by: SERVICE,
        at: app.clock.now(),
        ...more,
      }),
    )
  return { app, open }
}

test('a new account has an id of its own, an administrator with every role, and an entry in its log', async () => {
  const { app, open } = await start()
  const { accountId, userId } = await open()
  expect(accountId).toMatch(/^[A-Z]{3}[0-9]{5}$/)
  const { db } = app.store
  expect(
    await db.selectFrom('users').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow(),
  ).toMatchObject({
    account_id: accountId,
    name: 'ann',
    email: 'ann@quay.example',
    password_hash: null,
    is_org_admin: true,
  })
  expect(await verifyAudit(db, accountId)).toMatchObject([{ entries: 1, problem: null }])
})

test('an account is found by its id and shows its region; its users see both, and no other account has the id [ACCOUNT-01]', async () => {
  const { app, open } = await start()
  const opened = await Promise.all(['pier', 'mole', 'quay'].map((name) => open({ name })))
  const ids = [app.accountId, ...opened.map(({ accountId }) => accountId)]
  expect(new Set(ids).size).toBe(ids.length)
  for (const accountId of ids)
    expect((await app.call(account.locate, { accountId })).data).toEqual({
      accountId,
      region: 'local-1',
      host: '',
    })
  expect((await app.call(account.locate, { accountId: 'ZZZ99999' })).code).toBe(CODES.NotFound.code)
  const admin = await app.admin()
  const identity = { accountId: app.accountId, region: 'local-1' }
  expect((await admin.call(user.info, {})).data).toMatchObject(identity)
  expect((await admin.call(user.accountInfo, {})).data).toMatchObject(identity)
})

test('a name that differs in letter case only is taken; of two at the same moment one wins [ACCOUNT-28, ACCOUNT-30]', async () => {
  const { open } = await start()
  const both = await Promise.allSettled([open({ name: 'pier' }), open({ name: 'Pier' })])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(open({ name: 'DEMO' })).rejects.toMatchObject({
    code: 'NameTaken',
    message: MESSAGES.accountNameTaken,
  })
})

test('the other account of the organisation is a normal one, with people of its own', async () => {
  const { app } = await start()
  const other = await app.otherAccount()
  const info = (await (await other.admin()).call(user.info, {})).data
  expect(info).toMatchObject({ accountId: other.accountId, accountName: 'harbour', user: 'harbourmaster' })
  expect(other.accountId).not.toBe(app.accountId)
  expect((await app.otherAccount()).accountId).toBe(other.accountId)
})

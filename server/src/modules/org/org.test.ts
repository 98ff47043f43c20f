import {
  CODES,
  contract,
  LIFE_CYCLE_STATES,
  IDENTITY_MESSAGES,
  MESSAGES,
  org,
  type Sent,
  SHELL_STATES,
  user,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../testing/fake-clock.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'
import { verifyAudit } from '../audit/verify.ts'
import { SAVED_QUERIES } from '../samples/saved-queries.ts'
import { startTrial } from './trials.ts'

const MAIL = 'ada@rowing.example'

async function start() {
  const app = await startApp()
  await app.store.db.updateTable('users').set({ email: MAIL }).execute()
  return { app, admin: await app.admin() }
}

const draft = (more: Partial<Sent<typeof org.createAccount>> = {}) => ({
  name: 'Quay 7',
  edition: 'lake' as const,
  adminName: 'ann',
  adminEmail: 'Ann@Quay.Example',
  ...more,
})

/** The token of the last mailed link. */
async function mailedToken(app: TestApp, pattern: RegExp): Promise<string> {
  const mails = await app.mails.outbox()
  const texts = mails.map(({ text }) => text ?? '')
  return decodeURIComponent(texts.map((text) => pattern.exec(text)?.[1]).find(Boolean) ?? '')
}

const askRelease = (who: TestUser, accountId: string, phrase: string) =>
  who.call(org.releaseAccount, { accountId, phrase })

test('everyone in the organisation sees its accounts and which is the root one [ACCOUNT-05, ACCOUNT-06, ACCOUNT-40, ACCOUNT-41]', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  const stranger = await app.stranger()
  const { data } = await stranger.call(org.detail, {})
  expect(data).toMatchObject({ name: 'Demo', orgAccountId: app.accountId, accounts: 2 })
  expect((await stranger.call(org.listAccount, {})).data.accounts).toEqual([
    expect.objectContaining({ accountId: app.accountId, name: 'demo', isRoot: true, creator: '' }),
    expect.objectContaining({ accountId: other.accountId, name: 'harbour', isRoot: false, creator: '' }),
  ])
  expect((await admin.call(org.listAccount, {})).data.accounts[1]).toMatchObject({
    creator: 'harbourmaster',
    orgId: data.orgId,
    csp: 'local',
    region: 'local-1',
    state: LIFE_CYCLE_STATES.Available,
  })
  expect((await app.call(org.listAccount, {})).code, 'without a login').toBe(CODES.LoginRequired.code)
})

test('no administrator is invited at free webmail where the operator wants business addresses only [SIGNIN-39]', async () => {
  const app = await startApp({ BOATHOUSE_BUSINESS_MAIL_ONLY: 'true' })
  const admin = await app.admin()
  expect(await admin.call(org.createAccount, draft({ adminEmail: 'ann@gmail.com' }))).toMatchObject({
    code: CODES.NotBusinessEmail.code,
    message: 'Please use a business email.',
  })
  expect((await admin.call(org.createAccount, draft())).code).toBe(CODES.Ok.code)
})

test('another organisation is not seen at all', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  await app.store.pool.query(
    `insert into organisations select gen_random_uuid(), 'Foreign', identity, source, null, created_at from organisations`,
  )
  await app.store.pool.query(
    `update accounts set organisation_id = (select organisation_id from organisations where name = 'Foreign')
     where account_id = $1`,
    [other.accountId],
  )
  expect((await admin.call(org.listAccount, {})).data.accounts.map(({ name }) => name)).toEqual(['demo'])
  expect((await admin.call(org.accountDetail, { accountId: other.accountId })).code).toBe(CODES.NotFound.code)
  expect((await askRelease(admin, other.accountId, 'harbour')).code).toBe(CODES.NotFound.code)
})

test('an account names who made it, and beside that its first administrator [ACCOUNT-05, ACCOUNT-08]', async () => {
  const { app, admin } = await start()
  await app.operator('user set-email', { account: app.accountId, user: 'admin', email: 'boss@boats.example' })
  const { accountId } = (await admin.call(org.createAccount, draft())).data
  const { org: organisation } = ((await app.operator('org list', {})) as { org: string }[])[0] ?? { org: '' }
  const made = { org: organisation, name: 'Pier', admin: 'piers', email: 'piers@quay.example' }
  const { account } = (await app.operator('account create', made)) as { account: string }
  const detail = async (id: string) => {
    const { data } = await admin.call(org.accountDetail, { accountId: id })
    return [data.creator, data.creatorEmail, data.administrator, data.administratorEmail]
  }
  const { adminName, adminEmail } = draft()
  const own = ['admin', 'boss@boats.example']
  expect(await detail(accountId)).toEqual([...own, adminName, adminEmail.toLowerCase()])
  expect(await detail(account)).toEqual(['The operator of the service', '', 'piers', 'piers@quay.example'])
  expect(await detail(app.accountId), 'of the first start').toEqual([...own, ...own])
  const { accounts } = (await admin.call(org.listAccount, {})).data
  expect(accounts.map(({ creator }) => creator)).toEqual(
    expect.arrayContaining(['admin', 'The operator of the service']),
  )
  expect(accounts.map(({ creator }) => creator)).not.toContain(adminName)
  expect((await admin.call(contract.account.details, {})).data.createdBy).toBe('admin')
})

test('an account is shown with its creator and its login address; a normal account sees only itself [ACCOUNT-08, ACCOUNT-22]', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  const master = await other.admin()
  expect((await admin.call(org.accountDetail, { accountId: other.accountId })).data).toMatchObject({
    name: 'harbour',
    isRoot: false,
    creator: 'harbourmaster',
    creatorEmail: 'master@harbour.example',
    loginPath: `/login?step=signin&aid=${other.accountId}&region=local-1`,
    mayRelease: true,
  })
  expect((await admin.call(org.accountDetail, { accountId: app.accountId })).data.mayRelease).toBe(false)
  expect((await master.call(org.accountDetail, { accountId: other.accountId })).code).toBe(CODES.Ok.code)
  expect((await master.call(org.accountDetail, { accountId: app.accountId })).code).toBe(CODES.NotFound.code)
  const analyst = await app.user(['db_admin', 'account_admin'])
  expect((await analyst.call(org.accountDetail, { accountId: app.accountId })).code).toBe(
    CODES.NoPermission.code,
  )
  expect((await admin.call(org.accountDetail, { accountId: 'demo' })).code).toBe(CODES.BadInput.code)
})

test('a new account is pending until its engine and sample data are made; its administrator is invited [ACCOUNT-42]', async () => {
  const { app, admin } = await start()
  const { data, code } = await admin.call(org.createAccount, draft({ sampleData: true }))
  expect(code).toBe(CODES.Ok.code)
  const listed = async () =>
    (await admin.call(org.listAccount, {})).data.accounts.find(({ name }) => name === 'Quay 7')?.state
  expect(await listed()).toBe(LIFE_CYCLE_STATES.Pending)
  expect(await app.mails.outbox()).toMatchObject([{ to: 'ann@quay.example', kind: 'invitation' }])
  const analyst = await app.user()
  expect((await analyst.call(org.listAccount, {})).data.accounts, 'not open yet').toHaveLength(1)

  await app.accountLife.advance()
  expect(await listed()).toBe(LIFE_CYCLE_STATES.Available)
  const { rows } = await app.store.pool.query(
    'select count(*)::int as tabs from editor_tabs where account_id = $1',
    [data.accountId],
  )
  expect(rows).toEqual([{ tabs: SAVED_QUERIES.length }])
  expect(SAVED_QUERIES.length).toBeGreaterThan(0)
  expect(await verifyAudit(app.store.db, data.accountId)).toMatchObject([{ entries: 2, problem: null }])
})

test('a set-up that fails is tried again, then given up; the operator has it tried once more', async () => {
  const { app, admin } = await start()
  const { data } = await admin.call(org.createAccount, draft())
  const state = async () =>
    (await admin.call(org.listAccount, {})).data.accounts.find((one) => one.accountId === data.accountId)
      ?.state
  for (let i = 0; i < 5; i++) {
    expect(await state()).toBe(LIFE_CYCLE_STATES.Pending)
    app.engines.failNextOpen('no more memory')
    app.clock.advance(1 * HOURS)
    await app.accountLife.advance()
  }
  expect(await state()).toBe(LIFE_CYCLE_STATES.Failed)
  await app.accountLife.resume(data.accountId, OPERATOR)
  app.clock.advance(1 * HOURS)
  await app.accountLife.advance()
  const again = await app.admin()
  const { accounts } = (await again.call(org.listAccount, {})).data
  expect(accounts.find((one) => one.accountId === data.accountId)?.state).toBe(LIFE_CYCLE_STATES.Available)
})

test('an account is created only in the root account, under a free name, and not during the free trial [ACCOUNT-28, ACCOUNT-30, ACCOUNT-32]', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  expect(await (await other.admin()).call(org.createAccount, draft())).toMatchObject({
    code: CODES.NoPermission.code,
  })
  expect((await (await app.user(['account_admin'])).call(org.createAccount, draft())).code).toBe(
    CODES.NoPermission.code,
  )
  expect(await admin.call(org.createAccount, draft({ name: 'Harbour' }))).toMatchObject({
    code: CODES.NameTaken.code,
    message: MESSAGES.accountNameTaken,
  })
  const both = await Promise.all([
    admin.call(org.createAccount, draft({ name: 'pier' })),
    admin.call(org.createAccount, draft({ name: 'PIER' })),
  ])
  expect(both.map(({ code }) => code).sort((a, b) => a - b)).toEqual([CODES.Ok.code, CODES.NameTaken.code])

  const { organisation_id: organisationId, user_id: userId } = await app.store.db
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.account_id')
    .select(['organisation_id', 'user_id'])
    .executeTakeFirstOrThrow()
  await app.store.transaction((trx) =>
    startTrial(trx, { organisationId, accountId: app.accountId, userId, at: app.clock.now() }),
  )
  expect(await admin.call(org.createAccount, draft())).toMatchObject({
    code: CODES.NotInTrial.code,
    message: IDENTITY_MESSAGES.notInTrial,
  })
})

const shared = sharedApp()

test.each([
  [{ name: '' }, 'name: Enter the account name'],
  [{ name: 'x'.repeat(65) }, 'name: The maximum length is 64'],
  [{ name: '7th quay' }, `name: ${MESSAGES.accountNamePattern}`],
  [{ adminName: '' }, 'adminName: Enter the user name'],
  [{ adminEmail: 'ann' }, 'adminEmail: Enter the correct email'],
])('a new account with %j is refused', async (wrong, message) => {
  const admin = await (await shared()).admin()
  expect(await admin.call(org.createAccount, draft(wrong))).toMatchObject({
    code: CODES.BadInput.code,
    message,
  })
})

test('an account is deleted by its typed name and then the mailed link, and by nothing less [ACCOUNT-33, ACCOUNT-34, ACCOUNT-43]', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  expect(await askRelease(admin, other.accountId, 'Harbour')).toMatchObject({
    code: CODES.BadInput.code,
    message: `phrase: ${IDENTITY_MESSAGES.deletionPhrase}`,
  })
  expect((await askRelease(admin, other.accountId, 'harbour')).data).toEqual({ mailedTo: MAIL })
  const master = await other.admin()
  expect((await master.call(user.accountInfo, {})).data.accountState, 'nothing happened yet').toBe(
    SHELL_STATES.Active,
  )
  const token = await mailedToken(app, /release=([\w-]+)/)
  expect((await admin.call(org.confirmRelease, { token: 'x' })).code).toBe(CODES.LinkUnusable.code)
  expect((await (await app.user()).call(org.confirmRelease, { token })).code).toBe(CODES.NoPermission.code)
  expect(await admin.call(org.confirmRelease, { token })).toMatchObject({
    code: CODES.Ok.code,
    data: { accountId: other.accountId, name: 'harbour' },
  })
  expect((await master.call(user.accountInfo, {})).data.accountState).toBe(SHELL_STATES.Closed)
  expect((await admin.call(org.listAccount, {})).data.accounts[1]?.state).toBe(LIFE_CYCLE_STATES.Deleting)
  expect((await admin.call(org.confirmRelease, { token })).code, 'once').toBe(CODES.LinkUnusable.code)
  expect((await askRelease(admin, other.accountId, 'harbour')).code).toBe(CODES.Conflict.code)
})

test('a link older than an hour deletes nothing', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  await askRelease(admin, other.accountId, 'harbour')
  const token = await mailedToken(app, /release=([\w-]+)/)
  app.clock.advance(1 * HOURS)
  expect((await admin.call(org.confirmRelease, { token })).code).toBe(CODES.LinkUnusable.code)
})

test('the root account cannot be deleted; a normal one may delete itself, and no other [ACCOUNT-36, ACCOUNT-37]', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  const master = await other.admin()
  expect(await askRelease(admin, app.accountId, 'demo')).toMatchObject({
    code: CODES.Conflict.code,
    message: IDENTITY_MESSAGES.rootAccountStays,
  })
  expect((await askRelease(master, app.accountId, 'demo')).code).toBe(CODES.NotFound.code)
  expect((await askRelease(await app.user(['account_admin']), other.accountId, 'harbour')).code).toBe(
    CODES.NoPermission.code,
  )
  expect((await askRelease(master, other.accountId, 'harbour')).data).toEqual({
    mailedTo: 'master@harbour.example',
  })
})

test('who has no mail address cannot ask for a deletion', async () => {
  const { app, admin } = await start()
  const other = await app.otherAccount()
  await app.store.db.updateTable('users').set({ email: null }).execute()
  expect(await askRelease(admin, other.accountId, 'harbour')).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('no mail address'),
  })
})

test('an organisation without a trial has no contract [ACCOUNT-44]', async () => {
  const { admin } = await start()
  expect((await admin.call(org.freeTrialContract, {})).data).toEqual({ trial: null })
})

test('an account chooses its engines, of those that are offered', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect((await admin.call(org.detail, {})).data.engines).toBeUndefined()
  expect(await admin.call(org.createAccount, draft({ engines: 'cluster' }))).toMatchObject({
    code: CODES.BadInput.code,
    message: "engines: Clusters are not offered here. 'npx boathouse status' says why.",
  })
  const { accountId } = (await admin.call(org.createAccount, draft({ engines: 'embedded' }))).data
  const { engines } = await app.store.db
    .selectFrom('accounts')
    .select('engines')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  expect(engines).toBe('embedded')
})

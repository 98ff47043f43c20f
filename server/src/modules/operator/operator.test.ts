import { CHANNEL_CLOSE, CODES, encodePassword, payment, user, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { verifyAudit } from '../audit/verify.ts'

type Rows = Record<string, unknown>[]

const signIn = (app: TestApp, username: string, password: string) =>
  app.call(user.login, { accountId: app.accountId, username, password: encodePassword(password) })

test('accounts are listed, frozen and resumed', async () => {
  const app = await startApp()
  const other = await app.otherAccount()
  expect(await app.operator('account list', {})).toMatchObject([
    { account: app.accountId, name: 'demo', type: 'root', state: 'Available', shell: 'Active' },
    { account: other.accountId, name: 'harbour', type: 'normal', edition: 'lake' },
  ])
  expect(await app.operator('account freeze', { account: other.accountId })).toMatchObject({
    shell: 'Frozen',
  })
  expect(await app.operator('account resume', { account: other.accountId })).toMatchObject({
    shell: 'Resuming',
  })
  await expect(app.operator('account resume', { account: other.accountId })).rejects.toMatchObject({
    code: 'Conflict',
  })
})

test('an organisation is made with its root account, which is reviewed before it is opened', async () => {
  const app = await startApp()
  const draft = { org: 'Rowers', name: 'main', admin: 'rosa', email: 'rosa@rowers.example', review: true }
  const { account } = (await app.operator('org create', draft)) as { account: string }
  await app.accountLife.advance()
  const stateOf = async () =>
    ((await app.operator('account list', {})) as Rows).find((row) => row['account'] === account)
  expect(await stateOf()).toMatchObject({ type: 'root', state: 'Reviewing', shell: 'Closed' })
  await app.operator('account review', { account })
  await app.accountLife.advance()
  expect(await stateOf()).toMatchObject({ state: 'Available', shell: 'Active' })
  expect(await app.operator('org list', {})).toMatchObject([
    { name: 'Demo' },
    { name: 'Rowers', root: account },
  ])
  expect(await app.operator('outbox list', {})).toMatchObject([
    { to: 'rosa@rowers.example', kind: 'invitation' },
  ])
})

test('CCUs that were paid in advance are added to the balance of an organisation, and written down [BILL-12]', async () => {
  const app = await startApp()
  const [{ org } = { org: '' }] = (await app.operator('org list', {})) as { org: string }[]
  const admin = await app.admin()
  for (const ccu of ['0', '-1', '1.5', 'many', ''])
    await expect(app.operator('org add-ccu', { org, ccu })).rejects.toMatchObject({ code: 'BadInput' })
  const nowhere = { org: '00000000-0000-4000-8000-000000000000', ccu: '5' }
  await expect(app.operator('org add-ccu', nowhere)).rejects.toMatchObject({ code: 'NotFound' })
  expect(await app.operator('org add-ccu', { org, ccu: '100' })).toEqual({ org, added: 100 })
  expect((await admin.call(payment.overview, {})).data.ccuBalance).toBe('100.000')
  expect((await verifyAudit(app.store.db, app.accountId))[0]).toMatchObject({ problem: null })
})

test('the operator upgrades an edition permanently; earlier usage keeps its price [ACCOUNT-25, REAL-08]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const { accountId: account, admin } = await app.otherAccount()
  const upgrade = (confirm: string) => app.operator('account upgrade', { account, confirm })
  const master = await admin()
  const channel = await master.channel()
  const createCatalog = async () => (await channel.run('CREATE CATALOG lagoon'))[0]
  const priceOf = async () => {
    const { sizes } = (await master.call(warehouse.sizes, {})).data
    return sizes[0]?.pricePerHour.usd
  }
  const before = await priceOf()
  await channel.run('CREATE WAREHOUSE barge AUTO_SUSPEND = 0')
  await expect
    .poll(async () => (await master.call(warehouse.list, {})).data.warehouses[0]?.status)
    .toBe('Running')
  app.clock.advance(10 * MINUTES)
  expect((await createCatalog())?.errMsg).toMatch(/edition/)
  await expect(upgrade('yes')).rejects.toThrow(/cannot be undone.*--confirm/)
  expect((await master.call(user.info, {})).data.edition).toBe('lake')
  expect(await upgrade(account)).toEqual({ account, edition: 'standard' })
  expect((await master.call(user.info, {})).data.edition).toBe('standard')
  expect(await createCatalog()).toMatchObject({ errCode: CODES.Ok.code })
  expect(Number(await priceOf())).toBeGreaterThan(Number(before))
  app.clock.advance(20 * MINUTES)
  await app.warehouses.meter()
  const { rows } = await app.store.pool.query(
    'select edition, sum(seconds)::int as seconds from warehouse_usage where account_id = $1 group by 1 order by 1',
    [account],
  )
  expect(rows).toEqual([
    { edition: 'lake', seconds: 600 },
    { edition: 'standard', seconds: 1_200 },
  ])
  await expect(upgrade(account)).rejects.toMatchObject({ code: 'Conflict' })
  await expect(app.operator('account downgrade', { account })).rejects.toMatchObject({ code: 'UnknownCall' })
  const nowhere = { account: 'ZZZ99999', confirm: 'ZZZ99999' }
  await expect(app.operator('account upgrade', nowhere)).rejects.toMatchObject({ code: 'NotFound' })
  const entries = (await app.operator('audit entries', { account, after: 0 })) as string[]
  expect(entries.map((entry) => JSON.parse(entry))).toContainEqual(
    expect.objectContaining({ action: 'account.upgrade', before: { edition: 'lake' } }),
  )
  expect(await verifyAudit(app.store.db, account)).toMatchObject([{ problem: null }])
})

test('an account that is rejected is never opened', async () => {
  const app = await startApp()
  const { org } = ((await app.operator('org list', {})) as { org: string }[])[0] ?? { org: '' }
  const { account } = (await app.operator('account create', {
    org,
    name: 'quay',
    admin: 'ann',
    email: 'ann@quay.example',
    review: true,
  })) as { account: string }
  expect(await app.operator('account reject', { account })).toMatchObject({
    life: 'Rejected',
    shell: 'Closed',
  })
  await app.accountLife.advance()
  await expect(app.operator('account review', { account })).rejects.toMatchObject({ code: 'Conflict' })
})

test('a deletion is confirmed twice, the root account goes last, and for a day it can be reverted', async () => {
  const app = await startApp()
  const { accountId: account } = await app.otherAccount()
  await expect(app.operator('account delete', { account, confirm: 'yes' })).rejects.toThrow(/--confirm/)
  await expect(
    app.operator('account delete', { account: app.accountId, confirm: app.accountId }),
  ).rejects.toThrow(/root account/)
  expect(await app.operator('account delete', { account, confirm: account })).toMatchObject({
    life: 'Deleting',
    shell: 'Closed',
  })
  app.clock.advance(23 * HOURS)
  await app.accountLife.advance()
  expect(await app.operator('account resume', { account })).toMatchObject({ shell: 'Resuming' })
})

test('a user removed while signed in is out at once, on calls and on the open channel', async () => {
  const app = await startApp()
  const rower = await app.user(['db_admin'])
  const channel = await rower.channel()
  await app.operator('user delete', { account: app.accountId, user: rower.name.toUpperCase() })
  expect((await channel.closed).code).toBe(CHANNEL_CLOSE.LoginRequired)
  expect((await rower.call(user.info, {})).code).toBe(CODES.LoginRequired.code)
  expect((await signIn(app, rower.name, app.password)).code).toBe(CODES.LoginFailed.code)
  expect((await (await app.admin()).call(user.info, {})).code, 'nobody else').toBe(CODES.Ok.code)
  expect(await verifyAudit(app.store.db, app.accountId)).toMatchObject([{ entries: 2, problem: null }])
})

test('the last administrator of an account cannot be removed', async () => {
  const app = await startApp()
  await expect(app.operator('user delete', { account: app.accountId, user: 'admin' })).rejects.toMatchObject({
    code: 'Conflict',
  })
})

test('a reset password is shown once and ends every login', async () => {
  const app = await startApp()
  const rower = await app.user()
  const { password } = (await app.operator('user reset-password', {
    account: app.accountId,
    user: rower.name,
  })) as { password: string }
  expect((await rower.call(user.info, {})).code).toBe(CODES.LoginRequired.code)
  expect((await signIn(app, rower.name, app.password)).code).toBe(CODES.LoginFailed.code)
  expect((await signIn(app, rower.name, password)).code).toBe(CODES.Ok.code)
  const entries = (await app.operator('audit entries', { account: app.accountId, after: 0 })) as string[]
  expect(entries.join()).not.toContain(password)
})

test('a user is invited by mail, or without an address given a password', async () => {
  const app = await startApp()
  const account = app.accountId
  const made = await app.operator('user create', { account, user: 'ann', roles: ['db_admin'] })
  const { password } = made as { password: string }
  expect((await signIn(app, 'ann', password)).data.info.activeRoles).toEqual(['db_admin'])
  expect(await app.operator('user create', { account, user: 'bea', email: 'Bea@Example.com' })).toEqual({
    user: 'bea',
    password: null,
    mailedTo: 'bea@example.com',
  })
  const [mail] = (await app.operator('outbox list', {})) as { mail: string }[]
  expect(await app.operator('outbox show', { mail: mail?.mail })).toMatchObject({
    text: expect.stringContaining('/setup-password?token='),
  })
  await expect(app.operator('user create', { account, user: 'ANN' })).rejects.toMatchObject({
    code: 'NameTaken',
  })
  expect(await app.operator('user list', { account })).toMatchObject([
    { name: 'admin', invited: false },
    { name: 'ann', roles: 'db_admin' },
    { name: 'bea', invited: true },
  ])
})

test('the message says what is wrong with a command', async () => {
  const app = await startApp()
  const org = '00000000-0000-4000-8000-000000000000'
  const account = 'ZZZ99999'
  const refused: [string, object, RegExp][] = [
    ['account thaw', {}, /There is no command 'account thaw'/],
    ['constructor', {}, /There is no command 'constructor'/],
    ['account freeze', {}, /^account: /],
    ['account freeze', { account }, /does not exist/],
    ['user delete', { account, user: 'x' }, /no user x/],
    ['user create', { account, user: 'x' }, /does not exist/],
    ['user create', { account, user: 'x', roles: ['captain'] }, /^roles/],
    ['account create', { org, name: 'q', admin: 'a', email: 'a@b.example' }, /no such organisation/],
    ['outbox show', { mail: 'x' }, /no mail x/],
  ]
  for (const [command, input, message] of refused)
    await expect(app.operator(command, input)).rejects.toThrow(message)
})

import {
  account,
  CODES,
  csp,
  encodePassword,
  LIFE_CYCLE_STATES,
  org,
  passwordCalls,
  payment,
  region as regionContract,
  SHELL_STATES,
  signUpCalls,
  user,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { DAYS, HOURS } from '../../testing/fake-clock.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { spend } from '../../testing/spend.ts'
import {
  NEW_ACCOUNT,
  openInRegion,
  REGION,
  rowOf,
  startTwoRegions,
  type TwoRegions,
} from '../../testing/two-regions.ts'

const PASSWORD = encodePassword('Sculling_7')
const { Active, Frozen, Resuming } = SHELL_STATES
const { Available, Deleting, Pending } = LIFE_CYCLE_STATES

const statesOn = async (app: TwoRegions['central'], accountId: string) => {
  const row = await rowOf(app, accountId)
  return row && { state: row.state, shell: row.shell_state }
}

/** The invited administrator chooses a password in the region, and signs in there. */
async function signInToRegion({ region }: TwoRegions, accountId: string) {
  const token = (await mailedToken(region, 'grace@boats.example')) ?? ''
  await region.call(passwordCalls.setUpPassword, { token, password: PASSWORD })
  return region.call(user.login, { accountId, username: 'grace', password: PASSWORD })
}

const usageOn = (app: TwoRegions['central']) =>
  app.store.db.selectFrom('warehouse_usage').select(['seconds', 'billed_seconds']).execute()

test('several cloud providers and regions can be configured, and programs can list them [REAL-05, ACCOUNT-09, ACCOUNT-10]', async () => {
  const { central, region, urls } = await startTwoRegions()
  expect((await central.call(regionContract.list, {})).data).toMatchObject({
    cspList: [{ cspId: 'local' }, { cspId: 'aws', locales: { 'en-us': { name: 'AWS' } } }],
    regionList: [
      { regionId: 'us-1', cspId: 'local' },
      { regionId: REGION, cspId: 'aws' },
    ],
  })
  expect((await central.call(csp.list, {})).data.providers).toMatchObject([
    { cspId: 'local', regions: [{ regionId: 'us-1', host: '' }] },
    { cspId: 'aws', regions: [{ regionId: REGION, host: urls.region }] },
  ])
  expect((await region.call(csp.list, {})).data.providers, 'a region knows itself').toMatchObject([
    { cspId: 'aws', regions: [{ regionId: REGION, host: '' }] },
  ])
})

test('a new account is placed in a region: it is opened, listed and signed in to there, and nowhere else [REAL-05]', async () => {
  const both = await startTwoRegions()
  const { central, region, urls, talk } = both
  const admin = await central.admin()
  const { accountId } = (await admin.call(org.createAccount, NEW_ACCOUNT)).data
  expect(await statesOn(central, accountId)).toMatchObject({ state: Pending })
  expect(await rowOf(region, accountId), 'the region does not know it yet').toBeUndefined()
  await talk()
  expect(await rowOf(region, accountId)).toMatchObject({
    name: 'harbour',
    csp: 'aws',
    region: REGION,
    edition: 'lake',
  })
  await region.accountLife.advance()
  await talk()
  expect(await statesOn(central, accountId)).toEqual({ state: Available, shell: Active })

  expect((await central.call(account.locate, { accountId })).data).toEqual({
    accountId,
    region: REGION,
    host: urls.region,
  })
  const signedIn = await signInToRegion(both, accountId)
  expect(signedIn.data.info).toMatchObject({ accountId, region: REGION, accountName: 'harbour' })
  expect(await central.call(user.login, { accountId, username: 'grace', password: PASSWORD })).toMatchObject({
    code: CODES.LoginFailed.code,
    message: `The account ${accountId} is in the region ${REGION}, and not on this server. Sign in there.`,
  })

  const grace = await region.signInAs('grace', accountId)
  const [atCentral, inRegion] = await Promise.all(
    [admin, grace].map(async (one) => (await one.call(org.listAccount, {})).data.accounts),
  )
  expect(inRegion).toEqual(atCentral)
  expect(atCentral).toMatchObject([
    { accountId: central.accountId, region: 'us-1', csp: 'local', isRoot: true },
    { accountId, region: REGION, csp: 'aws', isRoot: false, creator: 'admin' },
  ])
  expect((await grace.call(org.detail, {})).data).toMatchObject({
    orgAccountId: central.accountId,
    accounts: 2,
  })
  expect((await admin.call(org.accountDetail, { accountId })).data).toMatchObject({
    administrator: 'grace',
    administratorEmail: 'grace@boats.example',
  })
  expect((await grace.call(payment.overview, {})).code, 'the root account pays').toBe(CODES.NoPermission.code)
})

test('a name is unique in the organisation, whatever region it is in, and an unknown region is refused [REAL-05]', async () => {
  const { central } = await startTwoRegions()
  const admin = await central.admin()
  await admin.call(org.createAccount, NEW_ACCOUNT)
  expect((await admin.call(org.createAccount, { ...NEW_ACCOUNT, region: 'us-1', csp: 'local' })).code).toBe(
    CODES.NameTaken.code,
  )
  const refused = { ...NEW_ACCOUNT, name: 'other' }
  expect((await admin.call(org.createAccount, { ...refused, region: 'mars-1' })).message).toMatch(
    /no region mars-1/,
  )
  expect((await admin.call(org.createAccount, { ...refused, csp: 'azure' })).message).toMatch(
    /one of aws, not azure/,
  )
})

test('a server refuses what it does not have: organisations and sign-ups in a region, users of another one [REAL-05]', async () => {
  const both = await startTwoRegions()
  const { central, region, urls } = both
  const form = {
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@boats.example',
    company: 'Boats',
    country: 'GB',
    password: PASSWORD,
  }
  expect((await region.call(signUpCalls.startFreeTrial, form)).message).toContain(
    `Sign up at ${urls.central}`,
  )
  const made = { org: 'Rowers', name: 'main', admin: 'rosa', email: 'rosa@rowers.example' }
  await expect(region.operator('org create', made)).rejects.toThrow(`created on ${urls.central}`)
  expect((await region.call(account.locate, { accountId: central.accountId })).code).toBe(CODES.NotFound.code)
  const accountId = await openInRegion(both)
  await region.http.close()
  await central.store.db.updateTable('regional_accounts').set({ asked_at: null }).execute()
  await both.talk()
  expect(await central.operator('region list', {})).toMatchObject([
    { region: REGION, problem: expect.any(String) },
  ])
  expect(await statesOn(central, accountId), 'nothing is made up about it').toEqual({
    state: Available,
    shell: Active,
  })
})

test('what is used in a region is billed once by the central server, however often it is reported [REAL-05]', async () => {
  const both = await startTwoRegions()
  const { central, region, talk } = both
  const accountId = await openInRegion(both)
  const hour = new Date('2026-03-01T09:00:00Z')
  const warehouseId = '00000000-0000-4000-8000-000000000001'
  await spend(region, { accountId, warehouseId, hour, seconds: 600 })
  await talk()
  expect(await usageOn(central)).toEqual([{ seconds: 600, billed_seconds: 0 }])
  await region.store.db.updateTable('warehouse_usage').set({ seconds: 900 }).execute()
  // The answer of the region was lost: it is sent and kept again.
  await talk()
  await talk()
  expect(await usageOn(central)).toEqual([{ seconds: 900, billed_seconds: 0 }])
  expect(await usageOn(region)).toEqual([{ seconds: 900, billed_seconds: 900 }])
  const admin = await central.admin()
  expect((await admin.call(payment.overview, {})).data.monthToDate.ccu).toBe('1')
  for (const app of [central, region]) {
    app.clock.advance(31 * DAYS)
    await app.payments.closing.closeDue()
  }
  const lines = (app: typeof central) =>
    app.store.db.selectFrom('invoice_lines').select(['used_by', 'seconds']).execute()
  expect(await lines(central)).toEqual([{ used_by: accountId, seconds: 900 }])
  expect(await lines(region), 'a region makes no bills').toEqual([])
})

test('a region cannot report usage of accounts that it does not have', async () => {
  const both = await startTwoRegions()
  const { central, region, talk } = both
  const accountId = await openInRegion(both)
  await central.store.db
    .updateTable('accounts')
    .set({ region: 'us-9' })
    .where('account_id', '=', accountId)
    .execute()
  await spend(region, { accountId, hour: new Date('2026-03-01T09:00:00Z'), seconds: 600 })
  await talk()
  expect(await usageOn(central)).toEqual([])
})

test('orders of the central server are followed in the region: freeze, resume, upgrade, delete [REAL-05, REAL-08]', async () => {
  const both = await startTwoRegions()
  const { central, region, talk } = both
  const accountId = await openInRegion(both)
  await central.operator('account freeze', { account: accountId })
  await talk()
  expect(await statesOn(region, accountId)).toEqual({ state: Available, shell: Frozen })
  await central.operator('account resume', { account: accountId })
  await talk()
  expect(await statesOn(central, accountId)).toEqual({ state: Available, shell: Resuming })
  await region.accountLife.advance()
  await talk()
  expect(await statesOn(central, accountId)).toEqual({ state: Available, shell: Active })

  await central.operator('account upgrade', { account: accountId, confirm: accountId })
  await talk()
  expect((await rowOf(region, accountId))?.edition).toBe('standard')

  await spend(region, { accountId, hour: new Date('2026-03-01T09:00:00Z'), seconds: 60 })
  await central.operator('account delete', { account: accountId, confirm: accountId })
  await talk()
  expect(await statesOn(region, accountId)).toMatchObject({ state: Deleting })
  for (const app of [central, region]) app.clock.advance(2 * DAYS)
  // What it has used is fetched, and known to be kept, before it goes.
  await talk()
  await talk()
  await region.accountLife.advance()
  expect(await rowOf(region, accountId)).toBeUndefined()
  await talk()
  expect(await rowOf(central, accountId)).toBeUndefined()
  const admin = await central.admin()
  const { accounts } = (await admin.call(org.listAccount, { notFilterDeleted: true })).data
  expect(accounts).toMatchObject([
    { isRoot: true },
    { accountId, state: LIFE_CYCLE_STATES.Deleted, region: REGION },
  ])
  expect(await central.store.db.selectFrom('invoice_lines').select('seconds').execute()).toEqual([
    { seconds: 60 },
  ])
})

test('a region deletes no account before the central server has all of its usage', async () => {
  const both = await startTwoRegions()
  const { region } = both
  const accountId = await openInRegion(both)
  await region.operator('account delete', { account: accountId, confirm: accountId })
  await region.http.close()
  await spend(region, { accountId, hour: new Date('2026-03-01T09:00:00Z'), seconds: 60 })
  region.clock.advance(2 * DAYS)
  await region.accountLife.advance()
  expect(await rowOf(region, accountId)).toBeDefined()
  await region.store.db.updateTable('warehouse_usage').set({ billed_seconds: 60 }).execute()
  await region.accountLife.advance()
  expect(await rowOf(region, accountId)).toBeUndefined()
})

test('what the operator of a region does is seen on the central server, and not undone by it', async () => {
  const both = await startTwoRegions()
  const { central, region, talk } = both
  const accountId = await openInRegion(both)
  await region.operator('account freeze', { account: accountId })
  await talk()
  await talk()
  expect(await statesOn(central, accountId)).toEqual({ state: Available, shell: Frozen })
  expect(await statesOn(region, accountId)).toEqual({ state: Available, shell: Frozen })
})

test('an account that its region has lost is abnormal, and is not made again', async () => {
  const both = await startTwoRegions()
  const { central, region, talk } = both
  const accountId = await openInRegion(both)
  await region.store.db.deleteFrom('accounts').where('account_id', '=', accountId).execute()
  await talk()
  expect(await statesOn(central, accountId)).toMatchObject({ state: LIFE_CYCLE_STATES.Abnormal })
  expect(await rowOf(region, accountId)).toBeUndefined()
})

test('the organisation is kept the same in the region: name, contract, origin [ACCOUNT-74, ACCOUNT-76]', async () => {
  const both = await startTwoRegions()
  const { central, region, talk } = both
  const accountId = await openInRegion(both)
  const [{ org: id }] = (await central.operator('org list', {})) as [{ org: string }]
  await central.operator('org contract', { org: id })
  for (const app of [central, region]) app.clock.advance(HOURS)
  await talk()
  const grace = await region.signInAs('grace', accountId)
  expect((await grace.call(user.info, {})).data).toMatchObject({ orgIdentity: 3 })
})

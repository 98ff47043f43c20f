import { randomUUID } from 'node:crypto'
import {
  CODES,
  encodePassword,
  marketplace,
  payment,
  SHELL_STATES,
  signUpCalls,
  user,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startAwsMarketplace } from '../../testing/aws-marketplace-server.ts'
import { bindCard } from '../../testing/bind-card.ts'
import { DAYS, type FakeClock, HOURS, MINUTES } from '../../testing/fake-clock.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { spend } from '../../testing/spend.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const HOUR = new Date('2026-03-01T09:00:00Z')
const CUSTOMER = 'cust-1'
const PASSWORD = encodePassword('Sculling_7')
/** An hour of a warehouse of this size in the standard edition: 4 CCU at 1.58 USD. */
const CENTS_OF_AN_HOUR = 632

async function startSelling() {
  let clock: FakeClock | undefined
  const aws = await startAwsMarketplace(() => clock?.now() ?? new Date())
  aws.tokens.set('token-1', CUSTOMER)
  const app = await startApp(aws.settings)
  clock = app.clock
  return { aws, app }
}

const organisationOf = async (app: TestApp): Promise<string> =>
  ((await app.operator('org list', {})) as { org: string }[])[0]?.org ?? ''

async function subscribe(app: TestApp): Promise<string> {
  const org = await organisationOf(app)
  await app.operator('org marketplace', { org, customer: CUSTOMER, product: 'prod-boathouse' })
  return org
}

/** As the jobs do. */
async function passes(app: TestApp, ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.marketplaces.makeRecords()
  await app.marketplaces.sendDue()
}

const records = async (app: TestApp) =>
  (await app.operator('marketplace records', {})) as {
    record: string
    state: string
    quantity: number
    attempts: number
    hour: Date
  }[]
const sumOf = (metered: ReadonlyMap<string, number>): number =>
  [...metered.values()].reduce((all, one) => all + one, 0)

test('somebody who bought at the AWS marketplace signs up, and pays there [REAL-07, BILL-14, ACCOUNT-74]', async () => {
  const { aws, app } = await startSelling()
  expect((await app.call(marketplace.resolve, { token: 'token-1' })).data).toEqual({
    marketplace: 'AWS Marketplace',
    product: 'prod-boathouse',
  })
  expect((await app.call(marketplace.resolve, { token: 'expired-1' })).code).toBe(
    CODES.SignUpTokenExpired.code,
  )
  expect((await app.call(marketplace.resolve, { token: 'nobody' })).code).toBe(CODES.SignUpTokenInvalid.code)
  aws.faults.push('broken')
  expect((await app.call(marketplace.resolve, { token: 'token-1' })).code).toBe(CODES.MarketplaceFailed.code)

  const email = 'bea@northwind.example'
  await app.call(marketplace.signUp, {
    token: 'token-1',
    firstName: 'Bea',
    lastName: 'North',
    email,
    company: 'Northwind',
    country: 'GB',
    password: PASSWORD,
  })
  const token = (await mailedToken(app, email)) ?? ''
  await app.call(signUpCalls.activate, { token, password: PASSWORD })
  await app.accountLife.advance()
  const opened = await app.store.db
    .selectFrom('marketplace_subscriptions')
    .innerJoin('organisations', 'organisations.organisation_id', 'marketplace_subscriptions.organisation_id')
    .select(['marketplace', 'customer', 'product', 'root_account_id'])
    .executeTakeFirstOrThrow()
  expect(opened).toMatchObject({ marketplace: 'aws', customer: CUSTOMER, product: 'prod-boathouse' })
  const accountId = opened.root_account_id ?? ''
  const bea = await app.call(user.login, { accountId, username: 'bea', password: PASSWORD })
  expect(bea.data.info).toMatchObject({ source: 2, isOrgAdmin: true })
  await spend(app, { accountId, hour: HOUR, seconds: 3_600 })
  await passes(app, HOURS)
  expect([...aws.metered.values()]).toEqual([CENTS_OF_AN_HOUR])
})

test('the operator makes an organisation one of the marketplace: its bills go there, and no card is charged [REAL-07, BILL-13]', async () => {
  const { aws, app } = await startSelling()
  const admin = await app.admin()
  await bindCard(admin, 'visa')
  const org = await subscribe(app)
  expect(await app.operator('org list', {})).toMatchObject([{ org, pays: 'marketplace' }])
  expect((await admin.call(payment.overview, {})).data).toMatchObject({
    paymentType: 'marketplace',
    mayBindCard: false,
  })
  await spend(app, { hour: HOUR, seconds: 3_600 })
  await passes(app, HOURS)
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  await app.payments.charging.chargeDue()
  const invoices = await app.store.db.selectFrom('invoices').select(['state', 'due_cents']).execute()
  expect(invoices).toEqual([{ state: 'elsewhere', due_cents: CENTS_OF_AN_HOUR }])
  await passes(app, HOURS)
  expect(sumOf(aws.metered), 'what was billed was metered, once').toBe(CENTS_OF_AN_HOUR)
})

test('what is wrong with a subscription is said', async () => {
  const { app } = await startSelling()
  const org = await organisationOf(app)
  const asked = { org, customer: CUSTOMER }
  await expect(app.operator('org marketplace', { org })).rejects.toThrow(/--customer/)
  await expect(app.operator('org marketplace', { ...asked, org: randomUUID() })).rejects.toThrow(
    /no such organisation/,
  )
  await app.operator('org contract', { org })
  await expect(app.operator('org marketplace', asked)).rejects.toThrow(/End the contract first/)
  await app.operator('org contract', { org, end: true })
  await spend(app, { hour: HOUR, seconds: 3_600 })
  app.clock.advance(31 * DAYS)
  await app.payments.closing.closeDue()
  await expect(app.operator('org marketplace', asked)).rejects.toThrow(/is not paid/)
  await app.store.db.updateTable('invoices').set({ state: 'paid' }).execute()
  await app.operator('org marketplace', asked)
  await expect(app.operator('org marketplace', asked)).rejects.toThrow(/marketplace already/)
  await app.operator('org create', {
    org: 'Rowers',
    name: 'main',
    admin: 'rosa',
    email: 'rosa@rowers.example',
  })
  const [, rowers] = (await app.operator('org list', {})) as { org: string }[]
  await expect(app.operator('org marketplace', { ...asked, org: rowers?.org })).rejects.toThrow(
    /another organisation/,
  )
  const alone = await startApp()
  await expect(
    alone.operator('org marketplace', { org: await organisationOf(alone), customer: CUSTOMER }),
  ).rejects.toThrow(/No marketplace is connected/)
})

test('one record for an hour, of whole cents; the rest waits for the next hour [REAL-07]', async () => {
  const { aws, app } = await startSelling()
  await subscribe(app)
  // 4 CCU for 20 s at 1.58 USD are 3.511… cents.
  for (const hour of [0, 1, 2]) {
    await spend(app, { hour: new Date(HOUR.getTime() + hour * HOURS), seconds: 20 })
    await passes(app, HOURS)
    await passes(app, MINUTES)
    await passes(app, -MINUTES)
  }
  expect([...aws.metered.values()]).toEqual([3, 4, 3])
  expect((await records(app)).map(({ state, quantity }) => [state, quantity])).toEqual([
    ['taken', 3],
    ['taken', 4],
    ['taken', 3],
  ])
})

test('usage that is late, and a discount that is, are settled with the next hour [REAL-07]', async () => {
  const { aws, app } = await startSelling()
  const org = await subscribe(app)
  await spend(app, { hour: HOUR, seconds: 1_800 })
  await passes(app, HOURS)
  await spend(app, { hour: HOUR, seconds: 1_800 })
  await passes(app, HOURS)
  expect(sumOf(aws.metered)).toBe(CENTS_OF_AN_HOUR)
  await app.operator('org discount', { org, percent: '50' })
  await spend(app, { hour: new Date(HOUR.getTime() + 2 * HOURS), seconds: 3_600 })
  await passes(app, HOURS)
  expect(sumOf(aws.metered), 'half of two hours').toBe(CENTS_OF_AN_HOUR)
  await spend(app, { hour: new Date(HOUR.getTime() + 3 * HOURS), seconds: 3_600 })
  await passes(app, HOURS)
  expect(sumOf(aws.metered)).toBe(CENTS_OF_AN_HOUR + CENTS_OF_AN_HOUR / 2)
})

test.each(['throttled', 'broken', 'answer lost', 'unprocessed'] as const)(
  'a request that was %s is sent again with the same content, and counted once [REAL-07]',
  async (fault) => {
    const { aws, app } = await startSelling()
    await subscribe(app)
    await spend(app, { hour: HOUR, seconds: 3_600 })
    aws.faults.push(fault, fault)
    await passes(app, HOURS)
    expect(await records(app)).toMatchObject([{ state: 'open', attempts: 1 }])
    await spend(app, { hour: HOUR, seconds: 3_600 })
    await passes(app, 2 * MINUTES)
    await passes(app, 5 * MINUTES)
    expect(await records(app)).toMatchObject([{ state: 'taken', attempts: 3, quantity: CENTS_OF_AN_HOUR }])
    expect([...aws.metered.values()]).toEqual([CENTS_OF_AN_HOUR])
  },
)

test('a crash after a request, before its answer is written down, meters nothing twice [REAL-07]', async () => {
  const { aws, app } = await startSelling()
  await subscribe(app)
  await spend(app, { hour: HOUR, seconds: 3_600 })
  await passes(app, HOURS)
  // As it was in the middle of the attempt.
  await app.store.db
    .updateTable('marketplace_records')
    .set({ state: 'open', is_unsure: true, receipt: null, next_attempt_at: app.clock.now() })
    .execute()
  await passes(app, 3 * MINUTES)
  expect(await records(app)).toMatchObject([{ state: 'taken' }])
  expect([...aws.metered.values()]).toEqual([CENTS_OF_AN_HOUR])
})

test('two jobs at the same moment make one record', async () => {
  const { app } = await startSelling()
  await subscribe(app)
  await spend(app, { hour: HOUR, seconds: 3_600 })
  app.clock.advance(HOURS)
  await Promise.all([1, 2, 3].map(() => app.marketplaces.makeRecords()))
  expect(await records(app)).toHaveLength(1)
})

test('after six hours AWS takes an hour no more: what it surely does not have is metered later, the rest is for the operator', async () => {
  const { aws, app } = await startSelling()
  await subscribe(app)
  await spend(app, { hour: HOUR, seconds: 3_600 })
  aws.faults.push(...Array<'throttled'>(40).fill('throttled'))
  await passes(app, HOURS)
  await passes(app, 7 * HOURS)
  expect(await records(app)).toEqual([])
  aws.faults.length = 0
  await passes(app, MINUTES)
  expect([...aws.metered.values()]).toEqual([CENTS_OF_AN_HOUR])

  await spend(app, { hour: new Date(HOUR.getTime() + 9 * HOURS), seconds: 3_600 })
  aws.faults.push('answer lost')
  await passes(app, 2 * HOURS)
  await passes(app, 7 * HOURS)
  const [unsure] = await records(app)
  expect(unsure).toMatchObject({ state: 'unsure', quantity: CENTS_OF_AN_HOUR })
  await expect(app.operator('marketplace settle', { record: unsure?.record })).rejects.toThrow(
    /--taken or --not-taken/,
  )
  await app.operator('marketplace settle', { record: unsure?.record, taken: true })
  expect(await records(app)).toMatchObject([{ state: 'taken' }, { state: 'taken' }])
  await expect(app.operator('marketplace settle', { record: unsure?.record, taken: true })).rejects.toThrow(
    /is taken/,
  )
  await passes(app, HOURS)
  expect(sumOf(aws.metered)).toBe(2 * CENTS_OF_AN_HOUR)
})

test('a customer who has left is refused, and others of the same request are not', async () => {
  const { aws, app } = await startSelling()
  aws.tokens.set('token-2', 'cust-2')
  await subscribe(app)
  const made = { org: 'Rowers', name: 'main', admin: 'rosa', email: 'rosa@rowers.example' }
  const { account: accountId } = (await app.operator('org create', made)) as { account: string }
  const rowers = ((await app.operator('org list', {})) as { org: string; name: string }[]).find(
    ({ name }) => name === 'Rowers',
  )
  await app.operator('org marketplace', { org: rowers?.org, customer: 'cust-2', product: 'prod-boathouse' })
  await spend(app, { hour: HOUR, seconds: 3_600 })
  await spend(app, { accountId, hour: HOUR, seconds: 3_600 })
  aws.unsubscribed.add('cust-2')
  await passes(app, HOURS)
  expect((await records(app)).map(({ state }) => state).sort()).toEqual(['refused', 'taken'])
  // One whom AWS does not know at all makes it refuse the whole request.
  aws.tokens.delete('token-2')
  aws.unsubscribed.clear()
  await spend(app, { hour: HOUR, seconds: 3_600 })
  await spend(app, { accountId, hour: HOUR, seconds: 3_600 })
  await passes(app, HOURS)
  expect((await records(app)).map(({ state }) => state).sort()).toEqual([
    'refused',
    'refused',
    'taken',
    'taken',
  ])
})

test('what is used while a contract pays is never metered at the marketplace', async () => {
  const { aws, app } = await startSelling()
  const org = await subscribe(app)
  await app.operator('org contract', { org })
  await spend(app, { hour: HOUR, seconds: 3_600 })
  await passes(app, HOURS)
  await app.operator('org contract', { org, end: true })
  await passes(app, HOURS)
  expect([...aws.metered]).toEqual([])
  await spend(app, { hour: new Date(HOUR.getTime() + 2 * HOURS), seconds: 3_600 })
  await passes(app, HOURS)
  expect([...aws.metered.values()]).toEqual([CENTS_OF_AN_HOUR])
})

test('an account that was frozen at the end of its trial is resumed when it pays through the marketplace', async () => {
  const { app } = await startSelling()
  await app.store.db
    .updateTable('accounts')
    .set({ shell_state: SHELL_STATES.Frozen, freeze_reason: 'trial ended' })
    .execute()
  const org = await organisationOf(app)
  expect(await app.operator('org marketplace', { org, customer: CUSTOMER })).toMatchObject({
    resumed: [app.accountId],
  })
})

test('a wrong key of AWS is a failure that is tried again, and shows nothing of it', async () => {
  const { aws, app } = await startSelling()
  const other = await startApp({ ...aws.settings, BOATHOUSE_AWS_SECRET_KEY: 'another-secret' })
  const org = await organisationOf(other)
  await other.operator('org marketplace', { org, customer: CUSTOMER, product: 'prod-boathouse' })
  await spend(other, { hour: HOUR, seconds: 3_600 })
  await passes(other, HOURS)
  const [record] = await records(other)
  expect(record).toMatchObject({ state: 'open', problem: 'AWS Marketplace answers SignatureDoesNotMatch.' })
  expect(JSON.stringify(record)).not.toContain('another-secret')
  expect(aws.metered.size).toBe(0)
  expect(app.accountId).toBeTruthy()
})

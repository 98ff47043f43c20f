import {
  alert,
  CODES,
  MESSAGE_TYPES,
  type Schedule,
  schedule as calls,
  user as userCalls,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { savedQuery, setUpSchedules } from '../../testing/schedule-kit.ts'
import type { TestUser } from '../../testing/start-app.ts'
import { done } from '../../testing/view-kit.ts'
import { startReceiver } from '../../testing/webhook-receiver.ts'

const ANY_ROW = { kind: 'any row' as const }
const MANY = 'SELECT a FROM boats WHERE a > 1'

const messagesOf = async (who: TestUser): Promise<number[]> =>
  (await who.call(userCalls.listUnreadMessages, {})).data.messages.map(({ type }) => type)

test('only an account administrator has a schedule send to a webhook', async () => {
  const receiver = await startReceiver()
  const { app } = await setUpSchedules({ BOATHOUSE_WEBHOOK_ENDPOINTS: receiver.origin })
  const ada = await app.user(['db_admin'])
  const tabId = await savedQuery(ada, 'SELECT 1')
  const draft = { tabId, cron: '0 9 * * *', timeZone: 'UTC', url: receiver.url }
  const refused = await ada.call(calls.save, draft)
  expect([refused.code, refused.message]).toEqual([
    CODES.NoPermission.code,
    expect.stringContaining('Only an account administrator'),
  ])
  expect((await ada.call(calls.find, { tabId })).data.schedule).toBeNull()
})

test('the owner and the users that they name are notified of a condition, not again in its quiet time', async () => {
  const { app, admin, run, schedule, pass, runsOf } = await setUpSchedules()
  const [named, other] = [await app.user(), await app.user()]
  const own = await schedule(admin, MANY, { condition: ANY_ROW, quietMinutes: 30, users: [named.name] })
  expect(own).toMatchObject({ users: [named.name], condition: { kind: 'any row' }, quietMinutes: 30 })
  await pass(5)
  await app.alerts.passOn()
  expect(await messagesOf(admin), 'it does not hold').toEqual([])
  await done(run, 'INSERT INTO boats VALUES (2)')
  for (let time = 0; time < 3; time++) await pass(5)
  await app.alerts.passOn()
  for (const reader of [admin, named])
    expect(await messagesOf(reader)).toEqual([MESSAGE_TYPES.ScheduleCondition])
  expect(await messagesOf(other)).toEqual([])
  const { messages } = (await named.call(userCalls.listUnreadMessages, {})).data
  expect(
    messages.map(({ about }) => about),
    'which query it is',
  ).toEqual(['boats'])
  expect((await runsOf(admin, own)).map(({ met, notified }) => [met, notified])).toEqual([
    [true, false],
    [true, false],
    [true, true],
    [false, false],
  ])
  await pass(30)
  await app.alerts.passOn()
  expect(await messagesOf(named)).toHaveLength(2)
})

test('changed compares with the run before; a condition that cannot be checked is a failure', async () => {
  const { app, admin, run, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats ORDER BY a', { condition: { kind: 'changed' } })
  await pass(5)
  await pass(5)
  await done(run, 'INSERT INTO boats VALUES (2)')
  await pass(5)
  await pass(5)
  expect((await runsOf(admin, own)).map(({ met }) => met)).toEqual([false, true, false, false])
  const above = { kind: 'above' as const, column: 'b', value: 1 }
  await schedule(admin, '', { tabId: own.tabId, condition: above })
  await pass(5)
  expect((await runsOf(admin, own))[0]).toMatchObject({
    state: 'failed',
    queryId: expect.any(String),
    error: expect.stringContaining('The result has no column b. It has a.'),
  })
  await schedule(admin, '', { tabId: own.tabId, condition: { ...above, column: 'a' } })
  await pass(5)
  expect((await runsOf(admin, own))[0]).toMatchObject({ state: 'success', met: true })
  await app.alerts.passOn()
  expect((await messagesOf(admin)).toSorted((a, b) => a - b)).toEqual([
    MESSAGE_TYPES.ScheduleFailed,
    MESSAGE_TYPES.ScheduleCondition,
    MESSAGE_TYPES.ScheduleCondition,
  ])
})

test('what is sent names the query and the values that were compared, in an order that can be read', async () => {
  const { app, admin, run, schedule, pass } = await setUpSchedules()
  const ada = await app.user()
  const { db } = app.store
  await db.updateTable('users').set({ email: 'ada@example.com' }).where('name', '=', ada.name).execute()
  await done(run, 'INSERT INTO boats VALUES (2)')
  const tabId = await savedQuery(admin, MANY, 'large boats')
  const condition = { kind: 'above' as const, column: 'a', value: 1.5 }
  await schedule(admin, '', { tabId, condition, users: [ada.name] })
  await pass(5)
  await app.alerts.passOn()
  const [mail] = (await app.mails.outbox()).filter(({ to }) => to === 'ada@example.com')
  expect(mail?.subject).toMatch(/^The condition of a scheduled query holds: large boats \(/)
  expect(mail?.text).toMatch(/Query: large boats\s+Condition: a above 1\.5\s+Rows: 1\s+Run: \S+\s+Query ID: /)
})

test('of failures in a row the first notifies, then one a day; after a success or a change the next one does', async () => {
  const { app, admin, run, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM shoals')
  const notified = async (who = admin) => (await runsOf(who, own)).map((one) => one.notified).toReversed()
  for (let times = 0; times < 3; times++) await pass(5)
  expect(await notified()).toEqual([true, false, false])
  await done(run, 'CREATE TABLE shoals (a int)')
  await pass(5)
  await done(run, 'DROP TABLE shoals')
  await pass(5)
  expect(await notified()).toEqual([true, false, false, false, true])
  await schedule(admin, '', { tabId: own.tabId, cron: '*/10 * * * *' })
  await pass(10)
  await pass(10)
  expect((await notified()).slice(-2)).toEqual([true, false])
  await pass(24 * 60)
  // The login has ended by then.
  expect((await notified(await app.admin())).at(-1)).toBe(true)
  await app.alerts.passOn()
  const types = Array.from({ length: 4 }, () => MESSAGE_TYPES.ScheduleFailed)
  expect(await messagesOf(await app.admin())).toEqual(types)
})

test('a webhook is sent what happened, signed with a secret that is shown once, and no rows', async () => {
  const receiver = await startReceiver()
  const { app, admin, run, schedule, pass } = await setUpSchedules({
    BOATHOUSE_WEBHOOK_ENDPOINTS: receiver.origin,
  })
  await done(run, 'INSERT INTO boats VALUES (4711)')
  const tabId = await savedQuery(admin, MANY, 'large boats')
  const draft = { tabId, cron: '*/5 * * * *', timeZone: 'UTC', condition: ANY_ROW, url: receiver.url }
  const { secret } = (await admin.call(calls.save, draft)).data
  expect(secret).toMatch(/^whsec_/)
  expect((await admin.call(calls.save, draft)).data, 'and not again').toMatchObject({
    secret: null,
    schedule: { url: receiver.url },
  })
  expect((await admin.call(alert.list, {})).data.rules, 'it is no rule of the account').toEqual([])
  await pass(5)
  await app.alerts.passOn()
  await app.alerts.deliverDue()
  const [hook] = receiver.received
  expect(JSON.parse(hook?.body ?? '{}')).toMatchObject({
    type: 'schedule.condition',
    data: { query: 'large boats', condition: 'any row', rows: 1 },
  })
  expect(hook?.body).not.toContain('4711')
  expect(hook?.headers['webhook-signature']).toMatch(/^v1,/)
  await schedule(admin, '', { tabId, condition: ANY_ROW })
  await pass(5)
  await app.alerts.passOn()
  await app.alerts.deliverDue()
  expect(receiver.received, 'without a webhook, nothing is sent').toHaveLength(1)
})

test('a run says what became of what it sent to the webhook, and it can be sent again', async () => {
  const receiver = await startReceiver()
  const { app, admin, run, schedule, pass, runsOf } = await setUpSchedules({
    BOATHOUSE_WEBHOOK_ENDPOINTS: receiver.origin,
  })
  const deliveryOf = async (own: Schedule) => (await runsOf(admin, own))[0]?.delivery
  const listed = async () => (await admin.call(calls.list, {})).data.schedules[0]?.lastRun?.delivery
  receiver.answerStatus(500)
  const own = await schedule(admin, MANY, { condition: ANY_ROW, url: receiver.url })
  await pass(5)
  expect(await deliveryOf(own), 'nothing was sent').toBeNull()
  await done(run, 'INSERT INTO boats VALUES (2)')
  await pass(5)
  await app.alerts.passOn()
  expect(await deliveryOf(own)).toMatchObject({ state: 'waiting', attempts: 0, error: '' })
  await app.alerts.deliverDue()
  const failed = { state: 'waiting', attempts: 1, error: 'It answers with the status 500.' }
  expect(await deliveryOf(own)).toMatchObject({ ...failed, nextAttemptAt: expect.any(String) })
  expect(await listed(), 'also in the list').toMatchObject(failed)
  receiver.answerStatus(204)
  const { deliveryId = '' } = (await deliveryOf(own)) ?? {}
  expect((await admin.call(alert.redeliver, { deliveryId })).message).toBe('')
  await app.alerts.deliverDue()
  expect(await deliveryOf(own)).toMatchObject({ state: 'delivered', error: '', nextAttemptAt: null })
  expect(receiver.received).toHaveLength(2)
})

test('the mail leads its owner to the statement, and others to the sign-in', async () => {
  const { app, admin, schedule, pass } = await setUpSchedules()
  const [owner, named] = [await app.user(['db_admin']), await app.user()]
  const mailOf = ({ name }: TestUser) => `${name}@example.com`
  for (const user of [owner, named])
    await app.store.db
      .updateTable('users')
      .set({ email: mailOf(user) })
      .where('name', '=', user.name)
      .execute()
  const own = await schedule(owner, 'SELECT * FROM no_such_table', { users: [named.name] })
  await pass(5)
  await app.alerts.passOn()
  const [run] = (await owner.call(calls.runs, { scheduleId: own.scheduleId })).data.runs
  const page = `/${admin.accountId}/activity/query_${run?.queryId ?? ''}`
  const mails = await app.mails.outbox()
  const textTo = (user: TestUser) => mails.find(({ to }) => to === mailOf(user))?.text
  expect(run?.queryId).toBeTruthy()
  expect(textTo(owner)).toContain(page)
  expect(textTo(named)).not.toContain(page)
  expect(textTo(named)).toContain('/login?step=signin')
})

test('a rule of the account is about schedules of all users', async () => {
  const receiver = await startReceiver()
  const { app, admin, schedule, pass } = await setUpSchedules({
    BOATHOUSE_WEBHOOK_ENDPOINTS: receiver.origin,
  })
  const ada = await app.user()
  await admin.call(alert.create, { name: 'late', event: 'schedule.failed', url: receiver.url })
  await schedule(ada, 'SELECT * FROM no_such_table')
  await pass(5)
  await app.alerts.passOn()
  await app.alerts.deliverDue()
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['schedule.failed'])
})

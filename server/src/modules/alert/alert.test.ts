import { createHmac, randomUUID } from 'node:crypto'
import { alert, audit, CODES, LIMITS, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS, MINUTES, SECONDS } from '../../testing/fake-clock.ts'
import { startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { type ReceivedHook, startReceiver } from '../../testing/webhook-receiver.ts'

const noted = (app: TestApp, facts: object, count = 1) =>
  app.store.pool.query(
    `insert into alert_events (account_id, event, facts, occurred_at)
     select $1, 'statement.failed', $2, $3 from generate_series(1, $4)`,
    [app.accountId, JSON.stringify(facts), app.clock.now(), count],
  )

async function withHook() {
  const receiver = await startReceiver()
  const app = await startApp({ BOATHOUSE_WEBHOOK_ENDPOINTS: receiver.origin })
  const admin = await app.admin()
  const { data, message } = await admin.call(alert.create, {
    name: 'failures',
    event: 'statement.failed',
    url: receiver.url,
  })
  expect(message).toBe('')
  const pass = async () => {
    await app.alerts.passOn()
    await app.alerts.deliverDue()
  }
  const log = async (of: TestUser = admin) =>
    (await of.call(alert.deliveries, { ruleId: data.rule.ruleId, limit: 100 })).data.deliveries
  return { app, admin, receiver, rule: data.rule, secret: data.secret ?? '', pass, log }
}

/** By what the specification of Standard Webhooks says, apart from the code that signs. */
function isSigned({ headers, body }: ReceivedHook, secret: string): boolean {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

test('nobody sees or changes rules and deliveries of another account', async () => {
  const { app, admin, rule, pass, log } = await withHook()
  await noted(app, {})
  await pass()
  const [delivery] = await log()
  const stranger = await app.stranger(['account_admin'])
  const { ruleId } = rule
  const draft = { name: 'mine', event: 'statement.failed' as const, url: 'https://example.com' }
  expect((await stranger.call(alert.list, {})).data.rules).toEqual([])
  for (const answer of [
    await stranger.call(alert.update, { ...draft, ruleId }),
    await stranger.call(alert.delete, { ruleId }),
    await stranger.call(alert.test, { ruleId }),
    await stranger.call(alert.deliveries, { ruleId }),
    await stranger.call(alert.redeliver, { deliveryId: delivery?.deliveryId ?? '' }),
  ])
    expect(answer.code).toBe(CODES.NotFound.code)
  const security = await app.user(['security_admin', 'user_admin'])
  expect((await security.call(alert.list, {})).code).toBe(CODES.NoPermission.code)
  expect((await admin.call(alert.list, {})).data.rules).toHaveLength(1)
})

test('a rule that leads nowhere, inward or to nobody is refused, field by field', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const robot = `robot_${randomUUID().slice(0, 8)}`
  await admin.call(perms.createUser, { user: robot, isService: true })
  const refused = async (draft: object) => {
    const answer = await admin.call(alert.create, { name: 'a', event: 'statement.failed', ...draft } as never)
    expect([draft, answer.code]).toEqual([draft, CODES.BadInput.code])
    return answer.message
  }
  expect(await refused({})).toContain('Enter a webhook URL')
  for (const url of [
    'example.com',
    'ftp://example.com',
    'https://a:b@example.com',
    'https://example.com/#x',
    'https://',
  ])
    expect(await refused({ url })).toContain('https://')
  await refused({ url: `https://example.com/${'x'.repeat(LIMITS.webhookUrlLength)}` })
  for (const url of ['https://10.0.0.1/x', 'https://127.0.0.1', 'https://[::1]:8443/'])
    expect(await refused({ url })).toContain('private network')
  expect(await refused({ url: 'http://example.com' })).toContain('does not use TLS')
  for (const users of [['nobody'], [robot]]) expect(await refused({ users })).toContain('with a mail address')
  const url = 'https://example.com'
  await refused({ url, name: ' ' })
  await refused({ url, name: 'two\nlines' })
  await refused({ url, event: 'moon.full' })
  await refused({ url, event: 'user.invited', ownOnly: true })
  await refused({ url, event: 'user.invited', warehouseId: randomUUID() })
  const gone = await admin.call(alert.create, {
    name: 'a',
    event: 'statement.failed',
    url,
    warehouseId: randomUUID(),
  })
  expect(gone.code).toBe(CODES.NotFound.code)
  expect((await admin.call(alert.list, {})).data.rules).toEqual([])
})

test('an account has at most 20 rules, also when two are created at once, and no name twice', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const create = (name: string) =>
    admin.call(alert.create, { name, event: 'load.failed', url: 'https://example.com' })
  for (let at = 1; at < LIMITS.alertRulesPerAccount; at++) await create(`rule ${at}`)
  expect((await create('RULE 1')).code).toBe(CODES.NameTaken.code)
  const codes = (await Promise.all([create('x'), create('y')])).map(({ code }) => code)
  expect(new Set(codes)).toEqual(new Set([CODES.Ok.code, CODES.LimitReached.code]))
})

test('a webhook is signed as Standard Webhooks has it, and its secret is kept sealed and shown once', async () => {
  const { app, admin, receiver, rule, secret, pass, log } = await withHook()
  await noted(app, { queryId: 'q1', message: 'no such table' })
  await pass()
  const [hook] = receiver.received
  expect(hook && isSigned(hook, secret)).toBe(true)
  const [delivery] = await log()
  expect(hook?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': delivery?.deliveryId,
    'webhook-attempt': '1',
    'webhook-timestamp': String(app.clock.now().getTime() / 1000),
  })
  expect(JSON.parse(hook?.body ?? '')).toEqual({
    type: 'statement.failed',
    timestamp: app.clock.now().toISOString(),
    data: { queryId: 'q1', message: 'no such table' },
  })
  expect(delivery).toMatchObject({
    state: 'delivered',
    attempts: 1,
    status: 200,
    answer: 'thanks',
    error: '',
  })
  const { rows } = await app.store.pool.query('select * from alert_rules')
  const entries = await app.store.db.selectFrom('audit_entries').selectAll().execute()
  const kept = JSON.stringify([rows, entries, (await admin.call(alert.list, {})).data])
  expect(kept).not.toContain(secret.slice(6))
  expect(JSON.stringify(entries), 'addresses hold keys').not.toContain('key=1')
  const { data } = await admin.call(alert.update, { ...rule, newSecret: true })
  expect(data.secret).not.toBe(secret)
  await noted(app, {})
  await pass()
  expect(isSigned(receiver.received[1] as ReceivedHook, data.secret ?? '')).toBe(true)
  expect((await admin.call(alert.update, { ...rule, enabled: false })).data.secret).toBeNull()
})

test('what is not accepted is sent again for a day, under one id, each time with its attempt', async () => {
  const { app, receiver, secret, pass, log } = await withHook()
  receiver.answerStatus(503)
  await noted(app, {})
  await pass()
  await pass()
  expect(receiver.received, 'not before it is due').toHaveLength(1)
  const waits = [10 * SECONDS, MINUTES, 5 * MINUTES, 15 * MINUTES, 30 * MINUTES]
  for (const wait of [...waits, HOURS, 2 * HOURS, 4 * HOURS, 6 * HOURS, 10 * HOURS]) {
    expect((await log())[0]?.nextAttemptAt).toBe(new Date(app.clock.now().getTime() + wait).toISOString())
    app.clock.advance(wait - 1)
    await pass()
    const before = receiver.received.length
    app.clock.advance(1)
    await pass()
    expect(receiver.received).toHaveLength(before + 1)
  }
  expect((await log())[0]).toMatchObject({
    state: 'failed',
    attempts: 11,
    status: 503,
    error: 'It answers with the status 503.',
  })
  app.clock.advance(24 * HOURS)
  await pass()
  expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(
    Array.from({ length: 11 }, (_, at) => String(at + 1)),
  )
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(receiver.received.every((hook) => isSigned(hook, secret))).toBe(true)
})

test('a server that died while it delivered leaves the delivery for the next, which says that it may be a repeat', async () => {
  const { app, receiver, pass } = await withHook()
  await noted(app, {})
  await app.alerts.passOn()
  await app.store.pool.query(
    `update alert_deliveries set attempts = 1, next_attempt_at = next_attempt_at + interval '2 minutes'`,
  )
  await pass()
  expect(receiver.received).toHaveLength(0)
  app.clock.advance(2 * MINUTES)
  await Promise.all([app.alerts.deliverDue(), app.alerts.deliverDue()])
  expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['2'])
})

test('of many who look for what is due in one moment, one delivers it', async () => {
  const { app, receiver } = await withHook()
  for (let round = 1; round <= 20; round++) {
    await noted(app, {})
    await app.alerts.passOn()
    await Promise.all(Array.from({ length: 6 }, () => app.alerts.deliverDue()))
    expect(receiver.received).toHaveLength(round)
  }
})

test('a delivery is sent again on request, under its id and with the next attempt', async () => {
  const { app, admin, receiver, pass, log } = await withHook()
  await noted(app, {})
  await pass()
  const [delivery] = await log()
  const deliveryId = delivery?.deliveryId ?? ''
  expect((await admin.call(alert.redeliver, { deliveryId })).data.delivery.state).toBe('waiting')
  await pass()
  expect(receiver.received.map(({ headers }) => [headers['webhook-id'], headers['webhook-attempt']])).toEqual(
    [
      [deliveryId, '1'],
      [deliveryId, '2'],
    ],
  )
  expect(await log()).toMatchObject([{ state: 'delivered', attempts: 2 }])
})

test('after 60 in an hour a rule is silent, and then says how many more there were', async () => {
  const { app, receiver, pass, log } = await withHook()
  await noted(app, {}, 70)
  for (let batch = 0; batch < 20; batch++) await pass()
  expect(receiver.received).toHaveLength(LIMITS.alertsPerRuleAndHour)
  app.clock.advance(HOURS)
  await pass()
  await pass()
  expect(receiver.received).toHaveLength(LIMITS.alertsPerRuleAndHour + 1)
  expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({
    type: 'statement.failed',
    data: { more: 10 },
  })
  expect(await log()).toHaveLength(LIMITS.alertsPerRuleAndHour + 1)
})

test('an account with as many deliveries waiting as it may have gets no further ones, and they are counted', async () => {
  const { app, admin, receiver, rule, pass } = await withHook()
  await app.store.pool.query(
    `insert into alert_deliveries (delivery_id, rule_id, account_id, event, body, state, mailed_to, next_attempt_at, created_at)
     select gen_random_uuid(), $1, $2, 'statement.failed', '{}', 'waiting', 0, $3, $3 from generate_series(1, $4)`,
    [rule.ruleId, app.accountId, new Date('2027-01-01'), LIMITS.waitingAlertsPerAccount],
  )
  await noted(app, {}, 3)
  await pass()
  expect(receiver.received).toHaveLength(0)
  const { rows } = await app.store.pool.query('select merged_count from alert_rules')
  expect(rows).toEqual([{ merged_count: 3 }])
  expect((await admin.call(alert.test, { ruleId: rule.ruleId })).data.delivery.state).toBe('delivered')
})

test('a test is sent at once and says what happened, and is not retried', async () => {
  const { app, admin, receiver, rule, secret, pass } = await withHook()
  const { ruleId } = rule
  const worked = (await admin.call(alert.test, { ruleId })).data.delivery
  expect(worked).toMatchObject({ event: 'test', state: 'delivered', status: 200, answer: 'thanks' })
  expect(receiver.received.map((hook) => isSigned(hook, secret))).toEqual([true])
  receiver.answerStatus(404)
  const refused = (await admin.call(alert.test, { ruleId })).data.delivery
  expect(refused).toMatchObject({ state: 'failed', status: 404, error: 'It answers with the status 404.' })
  receiver.answerWith((response) => void response.writeHead(302, { location: 'http://10.0.0.1' }).end())
  const redirected = (await admin.call(alert.test, { ruleId })).data.delivery
  expect(redirected.error).toBe('It redirects with the status 302, and that is not followed.')
  receiver.answerWith((response) => void response.destroy())
  expect((await admin.call(alert.test, { ruleId })).data.delivery.error).toBe('It hangs up.')
  const codes: number[] = []
  for (let at = 0; at < 12; at++) codes.push((await admin.call(alert.test, { ruleId })).code)
  expect(codes).toContain(CODES.TooManyAttempts.code)
  const sent = receiver.received.length
  app.clock.advance(24 * HOURS)
  await pass()
  expect(receiver.received).toHaveLength(sent)
})

test('who is named is mailed, with the facts and without a webhook', async () => {
  const app = await startApp({ BOATHOUSE_PUBLIC_URL: 'https://boathouse.example' })
  const admin = await app.admin()
  const ada = await app.user()
  await app.store.pool.query('update users set email = $1 where name = $2', ['ada@example.com', ada.name])
  const { data } = await admin.call(alert.create, {
    name: 'failures',
    event: 'statement.failed',
    users: [ada.name],
  })
  expect(data).toMatchObject({ secret: null, rule: { users: [ada.name], url: '' } })
  await noted(app, { queryId: 'q1', message: 'no such table', warehouse: null })
  await app.alerts.passOn()
  const [mail] = await app.mails.outbox()
  expect(mail).toMatchObject({ to: 'ada@example.com', kind: 'alert' })
  for (const text of ['A statement failed', 'Query ID: q1', 'Message: no such table', 'alert rule failures'])
    expect(mail?.text).toContain(text)
  expect(mail?.text).not.toContain('Warehouse')
  const { ruleId } = data.rule
  const [delivery] = (await admin.call(alert.deliveries, { ruleId })).data.deliveries
  expect(delivery).toMatchObject({ state: 'mailed', mailedTo: 1, attempts: 0 })
  const again = await admin.call(alert.redeliver, { deliveryId: delivery?.deliveryId ?? '' })
  expect(again.code).toBe(CODES.Conflict.code)
})

test('what waits is not sent by a rule that was turned off, and goes with a rule that is deleted', async () => {
  const { app, admin, receiver, rule, pass, log } = await withHook()
  await noted(app, {})
  await app.alerts.passOn()
  await admin.call(alert.update, { ...rule, enabled: false })
  await pass()
  expect(receiver.received).toHaveLength(0)
  expect(await log()).toMatchObject([{ state: 'failed', error: expect.stringContaining('turned off') }])
  await admin.call(alert.delete, { ruleId: rule.ruleId })
  const { rows } = await app.store.pool.query('select from alert_deliveries')
  expect(rows).toEqual([])
  const { entries } = (await admin.call(audit.list, { limit: 10 })).data
  expect(entries.filter(({ objectType }) => objectType === 'alert rule').map(({ action }) => action)).toEqual(
    ['alert.delete', 'alert.update', 'alert.create'],
  )
})

test('pages of the log follow one another, newest first', async () => {
  const { app, admin, rule } = await withHook()
  await noted(app, {}, 5)
  await app.alerts.passOn()
  const page = async (cursor: string | null) =>
    (await admin.call(alert.deliveries, { ruleId: rule.ruleId, cursor, limit: 2 })).data
  const first = await page(null)
  const second = await page(first.nextCursor)
  const last = await page(second.nextCursor)
  expect(last.nextCursor).toBeNull()
  const seen = [first, second, last].flatMap(({ deliveries }) => deliveries.map((one) => one.deliveryId))
  expect(seen).toHaveLength(5)
  expect(seen).toEqual(seen.toSorted().toReversed())
})

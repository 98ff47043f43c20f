import {
  CODES,
  editor,
  LIMITS,
  MESSAGE_TYPES,
  query,
  schedule as calls,
  user as userCalls,
} from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../testing/fake-clock.ts'
import { savedQuery, setUpSchedules } from '../../testing/schedule-kit.ts'
import { sharedApp, type TestUser } from '../../testing/start-app.ts'
import { OPERATOR } from '../audit/author.ts'
import { done } from '../../testing/view-kit.ts'

/** For refusals, which leave nothing behind but queries. */
const shared = sharedApp()

const DRAFT = { cron: '*/5 * * * *', timeZone: 'UTC' }

const codeOf = async (answer: Promise<{ code: number }>): Promise<number> => (await answer).code

test('nobody schedules, sees, runs, pauses or deletes what is of somebody else', async () => {
  const { app, admin, schedule } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats')
  const { scheduleId, tabId } = own
  const others: TestUser[] = [await app.user(), await app.stranger(['account_admin'])]
  for (const other of others) {
    expect(await codeOf(other.call(calls.save, { ...DRAFT, tabId }))).toBe(CODES.NotFound.code)
    expect(await codeOf(other.call(calls.find, { tabId }))).toBe(CODES.NotFound.code)
    expect(await codeOf(other.call(calls.runs, { scheduleId }))).toBe(CODES.NotFound.code)
    expect(await codeOf(other.call(calls.run, { scheduleId }))).toBe(CODES.NotFound.code)
    expect(await codeOf(other.call(calls.pause, { scheduleId, paused: true }))).toBe(CODES.NotFound.code)
    expect(await codeOf(other.call(calls.delete, { scheduleId }))).toBe(CODES.NotFound.code)
    expect((await other.call(calls.list, {})).data.schedules).toEqual([])
  }
  expect((await admin.call(calls.find, { tabId })).data.schedule).toEqual(own)
})

test('saved twice in one moment, a query has one schedule', async () => {
  const { admin } = await setUpSchedules()
  const tabId = await savedQuery(admin, 'SELECT 1 AS a')
  const saved = await Promise.all(
    Array.from({ length: 5 }, () => admin.call(calls.save, { ...DRAFT, tabId })),
  )
  expect(saved.map(({ message }) => message)).toEqual(['', '', '', '', ''])
  expect((await admin.call(calls.list, {})).data.schedules).toHaveLength(1)
})

test('an account administrator sees, pauses and deletes schedules of others, and does not run or resume them', async () => {
  const { app, admin, schedule } = await setUpSchedules()
  const ada = await app.user()
  const { scheduleId } = await schedule(ada, 'SELECT 1 AS a')
  expect((await admin.call(calls.list, {})).data.schedules).toMatchObject([{ owner: ada.name, isOwn: false }])
  expect(await codeOf(admin.call(calls.run, { scheduleId }))).toBe(CODES.NoPermission.code)
  expect(await codeOf(admin.call(calls.pause, { scheduleId, paused: true }))).toBe(CODES.Ok.code)
  expect(await codeOf(admin.call(calls.pause, { scheduleId, paused: false }))).toBe(CODES.NoPermission.code)
  expect(await codeOf(admin.call(calls.delete, { scheduleId }))).toBe(CODES.Ok.code)
  expect((await ada.call(calls.list, {})).data.schedules).toEqual([])
})

test.each([
  [{ cron: '61 * * * *' }, '61 is not a minute. It is between 0 and 59.'],
  [{ cron: 'daily' }, 'Write five fields'],
  [{ cron: '0 0 31 2 *' }, 'There is no such day'],
  [{ timeZone: 'Nowhere/Land' }, 'Choose a time zone'],
  [{ condition: { kind: 'above' as const } }, 'Enter the name of a column.'],
  [{ users: ['nobody at all'] }, 'There is no user nobody at all'],
  [{ quietMinutes: LIMITS.quietMinutesMax + 1 }, ''],
  [{ url: 'http://127.0.0.1/hook' }, 'Nothing can be sent to this webhook URL'],
])('%j is refused', async (wrong, message) => {
  const admin = await (await shared()).admin()
  const tabId = await savedQuery(admin, 'SELECT 1')
  const refused = await admin.call(calls.save, { ...DRAFT, ...wrong, tabId })
  expect([refused.code, refused.message]).toEqual([CODES.BadInput.code, expect.stringContaining(message)])
  expect((await admin.call(calls.find, { tabId })).data.schedule).toBeNull()
})

test.each([
  ['', 'has no statement'],
  ['SELECT 1; INSERT INTO boats VALUES (2)', 'A scheduled query only reads, and INSERT does not'],
  ['DROP TABLE boats', 'A scheduled query only reads'],
  ['EXPLAIN ANALYZE DELETE FROM boats', 'A scheduled query only reads'],
  ['GRANT db_admin TO admin', 'A scheduled query only reads'],
  ['SELECT * FROM boats WHERE a > :least', 'The parameter least has no value'],
])('%j is not scheduled', async (sql, message) => {
  const admin = await (await shared()).admin()
  const tabId = await savedQuery(admin, sql)
  const refused = await admin.call(calls.save, { ...DRAFT, tabId })
  expect([refused.code, refused.message]).toEqual([CODES.BadInput.code, expect.stringContaining(message)])
})

test('a warehouse of another account is refused, and one that does not exist', async () => {
  const admin = await (await shared()).admin()
  const tabId = await savedQuery(admin, 'SELECT 1')
  const warehouseId = '00000000-0000-4000-8000-000000000000'
  expect(await codeOf(admin.call(calls.save, { ...DRAFT, tabId, warehouseId }))).toBe(CODES.NotFound.code)
})

test('it runs when it is due, once each time, and what was missed is run once', async () => {
  const { app, admin, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats; SELECT a + 1 AS b FROM boats')
  const dueAt = own.nextRunAt ?? ''
  expect(new Date(dueAt).getTime()).toBeGreaterThan(app.clock.now().getTime())
  expect(await runsOf(admin, own)).toEqual([])
  await pass(5)
  const [run] = await runsOf(admin, own)
  expect(run).toMatchObject({ dueAt, state: 'success', rows: 1, error: '', met: null, notified: false })
  // The same time is never run twice, whatever the schedule says of its next one.
  await app.store.db
    .updateTable('query_schedules')
    .set({ next_run_at: new Date(dueAt) })
    .execute()
  await pass(0)
  expect(await runsOf(admin, own)).toHaveLength(1)
  await pass(60)
  expect(await runsOf(admin, own), 'one for all that was missed').toHaveLength(2)
  const { data } = await admin.call(calls.list, {})
  expect(data.schedules[0]).toMatchObject({ queryName: 'boats', lastRun: { state: 'success' } })
  expect(new Date(data.schedules[0]?.nextRunAt ?? '').getTime()).toBeGreaterThan(app.clock.now().getTime())
})

test('the remembered values of its parameters are bound', async () => {
  const { app, admin, schedule, pass, runsOf } = await setUpSchedules()
  const least = { name: 'least', kind: 'number' as const, value: ['1'] }
  const { data } = await admin.call(editor.createTab, {
    tabName: 'bound',
    sql: 'SELECT a FROM boats WHERE a >= :least',
    parameters: [least],
  })
  const own = await schedule(admin, '', { tabId: data.tabId })
  await pass(5)
  await admin.call(editor.updateTabParameters, {
    tabId: data.tabId,
    parameters: [{ ...least, value: ['2'] }],
  })
  await pass(5)
  expect((await runsOf(admin, own)).map(({ rows }) => rows)).toEqual([0, 1])
  const kept = await app.store.db.selectFrom('query_schedule_runs').select(['sql', 'bound_values']).execute()
  expect(kept.every((row) => row.sql === '' && row.bound_values === null)).toBe(true)
})

test('it is paused, resumed, run at once and deleted', async () => {
  const { app, admin, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats')
  const { scheduleId, tabId } = own
  await admin.call(calls.pause, { scheduleId, paused: true })
  await pass(30)
  expect(await runsOf(admin, own)).toEqual([])
  expect((await admin.call(calls.find, { tabId })).data.schedule).toMatchObject({
    paused: true,
    nextRunAt: null,
  })
  const { data } = await admin.call(calls.run, { scheduleId })
  expect(data.run).toMatchObject({ dueAt: null, state: 'pending' })
  await app.schedules.idle()
  expect(await runsOf(admin, own)).toMatchObject([{ runId: data.run.runId, state: 'success' }])
  await admin.call(calls.pause, { scheduleId, paused: false })
  await pass(0)
  expect(await runsOf(admin, own), 'nothing of the pause is made up for').toHaveLength(1)
  await pass(5)
  expect(await runsOf(admin, own)).toHaveLength(2)
  await admin.call(calls.delete, { scheduleId })
  await pass(30)
  expect((await admin.call(calls.list, {})).data.schedules).toEqual([])
  expect(await codeOf(admin.call(editor.tabDetail, { tabId })), 'its query stays').toBe(CODES.Ok.code)
})

test('saving again changes the one schedule of a query', async () => {
  const { admin, schedule } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT 1')
  const daily = { cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin', tabId: own.tabId }
  expect((await admin.call(calls.save, daily)).data.schedule).toMatchObject({
    scheduleId: own.scheduleId,
    cron: '0 9 * * 1-5',
    timeZone: 'Europe/Berlin',
  })
  expect((await admin.call(calls.list, {})).data.schedules).toHaveLength(1)
})

test('one that still runs is not started again, and a run that a server left is run once', async () => {
  const { app, admin, schedule, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats')
  app.engines.hold()
  for (let time = 0; time < 2; time++) {
    app.clock.advance(5 * MINUTES)
    await app.schedules.runDue()
  }
  expect(await codeOf(admin.call(calls.run, { scheduleId: own.scheduleId }))).toBe(CODES.Conflict.code)
  app.engines.release()
  await app.schedules.idle()
  const [run, ...more] = await runsOf(admin, own)
  expect([run?.state, more]).toEqual(['success', []])
  // As if this server had ended before it wrote how that went.
  const text = 'SELECT a FROM boats'
  await app.store.db
    .updateTable('query_schedule_runs')
    .set({ state: 'running', ended_at: null, sql: text, query_id: null })
    .execute()
  await app.schedules.recover()
  await app.schedules.idle()
  expect(await runsOf(admin, own)).toMatchObject([{ state: 'success', queryId: run?.queryId, rows: 1 }])
  const ran = await app.store.db.selectFrom('statements').select('query_id').where('sql', '=', text).execute()
  expect(ran, 'it ran once').toHaveLength(1)
})

test('it runs with the privileges that its owner has by then; the owner is notified of a failure by message and mail', async () => {
  const set = await setUpSchedules()
  const { app, admin, schedule, pass, runsOf } = set
  const ada = await app.user()
  await app.store.db
    .updateTable('users')
    .set({ email: 'ada@example.com' })
    .where('name', '=', ada.name)
    .execute()
  await done(set.run, `GRANT SELECT ON boats TO ${ada.name}`)
  const own = await schedule(ada, 'SELECT a FROM boats')
  await pass(5)
  await done(set.run, `REVOKE SELECT ON boats FROM ${ada.name}`)
  await pass(5)
  expect(await runsOf(ada, own)).toMatchObject([
    { state: 'failed', error: expect.stringContaining('SELECT on TABLE') },
    { state: 'success' },
  ])
  await app.alerts.passOn()
  const { messages } = (await ada.call(userCalls.listUnreadMessages, {})).data
  expect(messages.map(({ type }) => type)).toEqual([MESSAGE_TYPES.ScheduleFailed])
  const [mail, ...others] = (await app.mails.outbox()).filter(({ to }) => to === 'ada@example.com')
  expect([mail?.subject, others]).toEqual([expect.stringContaining('A scheduled query failed'), []])
  expect((await admin.call(userCalls.listUnreadMessages, {})).data.messages, 'nobody else').toEqual([])
})

test('what its query has become is not run, and is a failure; in the bin it is not there', async () => {
  const { admin, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats')
  const { tabId, scheduleId } = own
  const { revision } = (await admin.call(editor.tabDetail, { tabId })).data
  await admin.call(editor.updateSql, { tabId, sql: 'DELETE FROM boats', revision })
  await pass(5)
  expect(await runsOf(admin, own)).toMatchObject([
    { state: 'failed', queryId: null, error: expect.stringContaining('only reads') },
  ])
  await admin.call(editor.deleteTabs, { tabIds: [tabId] })
  await pass(60)
  expect((await admin.call(calls.list, {})).data.schedules).toEqual([])
  expect(await codeOf(admin.call(calls.runs, { scheduleId }))).toBe(CODES.NotFound.code)
  await admin.call(editor.restoreTab, { tabId })
  expect(await runsOf(admin, own)).toHaveLength(1)
})

test('it takes no numbers of a sequence', async () => {
  const { app, admin, run, schedule } = await setUpSchedules()
  await done(run, 'CREATE SEQUENCE moorings')
  const { scheduleId } = await schedule(admin, `SELECT nextval('moorings') AS a`)
  await admin.call(calls.run, { scheduleId })
  await app.schedules.idle()
  const [ended] = (await admin.call(calls.runs, { scheduleId })).data.runs
  expect(ended).toMatchObject({ state: 'failed', error: expect.stringContaining('only reads') })
  expect((await run(`SELECT nextval('moorings')`)).result).toEqual([['1']])
})

test('in a frozen account nothing runs, and after that it does again', async () => {
  const { app, admin, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats')
  await app.accountLife.freeze(app.accountId, OPERATOR)
  await app.accountLife.advance()
  await pass(5)
  await app.accountLife.resume(app.accountId, OPERATOR)
  await app.accountLife.advance()
  const [refused] = await runsOf(admin, own)
  expect(refused).toMatchObject({ state: 'failed', rows: null })
  const ran = (await admin.call(query.history, { text: 'SELECT a FROM boats' })).data.entries
  expect(ran.filter(({ state }) => state === 'finished')).toEqual([])
  await pass(5)
  expect((await runsOf(admin, own))[0]).toMatchObject({ state: 'success' })
})

test('nothing of a user is left when they are removed', async () => {
  const { app, run, schedule, pass } = await setUpSchedules()
  const ada = await app.user()
  await schedule(ada, 'SELECT 1')
  await done(run, `DROP USER ${ada.name}`)
  await pass(5)
  expect(await app.store.db.selectFrom('query_schedules').select('schedule_id').execute()).toEqual([])
  expect(await app.store.db.selectFrom('query_schedule_runs').select('run_id').execute()).toEqual([])
})

test('a user has so many schedules, and a schedule so many runs', async () => {
  const { app, admin, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT 1')
  await app.store.pool.query(
    `insert into query_schedule_runs (run_id, schedule_id, account_id, user_id, sql, catalog, state, created_at, ended_at)
     select gen_random_uuid(), schedule_id, account_id, user_id, '', '', 'success', created_at, created_at
     from query_schedules, generate_series(1, $1)`,
    [LIMITS.scheduleRuns + 20],
  )
  await pass(5)
  const { total } = (await admin.call(calls.runs, { scheduleId: own.scheduleId })).data
  expect(total).toBe(LIMITS.scheduleRuns)
  expect((await runsOf(admin, own))[0]?.dueAt).not.toBeNull()
  for (let count = 1; count < LIMITS.schedulesPerUser; count++) await schedule(admin, 'SELECT 1')
  const tabId = await savedQuery(admin, 'SELECT 1')
  expect(await codeOf(admin.call(calls.save, { ...DRAFT, tabId }))).toBe(CODES.LimitReached.code)
})

test('a run is in the history, for its owner', async () => {
  const { app, admin, schedule, pass, runsOf } = await setUpSchedules()
  const own = await schedule(admin, 'SELECT a FROM boats')
  await pass(5)
  const [run] = await runsOf(admin, own)
  const queryId = run?.queryId ?? ''
  expect(await codeOf(admin.call(query.detail, { queryId }))).toBe(CODES.Ok.code)
  expect(await codeOf((await app.user()).call(query.detail, { queryId }))).toBe(CODES.NotFound.code)
})

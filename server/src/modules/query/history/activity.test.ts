import { randomUUID } from 'node:crypto'
import { CODES, query, QUERY_STATES, type QueryRsp, type RunningStatement } from '@boathouse/contract'
import { expect, test, vi } from 'vitest'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'
import type { TestChannel } from '../../../testing/test-channel.ts'

/** Sends it without waiting for its end. */
function begin(channel: TestChannel, sql: string, connId = 0): string {
  const requestId = randomUUID()
  channel.send({ cmd: 2, queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql } })
  return requestId
}

const only = ([answer]: readonly QueryRsp[]): QueryRsp => {
  if (!answer) throw new Error('There is no answer.')
  return answer
}

const runningOf = async (user: TestUser): Promise<readonly RunningStatement[]> =>
  (await user.call(query.running, {})).data.entries

/** For a machine that has other things to do. */
const PATIENTLY = { timeout: 10_000 }

/** Those that run now, when there are so many. */
const whenRunning = (user: TestUser, count: number) =>
  vi.waitFor(async () => {
    const entries = await runningOf(user)
    expect(entries).toHaveLength(count)
    return entries
  }, PATIENTLY)

const listed = async (user: TestUser, filter: object): Promise<string[]> => {
  const { code, message, data } = await user.call(query.history, { endedOnly: true, ...filter })
  if (code !== CODES.Ok.code) throw new Error(message)
  return data.entries.map(({ sql }) => sql)
}

/** A row of the history as if it had run, so many seconds long. */
async function past(app: TestApp, row: Record<string, unknown> & { seconds?: number }): Promise<void> {
  const { seconds = 0, ...rest } = row
  const at = (rest['accepted_at'] as Date | undefined) ?? app.clock.now()
  await app.store.db
    .insertInto('statements')
    .values({
      query_id: randomUUID(),
      account_id: app.accountId,
      user_id: randomUUID(),
      user_name: 'somebody',
      request_id: randomUUID(),
      statement_index: 0,
      statement_count: 1,
      door: 'channel',
      sql: 'SELECT 1',
      kind: 'select',
      state: 'finished',
      accepted_at: at,
      started_at: at,
      ended_at: new Date(at.getTime() + seconds * 1000),
      ...rest,
    })
    .execute()
}

const aWarehouse = (app: TestApp, warehouse_id: string, name: string) =>
  app.store.db
    .insertInto('warehouses')
    .values({
      warehouse_id,
      account_id: app.accountId,
      name,
      size: 'X-Small',
      auto_resume: true,
      status: 'Suspended',
      created_by: 'test',
      created_at: app.clock.now(),
    })
    .execute()

test('the history is narrowed by user, warehouse, state, door, time and text, alone and together [ACT-01]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const etl = randomUUID()
  await aWarehouse(app, etl, 'etl')
  const old = new Date(app.clock.now().getTime() - 60 * MINUTES)
  await past(app, { sql: 'SELECT 1 -- ada', user_name: 'ada', warehouse_id: etl })
  await past(app, { sql: 'SELECT 100% -- bob', user_name: 'bob', warehouse_id: etl, state: 'failed' })
  await past(app, { sql: 'select a_b -- old', user_name: 'bob', door: 'mysql', accepted_at: old })
  expect(await listed(admin, {})).toHaveLength(3)
  expect(await listed(admin, { user: 'ada' })).toEqual(['SELECT 1 -- ada'])
  expect(await listed(admin, { warehouse: 'etl', user: 'bob' })).toEqual(['SELECT 100% -- bob'])
  expect(await listed(admin, { warehouse: 'ETL' })).toHaveLength(2)
  expect(await listed(admin, { warehouse: etl })).toHaveLength(2)
  expect(await listed(admin, { warehouse: 'gone' })).toEqual([])
  expect(await listed(admin, { state: 'failed' })).toEqual(['SELECT 100% -- bob'])
  expect(await listed(admin, { state: 'failed', user: 'ada' })).toEqual([])
  expect(await listed(admin, { door: 'mysql' })).toEqual(['select a_b -- old'])
  expect(await listed(admin, { until: app.clock.now().toISOString() })).toEqual(['select a_b -- old'])
  // The same moment by another clock.
  const local = `${new Date(old.getTime() + 120 * MINUTES).toISOString().slice(0, -1)}+02:00`
  expect(await listed(admin, { from: local, door: 'mysql' })).toHaveLength(1)
  expect(await listed(admin, { text: 'SELECT' })).toHaveLength(3)
  expect(await listed(admin, { text: '100%' })).toHaveLength(1)
  expect(await listed(admin, { text: 'a_b' })).toHaveLength(1)
  expect(await listed(admin, { text: 'axb' })).toEqual([])
  await past(app, { sql: "SELECT 'Dépôt (ÄRA) 🚣'" })
  for (const text of ['dÉPÔT', 'ära)', 'T (Ä', '🚣']) expect(await listed(admin, { text })).toHaveLength(1)
  for (const text of ['depot', 'd.pô', '(ÄRA|x)']) expect(await listed(admin, { text })).toEqual([])
  expect(await listed(admin, { text: `'; drop table statements --` })).toEqual([])
})

test('short is under 10 s, medium 10 s to 10 min, long over 10 min [ACT-03, ACT-04, ACT-05]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  for (const seconds of [0, 9.999, 10, 600, 600.001, 7200]) await past(app, { sql: `${seconds}`, seconds })
  expect((await listed(admin, { duration: 'short' })).sort()).toEqual(['0', '9.999'])
  expect((await listed(admin, { duration: 'medium' })).sort()).toEqual(['10', '600'])
  expect((await listed(admin, { duration: 'long' })).sort()).toEqual(['600.001', '7200'])
})

test('a statement is found by its own id and by that of its request', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const ids = { query_id: randomUUID(), request_id: 'request-of-mine' }
  await past(app, { sql: 'SELECT 7', ...ids })
  await past(app, {})
  for (const text of [ids.query_id, ids.request_id])
    expect(await listed(admin, { text })).toEqual(['SELECT 7'])
})

test.each([
  [{ state: 'gone' }],
  [{ duration: 'eternal' }],
  [{ door: 'window' }],
  [{ from: 'yesterday' }],
  [{ from: '2026-02-31T25:00:00Z' }],
  [{ from: '2026-03-01T09:00:00' }],
  [{ text: '   ' }],
  [{ text: 'x'.repeat(257) }],
  [{ after: 'beyond' }],
  [{ limit: 0 }],
])('a filter that makes no sense is refused: %j', async (filter) => {
  const app = await startApp()
  const { code } = await (await app.admin()).call(query.history, filter as object)
  expect(code).toBe(CODES.BadInput.code)
})

test('a page behind the last one is empty, and so is a filter that matches nothing', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await past(app, {})
  const after = `0_${randomUUID()}`
  expect((await admin.call(query.history, { after })).data).toEqual({
    entries: [],
    next: null,
    searchedTo: null,
  })
  expect(await listed(admin, { warehouse: 'nowhere', state: 'interrupted', text: 'x' })).toEqual([])
})

test('of an hour that clocks show twice, each is found separately', async () => {
  const app = await startApp()
  const admin = await app.admin()
  for (const at of ['2026-10-25T00:45:00Z', '2026-10-25T01:45:00Z'])
    await past(app, { sql: at, accepted_at: new Date(at) })
  const first = { from: '2026-10-25T02:30:00+02:00', until: '2026-10-25T02:30:00+01:00' }
  expect(await listed(admin, first)).toEqual(['2026-10-25T00:45:00Z'])
  expect(await listed(admin, { from: first.until })).toEqual(['2026-10-25T01:45:00Z'])
  expect(await listed(admin, { from: first.until, until: first.from })).toEqual([])
})

test('a search without an index reads a bounded part at a time, and continues from there', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await app.store.pool.query(
    `insert into statements (query_id, account_id, user_id, user_name, request_id, statement_index, statement_count,
       door, sql, kind, state, accepted_at, started_at, ended_at)
     select gen_random_uuid(), $1, gen_random_uuid(), 'ada', 'request-' || n, 0, 1, 'channel',
       case n when 1 then 'SELECT needle' else 'SELECT ' || n end, 'select', 'finished',
       $2::timestamptz - (12500 - n) * interval '1 s', $2, $2 from generate_series(1, 12500) n`,
    [app.accountId, app.clock.now()],
  )
  const found: string[] = []
  const pages: number[] = []
  let after: string | undefined
  do {
    const { data } = await admin.call(query.history, { text: 'needle', ...(after ? { after } : {}) })
    found.push(...data.entries.map(({ sql }) => sql))
    pages.push(data.entries.length)
    expect(data.searchedTo === null).toBe(data.next === null)
    after = data.next ?? undefined
  } while (after)
  expect([found, pages]).toEqual([['SELECT needle'], [0, 0, 1]])
})

test('running statements are listed with their progress and their place in the queue, to users who may see them', async () => {
  const app = await startApp()
  const [admin, other] = [await app.admin(), await app.user(['db_admin'])]
  const channel = await admin.channel()
  await channel.run('SELECT 1')
  app.engines.hold()
  for (let n = 0; n < 6; n++) begin(channel, 'SELECT 2')
  const entries = await whenRunning(admin, 6)
  await expect
    .poll(async () => (await runningOf(admin)).map(({ queuePlace }) => queuePlace).filter(Boolean))
    .toEqual([1, 2])
  expect(entries[0]).toMatchObject({ user: 'admin', sql: 'SELECT 2', warehouse: 'default_warehouse' })
  expect((await runningOf(admin)).map(({ waitsFor }) => waitsFor)).toEqual(
    Array.from({ length: 6 }, (_, index) => (index < 4 ? null : 'slot')),
  )
  expect(await listed(admin, { text: 'SELECT 2' })).toEqual([])
  expect(await runningOf(other)).toEqual([])
  expect(await runningOf(await app.user(['account_admin']))).toHaveLength(6)
  expect(await runningOf(await app.stranger(['account_admin']))).toEqual([])
  app.engines.release()
})

test('open consoles are notified when statements start and end', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [channel, watching] = [await admin.channel(), await (await app.user()).channel()]
  await channel.run('SELECT 1')
  const event = await watching.hear((message) =>
    message.cmd === 3 && message.type === 'GlobalEventTypeActivityChanged' ? message : undefined,
  )
  expect(event).toMatchObject({ seq: 0, data: {} })
})

test('what runs is stopped by who sent it, by an account administrator and by who may suspend its warehouse', async () => {
  const app = await startApp()
  const sender = await app.user(['db_admin'])
  const channel = await sender.channel()
  await channel.run('SELECT 1')
  const stoppedBy = async (killer: TestUser): Promise<string> => {
    app.engines.hold()
    const requestId = begin(channel, 'SELECT 2')
    const [entry] = await whenRunning(sender, 1)
    const { data } = await killer.call(query.kill, { queryId: entry?.queryId ?? '' })
    expect(data).toEqual({ stopped: true })
    const [answer] = await channel.finalAnswers(requestId)
    app.engines.release()
    expect(answer).toMatchObject({ queryState: QUERY_STATES.Failed, errCode: CODES.Cancelled.code })
    return answer?.errMsg ?? ''
  }
  expect(await stoppedBy(sender)).toBe('Stopped at your request.')
  const [boss, operator] = [await app.user(['account_admin']), await app.user(['cluster_admin'])]
  expect(await stoppedBy(boss)).toBe(`Stopped by ${boss.name}.`)
  expect(await stoppedBy(operator)).toBe(`Stopped by ${operator.name}.`)
  expect(await listed(boss, { state: 'cancelled' })).toHaveLength(3)
})

/** The kills in the audit log of the account, oldest first. */
async function killsIn(app: TestApp): Promise<{ action: string; by: string; of: string; before: unknown }[]> {
  const { rows } = await app.store.pool.query<{ entry: string }>(
    'select entry from audit_entries order by number',
  )
  return rows
    .map(({ entry }) => JSON.parse(entry))
    .filter(({ action }) => action.endsWith('.kill'))
    .map(({ action, by, object, before }) => ({ action, by: by.name, of: object.id, before }))
}

test('stopping a statement of another user is recorded in the audit log, and stopping your own is not', async () => {
  const app = await startApp()
  const [sender, boss] = [await app.user(['db_admin']), await app.user(['account_admin'])]
  const [channel, other] = [await sender.channel(), await boss.channel()]
  const connId = only(await channel.run('SELECT 1')).connId
  const ids: string[] = []
  for (const killer of [sender, boss]) {
    app.engines.hold()
    const requestId = begin(channel, 'SELECT 2', connId)
    const [entry] = await whenRunning(sender, 1)
    ids.push(entry?.queryId ?? '')
    await killer.call(query.kill, { queryId: entry?.queryId ?? '' })
    await channel.finalAnswers(requestId)
    app.engines.release()
  }
  // It has ended, so there is nothing to record.
  await boss.call(query.kill, { queryId: ids[1] ?? '' })
  await other.run(`KILL ${connId}`)
  expect(await killsIn(app)).toEqual([
    { action: 'statement.kill', by: boss.name, of: ids[1], before: { user: sender.name } },
    { action: 'connection.kill', by: boss.name, of: String(connId), before: null },
  ])
})

test('nobody else sees or stops it, and what has ended is not stopped', async () => {
  const app = await startApp()
  const sender = await app.user(['db_admin'])
  const channel = await sender.channel()
  const [done] = await channel.run('SELECT 1')
  app.engines.hold()
  begin(channel, 'SELECT 2')
  const [entry] = await whenRunning(sender, 1)
  const queryId = entry?.queryId ?? ''
  for (const stranger of [
    await app.user(['db_admin', 'user_admin']),
    await app.stranger(['account_admin']),
  ]) {
    expect((await stranger.call(query.kill, { queryId })).code).toBe(CODES.NotFound.code)
    expect((await stranger.call(query.detail, { queryId })).code).toBe(CODES.NotFound.code)
  }
  expect((await sender.call(query.kill, { queryId: randomUUID() })).code).toBe(CODES.NotFound.code)
  expect((await sender.call(query.kill, { queryId: done?.queryId ?? '' })).data).toEqual({ stopped: false })
  app.engines.release()
})

test('what runs in a warehouse is shown to who may suspend it, and to nobody else', async () => {
  const app = await startApp()
  const sender = await app.user(['db_admin'])
  const channel = await sender.channel()
  await channel.run('SELECT 1')
  app.engines.hold()
  begin(channel, 'SELECT 2')
  await whenRunning(sender, 1)
  const operator = await app.user(['cluster_admin'])
  const warehouseId = (await app.warehouses.idOf(app.accountId, 'default_warehouse')) ?? ''
  const { entries } = (await operator.call(query.running, { warehouseId })).data
  expect(entries.map(({ user }) => user)).toEqual([sender.name])
  expect((await sender.call(query.running, { warehouseId })).code).toBe(CODES.NotFound.code)
  const foreign = await app.stranger(['cluster_admin'])
  expect((await foreign.call(query.running, { warehouseId })).code).toBe(CODES.NotFound.code)
  app.engines.release()
})

test('the detail has what is kept, where the error is and the other runs of the same text [ACT-02]', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const [admin, boss] = [await app.admin(), await app.user(['account_admin'])]
  const channel = await admin.channel()
  const ids: string[] = []
  for (const sql of ['SELECT 41 + 1', 'SELECT 41 + 1', 'SELECT nowhere', 'SELECT 43'])
    ids.push((await channel.run(sql))[0]?.queryId ?? '')
  const detailOf = async (user: TestUser, index: number) =>
    (await user.call(query.detail, { queryId: ids[index] ?? '' })).data
  const own = await detailOf(admin, 1)
  expect(own.kept).toMatchObject({ rows: 1, columns: 1, complete: true })
  expect(own.runs.map(({ queryId }) => queryId)).toEqual([ids[1], ids[0]])
  expect(await detailOf(boss, 1)).toMatchObject({ kept: null, runs: [{ user: 'admin' }, { user: 'admin' }] })
  expect(await detailOf(admin, 2)).toMatchObject({ errorOffset: 7, entry: { state: 'failed' } })

  // What an EXPLAIN answers is written down whole; one that is longer than a cell comes in lines.
  const many = Array.from({ length: 40 }, (_, n) => `SELECT ${n} FROM range(${n})`).join(' UNION ALL ')
  for (const sql of ['SELECT 41', many]) {
    const answer = only(await channel.run(`EXPLAIN ${sql}`))
    ids.push(answer.queryId)
    const { plan, entry } = await detailOf(admin, ids.length - 1)
    expect([entry.kind, answer.longCells]).toEqual(['explain', []])
    expect(answer.fields).toHaveLength(sql === many ? 1 : 2)
    expect(plan).toBe(answer.result.map((row) => row.at(-1)).join('\n'))
    expect(plan).toContain('└─')
  }
  expect((await detailOf(admin, 0)).plan).toBeNull()
})

test('SHOW PROCESSLIST lists what runs, and KILL stops it or ends its connection', async () => {
  const app = await startApp()
  const [admin, other] = [await app.admin(), await app.user(['db_admin'])]
  const [channel, second] = [await admin.channel(), await other.channel()]
  const { connId } = only(await second.run('SELECT 1'))
  // Its end is sent before it is recorded.
  await whenRunning(other, 0)
  app.engines.hold()
  const requestId = begin(second, `SELECT /* ${'x'.repeat(200)} */ 2`, connId)
  await whenRunning(other, 1)
  const list = only(await channel.run('SHOW PROCESSLIST'))
  expect(list.fields.map(({ name }) => name).slice(0, 8)).toEqual(
    'Id User Host Db Command Time State Info'.split(' '),
  )
  const [row, itself] = list.result
  expect(row?.slice(0, 2)).toEqual([String(connId), other.name])
  expect(row?.[7]).toHaveLength(100)
  expect(itself?.[7]).toBe('SHOW PROCESSLIST')
  expect(only(await channel.run('SHOW FULL PROCESSLIST')).result[0]?.[7]).toHaveLength(215)
  await channel.run(`KILL QUERY ${connId}`)
  expect(only(await second.finalAnswers(requestId)).errMsg).toBe('Stopped by admin.')
  app.engines.release()
  expect(only(await second.run('SELECT 3', { connId, oriConnId: connId })).queryState).toBe(
    QUERY_STATES.Finished,
  )
  expect(only(await channel.run(`KILL ${connId}`)).queryState).toBe(QUERY_STATES.Finished)
  expect(only(await channel.run(`KILL CONNECTION ${connId}`)).errMsg).toContain('There is no connection')
})

test('nobody ends the connection of somebody else, or sees it', async () => {
  const app = await startApp()
  const admin = await (await app.admin()).channel()
  const { connId } = only(await admin.run('SELECT 1'))
  for (const somebody of [await app.user(['db_admin']), await app.stranger(['account_admin'])]) {
    const channel = await somebody.channel()
    expect(only(await channel.run(`KILL ${connId}`)).errMsg).toContain('There is no connection')
    expect(only(await channel.run(`KILL QUERY ${connId}`)).errMsg).toContain('There is no connection')
    expect(only(await channel.run('SHOW PROCESSLIST')).result).toHaveLength(1)
  }
  expect(only(await admin.run('SELECT 1', { connId, oriConnId: connId })).connId).toBe(connId)
  expect(only(await admin.run('KILL me')).errMsg).toContain('Write KILL')
  expect(only(await admin.run(`KILL ${connId}`, { connId, oriConnId: connId })).errMsg).toContain(
    'your own connection',
  )
})

test('pain 28: what a statement cost before is shown by those of its finished runs that the user may see', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const analyst = await app.user()
  const sql = 'SELECT 1'
  const channel = await analyst.channel()
  await channel.run(sql)
  await past(app, { sql, seconds: 2 })
  await past(app, { sql, seconds: 90, state: 'failed' })
  await past(app, { sql: `${sql} -- another`, seconds: 7 })
  const runsOf = async (user: TestUser) => (await user.call(query.earlierRuns, { sql })).data.runs
  expect((await runsOf(admin)).map(({ seconds }) => Math.floor(seconds))).toEqual([2, 0])
  expect(await runsOf(analyst)).toEqual([
    expect.objectContaining({ rows: expect.any(Number), seconds: expect.any(Number) }),
  ])
  expect(await runsOf(await app.stranger())).toEqual([])
  const later = (minutes: number) => new Date(app.clock.now().getTime() + minutes * MINUTES)
  for (let run = 1; run <= 20; run++) await past(app, { sql, state: 'failed', accepted_at: later(run) })
  expect((await runsOf(admin)).map(({ seconds }) => Math.floor(seconds))).toEqual([2, 0])
  const refused = await admin.call(query.earlierRuns, { sql: '' })
  expect(refused.code).toBe(CODES.BadInput.code)
})

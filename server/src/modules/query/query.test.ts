import { randomUUID } from 'node:crypto'
import { CODES, editor, query, type QueryRsp, QUERY_STATES, warehouse } from '@boathouse/contract'
import { PROFILE_HINT } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { HOURS } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'
import type { TestChannel } from '../../testing/test-channel.ts'

const only = (answers: readonly QueryRsp[]): QueryRsp => {
  const [answer] = answers
  if (!answer || answers.length !== 1) throw new Error(`One answer was expected, not ${answers.length}.`)
  return answer
}

/** A channel whose statements all run on one connection. */
async function connected(channel: TestChannel) {
  const { connId } = only(await channel.run('SELECT 1'))
  return async (sql: string) => only(await channel.run(sql, { connId, oriConnId: connId }))
}

const setUp = async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  return { app, admin, channel, run: await connected(channel) }
}

test('a result is kept under its query id and read in windows [EDITOR-38]', async () => {
  const { admin, run } = await setUp()
  await run('SET sql_select_limit = 10000')
  const shown = await run('SELECT n, n * 2 AS twice FROM range(2500) t(n) ORDER BY n')
  expect(shown).toMatchObject({ totalRows: 1000, truncated: true, resultKept: true })
  const { data } = await admin.call(query.resultWindow, { queryId: shown.queryId, offset: 2400, limit: 1000 })
  expect(data).toMatchObject({ totalRows: 2500, complete: true })
  expect(data.fields.map((field) => field.name)).toEqual(['n', 'twice'])
  expect([data.rows.length, data.rows.at(0), data.rows.at(-1)]).toEqual([
    100,
    ['2400', '4800'],
    ['2499', '4998'],
  ])
})

test("another user's result does not exist for me, whatever my roles", async () => {
  const { app, run } = await setUp()
  const { queryId } = await run("SELECT 'secret'")
  const other = await app.user(['account_admin'])
  expect(await other.call(query.resultWindow, { queryId, offset: 0, limit: 10 })).toMatchObject({
    code: CODES.NotFound.code,
    data: null,
  })
  expect((await other.call(query.exportResult, { queryId, format: 'csv' })).code).toBe(CODES.NotFound.code)
  expect((await other.call(query.resultCell, { queryId, row: 0, column: 0 })).code).toBe(CODES.NotFound.code)
})

test('a result is kept for 24 hours, and a later request says that it expired', async () => {
  const { app, run } = await setUp()
  const { queryId } = await run('SELECT 42')
  app.clock.advance(24 * HOURS)
  const again = await app.admin()
  expect(await again.call(query.resultWindow, { queryId, offset: 0, limit: 10 })).toMatchObject({
    code: CODES.ResultExpired.code,
    message: 'The rows of this query are no longer kept. Run it again to see them.',
  })
})

test('pain 13: a cell over 4 KiB travels as a prefix with its true length, and is fetched whole', async () => {
  const { admin, run } = await setUp()
  const { result, longCells, queryId } = await run("SELECT 1 AS n, repeat('x', 5000) AS long")
  expect(result[0]?.[1]).toHaveLength(4096)
  expect(longCells).toEqual([{ row: 0, column: 1, length: 5000 }])
  const { data } = await admin.call(query.resultCell, { queryId, row: 0, column: 1 })
  expect(data.text).toBe('x'.repeat(5000))
})

test.each([
  ['csv', /^n,t\r?\n1,"a,b"\r?\n9007199254740993,\r?\n$/],
  ['json', /9007199254740993/],
] as const)(
  'a result is exported as %s without running again, by a link that is good once',
  async (format, content) => {
    const { app, admin, run } = await setUp()
    const { queryId } = await run(
      "SELECT * FROM (VALUES (1::BIGINT, 'a,b'), (9007199254740993, NULL)) v(n, t)",
    )
    const { data } = await admin.call(query.exportResult, { queryId, format })
    expect(data.fileName).toMatch(new RegExp(`^query-.*\\.${format}$`))
    const first = await app.http.inject(data.url)
    expect(first.headers['content-disposition']).toBe(`attachment; filename="${data.fileName}"`)
    expect(first.body).toMatch(content)
    expect(Buffer.byteLength(first.body)).toBe(data.sizeBytes)
    expect((await app.http.inject(data.url)).statusCode).toBe(404)
    expect(
      (await admin.call(query.history, {})).data.entries.filter((entry) => entry.kind === 'select'),
    ).toHaveLength(2)
  },
)

test.each(['parquet', 'xlsx'] as const)('a result is exported as %s', async (format) => {
  const { app, admin, run } = await setUp()
  const { queryId } = await run('SELECT n FROM range(10) t(n)')
  const { data } = await admin.call(query.exportResult, { queryId, format })
  const body = (await app.http.inject(data.url)).rawPayload
  expect(body.subarray(0, 4).toString('latin1')).toBe(format === 'parquet' ? 'PAR1' : 'PK\u0003\u0004')
})

test('pain 25: every statement is in the history with who, what, when and how it ended', async () => {
  const { app, admin, run } = await setUp()
  await run('CREATE TABLE t (n int)')
  await run('INSERT INTO t VALUES (1), (2)')
  await run('SELECT nowhere')
  const { entries } = (await admin.call(query.history, { limit: 3 })).data
  expect(
    entries.map(({ kind, state, rows, user, warehouse: name }) => [kind, state, rows, user, name]),
  ).toEqual([
    ['select', 'failed', null, 'admin', 'default_warehouse'],
    ['insert', 'finished', 2, 'admin', 'default_warehouse'],
    ['create-table', 'finished', 0, 'admin', 'default_warehouse'],
  ])
  expect(entries[0]?.error).toContain('nowhere')

  const other = await app.user(['db_admin'])
  expect((await other.call(query.history, {})).data.entries).toEqual([])
  const queryId = entries[0]?.queryId ?? ''
  expect((await other.call(query.detail, { queryId })).code).toBe(CODES.NotFound.code)
  const boss = await app.user(['account_admin'])
  expect((await boss.call(query.detail, { queryId })).data.entry).toMatchObject({
    user: 'admin',
    sql: 'SELECT nowhere',
  })
})

test('the history is paged, and every entry comes once', async () => {
  const { admin, run } = await setUp()
  for (let n = 0; n < 5; n++) await run(`SELECT ${n}`)
  const seen: string[] = []
  let after: string | undefined
  do {
    const { data } = await admin.call(query.history, { limit: 2, ...(after ? { after } : {}) })
    seen.push(...data.entries.map((entry) => entry.queryId))
    after = data.next ?? undefined
  } while (after)
  expect(seen).toHaveLength(6)
  expect(new Set(seen).size).toBe(6)
  expect((await admin.call(query.history, { after: 'nonsense' })).code).toBe(CODES.BadInput.code)
})

test('the answer to a write whose engine dies says truly whether it took effect', async () => {
  const { app, channel, run } = await setUp()
  await run('CREATE TABLE t (n int)')
  const requestId = randomUUID()
  app.engines.hold()
  channel.send({
    cmd: 2,
    queryReq: { connId: 0, oriConnId: 0, channel: 'tab', requestId, sql: 'INSERT INTO t VALUES (1)' },
  })
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  app.engines.crash('killed by a test')
  app.engines.release()
  const answer = only(await channel.finalAnswers(requestId))
  expect(answer).toMatchObject({ queryState: QUERY_STATES.Failed, errCode: CODES.Interrupted.code })
  const taken = answer.errMsg.includes('It took effect completely.')
  expect(taken || answer.errMsg.includes('It did not take effect')).toBe(true)
  app.clock.advance(HOURS)
  const again = await app.admin()
  const rows = only(await (await again.channel()).run('SELECT count(*) FROM t')).result
  expect(rows).toEqual([[taken ? '1' : '0']])
})

test.each([
  ['took effect', true, { queryState: QUERY_STATES.Finished, totalRows: 1 }],
  ['did not take effect', false, { queryState: QUERY_STATES.Failed, errCode: CODES.Interrupted.code }],
])(
  'a write that was cut off with the server and %s is answered so when it is asked for again',
  async (_, ran, expected) => {
    const { app, channel, run } = await setUp()
    await run('CREATE TABLE t (n int)')
    const requestId = randomUUID()
    const insert = 'INSERT INTO t VALUES (1)'
    const { queryId } = only(await channel.run(insert, { requestId }))
    // As a server leaves it that died in the middle; in the second case nothing of the engine's work remained.
    await app.store.db
      .updateTable('statements')
      .set({ state: 'interrupted', effect: 'unknown', row_count: null, request_id: `${requestId}-x` })
      .where('query_id', '=', queryId)
      .execute()
    if (!ran)
      await app.store.db
        .updateTable('statements')
        .set({ query_id: randomUUID() })
        .where('query_id', '=', queryId)
        .execute()
    expect(only(await channel.run(insert, { requestId: `${requestId}-x` }))).toMatchObject(expected)
    expect((await run('SELECT count(*) FROM t')).result).toEqual([['1']])
  },
)

test('an open transaction that is lost with its engine is reported, and nothing of it took effect', async () => {
  const { app, run } = await setUp()
  await run('CREATE TABLE t (n int)')
  await run('BEGIN')
  await run('INSERT INTO t VALUES (1)')
  app.engines.crash('killed by a test')
  app.clock.advance(HOURS / 60)
  expect(await run('INSERT INTO t VALUES (2)')).toMatchObject({
    errCode: CODES.Interrupted.code,
    errMsg: expect.stringContaining('your open transaction was rolled back'),
  })
  expect((await run('SELECT count(*) FROM t')).result).toEqual([['0']])
})

test('the next answer has a notice of temporary tables that were lost with their engine', async () => {
  const { app, run } = await setUp()
  await run('CREATE TEMP TABLE mine AS SELECT 1')
  app.engines.crash('killed by a test')
  app.clock.advance(HOURS / 60)
  expect(await run('SELECT 1')).toMatchObject({
    result: [['1']],
    notice: expect.stringContaining('your temporary tables are gone'),
  })
  expect((await run('SELECT 1')).notice).toBe('')
})

test('a suspended warehouse that does not resume automatically refuses with the specified words [EDITOR-27]', async () => {
  const { admin, run } = await setUp()
  const [first] = (await admin.call(warehouse.list, {})).data.warehouses
  const warehouseId = first?.warehouseId ?? ''
  await admin.call(warehouse.update, { warehouseId, autoResume: false })
  await admin.call(warehouse.suspend, { warehouseId })
  expect(await run('SELECT 1')).toMatchObject({
    errCode: CODES.NoRunningWarehouse.code,
    errMsg: 'No warehouse is running. Resume one, then run the statement again.',
  })
})

test('suspending a warehouse ends what runs in it, with the reason', async () => {
  const { app, admin, channel } = await setUp()
  const [first] = (await admin.call(warehouse.list, {})).data.warehouses
  const requestId = randomUUID()
  app.engines.hold()
  channel.send({ cmd: 2, queryReq: { connId: 0, oriConnId: 0, channel: 'tab', requestId, sql: 'SELECT 2' } })
  await expect.poll(() => app.engines.heldStatements()).toBe(1)
  const suspended = admin.call(warehouse.suspend, { warehouseId: first?.warehouseId ?? '' })
  const answer = only(await channel.finalAnswers(requestId))
  app.engines.release()
  expect(answer.queryState).toBe(QUERY_STATES.Failed)
  expect(answer.errMsg).toMatch(/suspended/i)
  expect((await suspended).code).toBe(CODES.Ok.code)
})

test('a statement that waits for a slot reports its place in the queue, and leaves the queue when it is stopped', async () => {
  const { app, admin, channel } = await setUp()
  app.engines.hold()
  const slots = 4
  const ids = Array.from({ length: slots + 2 }, () => randomUUID())
  for (const requestId of ids)
    channel.send({
      cmd: 2,
      queryReq: { connId: 0, oriConnId: 0, channel: requestId, requestId, sql: 'SELECT 2' },
    })
  const places = await channel.hear(() => {
    const waiting = channel.heard.flatMap((message) =>
      message.cmd === 2 && message.queryRsp.queuePlace !== null ? [message.queryRsp] : [],
    )
    const last = new Map(waiting.map((answer) => [answer.requestId, answer.queuePlace]))
    return last.size === 2 ? last : undefined
  })
  expect([...places.values()].sort((a, b) => Number(a) - Number(b))).toEqual([1, 2])
  const [queued = ''] = places.keys()
  await admin.call(editor.kill, { requestId: queued })
  expect(only(await channel.finalAnswers(queued))).toMatchObject({ errCode: CODES.Cancelled.code })
  app.engines.release()
  for (const requestId of ids.filter((id) => id !== queued))
    expect(only(await channel.finalAnswers(requestId)).queryState).toBe(QUERY_STATES.Finished)
})

test('a statement that runs longer than query_timeout is stopped and says so', async () => {
  const { app, run, channel } = await setUp()
  const { connId } = await run('SET query_timeout = 1')
  app.engines.hold()
  const answer = only(await channel.run('SELECT 2', { connId, oriConnId: connId }))
  app.engines.release()
  expect(answer).toMatchObject({
    errCode: CODES.StatementTimedOut.code,
    errMsg: expect.stringContaining('1 s'),
  })
})

test('the time zone of a connection is its own and survives', async () => {
  const { run } = await setUp()
  await run("SET time_zone = 'Asia/Tokyo'")
  expect((await run("SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00'")).result[0]?.[0]).toContain('09:00:00')
  expect((await run("SET time_zone = 'Mars/Olympus'")).errMsg).toContain('not a time zone')
})

test('what the editor sends before a query is run in its order, and the query runs where it leads; the history has the query alone [EDITOR-39]', async () => {
  const { admin, channel, run } = await setUp()
  await run('CREATE DATABASE boats')
  await run('CREATE WAREHOUSE second')
  const mark = '/* Boathouse console */'
  const before = `SHOW ${mark} VARIABLES;\nSET ${mark} WAREHOUSE "second";\nUSE ${mark} "default_catalog"."boats"`
  const [variables, chosen, moved] = await channel.run(before)
  expect(variables?.result).toContainEqual(['sql_select_limit', '1000'])
  expect(chosen).toMatchObject({ warehouseChange: true, warehouse: 'second' })
  expect(moved).toMatchObject({ dbChange: true, db: 'boats' })
  const connId = moved?.connId ?? 0
  const ran = only(await channel.run('SELECT current_schema()', { connId }))
  expect(ran.result).toEqual([['boats']])
  const { data } = await admin.call(query.detail, { queryId: ran.queryId })
  expect(data.entry).toMatchObject({ warehouse: 'second', database: 'boats' })
  const { entries: list } = (await admin.call(query.history, {})).data
  expect(list.map(({ sql }) => sql)).toEqual(expect.arrayContaining(['SELECT current_schema()']))
  expect(list.filter(({ sql }) => sql.includes(mark))).toEqual([])
})

test('a query with the hint of the editor has its profile kept, and no other has [EDITOR-43]', async () => {
  const { admin, run } = await setUp()
  await run('SET enable_profile = false')
  const sql = 'SELECT count(*) FROM range(100000) t(n) WHERE n % 2 = 0'
  const profileOf = async (text: string) => {
    const { queryId, errMsg } = await run(text)
    expect(errMsg).toBe('')
    return (await admin.call(query.detail, { queryId })).data.profile
  }
  const tree = { operator: expect.any(String), children: expect.any(Array) }
  expect(await profileOf(sql)).toBeNull()
  expect(await profileOf(sql.replace('SELECT', `SELECT ${PROFILE_HINT}`))).toMatchObject(tree)
  expect(await profileOf(sql)).toBeNull()
})

test('with enable_profile on, a profile is kept as a tree', async () => {
  const { admin, run } = await setUp()
  await run('SET enable_profile = true')
  const { queryId } = await run('SELECT count(*) FROM range(100000) t(n) WHERE n % 2 = 0')
  const { profile } = (await admin.call(query.detail, { queryId })).data
  expect(profile).toMatchObject({ operator: expect.any(String), children: expect.any(Array) })
})

test('other open consoles are notified of changed databases and warehouses, and ask for what they missed [CHANNEL-34]', async () => {
  const { admin, run } = await setUp()
  const other = await admin.channel()
  await run('CREATE DATABASE boats')
  const event = await other.hear((message) =>
    message.cmd === 3 && message.type === 'GlobalEventTypeDatabaseChanged' ? message : undefined,
  )
  await run('CREATE TABLE boats.oars (n int)')
  const late = await admin.channel()
  late.send({ cmd: 1, connIds: [], since: event.seq })
  const missed = await late.hear((message) =>
    message.cmd === 3 && message.seq > event.seq ? message : undefined,
  )
  expect(missed.type).toBe('GlobalEventTypeDatabaseChanged')
})

test('pain 19: results over the quota of an account go, the oldest first', async () => {
  const { app, admin, run } = await setUp()
  const old = await run("SELECT repeat('x', 2000) FROM range(500)")
  const codeOf = async (queryId: string) =>
    (await admin.call(query.resultWindow, { queryId, offset: 0, limit: 1 })).code
  // A result counts from when its file is written, which follows the answer.
  const afterQuota = (queryId: string, quotaBytes: number) => async () => {
    await app.results.keepWithinQuota(app.accountId, { quotaBytes })
    return codeOf(queryId)
  }
  await expect.poll(afterQuota(old.queryId, 1)).toBe(CODES.ResultExpired.code)
  const young = await run('SELECT 2')
  expect(await afterQuota(young.queryId, 1_000_000)()).toBe(CODES.Ok.code)
})

test('statements are forgotten after 90 days, with their month', async () => {
  const { app, run } = await setUp()
  await run('SELECT 1')
  const left = async (days: number): Promise<number> => {
    app.clock.advance(days * 24 * HOURS)
    await app.queries.forgetOld()
    return (await (await app.admin()).call(query.history, {})).data.entries.length
  }
  expect(await left(91)).toBeGreaterThan(0)
  expect(await left(31)).toBe(0)
})

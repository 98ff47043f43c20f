import { LIMITS, query } from '@boathouse/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import { OPERATOR } from '../../audit/author.ts'
import { HERE, identityOf, openProgram, TestSink } from '../../../testing/client-kit.ts'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { AT_OFFICE, ELSEWHERE } from '../../../testing/firewall-kit.ts'
import { startApp, type TestApp } from '../../../testing/start-app.ts'

const codeOf = (refused: Promise<unknown>) =>
  refused.then(
    () => 'Ok',
    (error: unknown) => (error instanceof AppError ? error.code : Promise.reject(error as Error)),
  )

const statementsOf = (app: TestApp) =>
  app.store.db
    .selectFrom('statements')
    .select(['sql', 'door', 'program', 'client_ip', 'state', 'row_count', 'visible', 'error'])
    .orderBy('accepted_at')
    .orderBy('statement_index')
    .execute()

test('a connection says who and where it is before any statement, and has run none', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  expect(await connection.state()).toMatchObject({
    id: connection.id,
    accountId: app.accountId,
    user: admin.name,
    roles: expect.arrayContaining(['account_admin']),
    catalog: 'default_catalog',
    database: 'main',
    warehouse: 'default_warehouse',
    variables: expect.objectContaining({ time_zone: 'SYSTEM', warehouse: 'default_warehouse' }),
    inTransaction: false,
  })
  expect(await statementsOf(app)).toEqual([])
})

test('its statements are in the history with its door, program and address, and one after the other', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  const [made, written, read] = await connection.run(
    'CREATE TABLE boats (n BIGINT); INSERT INTO boats VALUES (1), (2); SELECT n FROM boats',
  )
  expect([made?.code, written?.code, read?.code]).toEqual(['Ok', 'Ok', 'Ok'])
  expect(written?.result?.rowsChanged).toBe(2)
  expect(read?.result?.rows).toEqual([['1'], ['2']])
  await app.endsWritten()
  expect(await statementsOf(app)).toMatchObject(
    Array.from({ length: 3 }, () => ({ door: 'mysql', program: 'oars 1.0', client_ip: HERE })),
  )
  const { entries } = (await admin.call(query.history, { door: 'mysql' })).data
  expect(entries).toHaveLength(3)
})

test('values are sent for the parameters of one statement, and none of them can end its literal', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const connection = await openProgram(app, await app.admin())
  await connection.run(`SET sql_mode = 'ANSI_QUOTES'`)
  const odd = `it's \\' -- 1; DROP TABLE t`
  const [answer] = await connection.run('SELECT ? AS a, ? + 1 AS b, ? AS c, ? AS d, hex(?) AS e, ? AS f', {
    parameters: [
      { type: 'text', text: odd },
      { type: 'number', text: '41' },
      null,
      { type: 'boolean', value: true },
      { type: 'bytes', bytes: Uint8Array.of(0, 255) },
      { type: 'date', text: '2026-11-17' },
    ],
  })
  expect(answer?.message).toBe('')
  expect(answer?.result?.rows).toEqual([[odd, '42', null, 'true', '00FF', '2026-11-17']])
  const few = await connection.run('SELECT ?, ?', { parameters: [null] })
  expect(few[0]?.message).toBe('The statement has 2 parameters, and 1 values were sent for them.')
  const parameters = [{ type: 'number', text: '1; DROP TABLE t' }] as const
  expect((await connection.run('SELECT ?', { parameters }))[0]?.code).toBe('BadInput')
  expect(await codeOf(connection.run('SELECT 1; SELECT ?', { parameters: [null] }))).toBe('BadInput')
})

test('a sink takes rows of the service and of several statements, each after its columns', async () => {
  const app = await startApp()
  const connection = await openProgram(app, await app.admin())
  const sink = new TestSink()
  const answers = await connection.run('SHOW DATABASES; SELECT 1 AS one; CREATE TABLE t (n BIGINT)', { sink })
  expect(answers.map(({ code }) => code)).toEqual(['Ok', 'Ok', 'Ok'])
  expect(sink.results.map(({ columns }) => columns[0]?.name)).toEqual([expect.any(String), 'one'])
  expect(sink.results[0]?.rows.flat()).toContain('main')
  expect(sink.results[1]?.rows).toEqual([['1']])
  expect(answers[1]).toMatchObject({ result: { rows: [] }, rowsBefore: 1 })
})

test('a limit that the client sets bounds what a sink takes of a select', async () => {
  const app = await startApp()
  const connection = await openProgram(app, await app.admin())
  const sink = new TestSink()
  await connection.run('SET sql_select_limit = 3; SELECT i FROM range(10) t(i)', { sink })
  expect(sink.results.at(-1)?.rows).toEqual([['0'], ['1'], ['2']])
})

test('a sink takes all of 200,000 rows, however slow it is, and the history counts them', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const connection = await openProgram(app, await app.admin())
  let pending = 0
  const sink = new TestSink(async () => {
    expect(++pending).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    pending--
  })
  const [answer] = await connection.run(`SELECT i, concat('row ', i) AS t FROM range(200000) t(i)`, { sink })
  expect(answer).toMatchObject({ code: 'Ok', isKept: false, firstRows: null, rowsBefore: 200_000 })
  expect(sink.results[0]?.rows).toHaveLength(200_000)
  expect(sink.results[0]?.rows.at(-1)).toEqual(['199999', 'row 199999'])
  await app.endsWritten()
  expect(await statementsOf(app)).toMatchObject([{ state: 'finished', row_count: 200_000 }])
})

test('when the reader is gone the statement ends, and the history says why', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const connection = await openProgram(app, await app.admin())
  const sink = new TestSink(async () => {
    throw new Error('the socket is closed')
  })
  const [answer] = await connection.run('SELECT i FROM range(10000000) t(i)', { sink })
  expect(answer).toMatchObject({ code: 'Cancelled', message: expect.stringContaining('no longer reads') })
  await app.endsWritten()
  expect(await statementsOf(app)).toMatchObject([
    { state: 'cancelled', error: { message: expect.stringContaining('no longer reads') } },
  ])
  expect((await connection.run('SELECT 1'))[0]?.code).toBe('Ok')
})

test('a statement that loses its engine after rows were taken does not run a second time', async () => {
  const app = await startApp()
  const connection = await openProgram(app, await app.admin())
  const sink = new TestSink(async () => app.engines.crash('ended by a test'))
  const [answer] = await connection.run('SELECT i FROM range(1000000) t(i)', { sink })
  expect(answer).toMatchObject({ code: 'Interrupted', message: expect.stringContaining('ended by a test') })
  expect(sink.results).toHaveLength(1)
  expect((await connection.run('SELECT 1'))[0]?.code).toBe('Ok')
})

test('clients that read nothing of their rows keep nobody else from running statements', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { promise: never, resolve: free } = withResolvers()
  onTestFinished(free)
  // As many as the warehouse has slots.
  for (const _ of [1, 2]) {
    const { promise: isHeld, resolve: held } = withResolvers()
    const sink = new TestSink(async () => {
      held()
      await never
    })
    void (await openProgram(app, admin)).run('SELECT i FROM range(1000000) t(i)', { sink })
    await isHeld
  }
  const other = await openProgram(app, admin)
  expect((await other.run('SELECT 1'))[0]?.code).toBe('Ok')
})

test('another connection of the same user stops what runs, also when nothing of it is read', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  const { promise: isHeld, resolve: held } = withResolvers()
  const { promise: never, resolve: free } = withResolvers()
  onTestFinished(free)
  const sink = new TestSink(async () => {
    held()
    await never
  })
  const running = connection.run('SELECT i FROM range(100000000) t(i)', { sink })
  await isHeld
  const stranger = await app.user(['db_admin'])
  const { known } = await identityOf(app, stranger)
  expect(await app.queries.connections.cancel(known, connection.id)).toBe(false)
  const other = await openProgram(app, admin)
  expect((await other.run(`KILL QUERY ${connection.id}`))[0]?.code).toBe('Ok')
  expect(await running).toMatchObject([{ code: 'Cancelled', message: 'Stopped at your request.' }])
  expect((await connection.run('SELECT 1'))[0]?.code).toBe('Ok')
  expect(connection.closed.aborted).toBe(false)
})

test('KILL is refused for what somebody else has, unless they administer the account', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [stranger, owner] = [await app.user(['db_admin']), await app.user()]
  const [connection, other] = [await openProgram(app, owner), await openProgram(app, stranger)]
  const running = connection.run('SELECT count(*) FROM range(1000000000000)')
  await vi.waitFor(() =>
    expect([...app.queries.underway(app.accountId).values()]).toMatchObject([
      { progress: expect.anything() },
    ]),
  )
  for (const sql of [
    `KILL QUERY ${connection.id}`,
    `KILL ${connection.id}`,
    'KILL 987654321',
    'KILL QUERY 0',
  ])
    expect([sql, (await other.run(sql))[0]]).toMatchObject([
      sql,
      { code: 'QueryFailed', errorDetail: 'missing-connection' },
    ])
  expect((await other.run(`KILL ${other.id}`))[0]?.message).toBe('You cannot kill your own connection.')
  expect(connection.closed.aborted).toBe(false)
  const ofAdmin = await openProgram(app, admin)
  expect((await ofAdmin.run(`KILL QUERY ${connection.id}`))[0]?.code).toBe('Ok')
  expect(await running).toMatchObject([{ code: 'Cancelled', message: `Stopped by ${admin.name}.` }])
  expect((await ofAdmin.run(`KILL CONNECTION ${connection.id}`))[0]?.code).toBe('Ok')
  expect(connection.closed.aborted).toBe(true)
})

test('KILL QUERY of a connection on which nothing runs does nothing', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [connection, other] = [await openProgram(app, admin), await openProgram(app, admin)]
  expect((await other.run(`KILL QUERY ${connection.id}`))[0]?.code).toBe('Ok')
  expect((await connection.run('SELECT 1'))[0]?.code).toBe('Ok')
})

test('KILL from another connection closes it, and its door learns so', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [connection, other] = [await openProgram(app, admin), await openProgram(app, admin)]
  expect((await other.run(`KILL ${connection.id}`))[0]?.code).toBe('Ok')
  expect(connection.closed.aborted).toBe(true)
  expect(await codeOf(connection.run('SELECT 1'))).toBe('ConnectionLost')
  expect(await codeOf(connection.state())).toBe('ConnectionLost')
})

test('it moves to a database, a catalog and a warehouse with the refusals of USE, unlisted', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  await connection.run('CREATE DATABASE harbour')
  await connection.moveTo({ database: 'harbour' })
  await connection.moveTo({ warehouse: 'DEFAULT_WAREHOUSE' })
  expect(await connection.state()).toMatchObject({ database: 'harbour', warehouse: 'default_warehouse' })
  for (const database of ['nowhere"; DROP', 'nowhere`; DROP', `nowhere\\'; DROP`])
    expect(await codeOf(connection.moveTo({ database }))).toBe('QueryFailed')
  expect(await codeOf(connection.moveTo({ catalog: 'nowhere', database: 'main' }))).toBe('QueryFailed')
  expect(await codeOf(connection.moveTo({ warehouse: 'nowhere' }))).toBe('NotFound')
  await connection.moveTo({ catalog: 'default_catalog' })
  expect(await connection.state()).toMatchObject({ catalog: 'default_catalog', database: 'main' })
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries.map(({ sql }) => sql)).toEqual(['CREATE DATABASE harbour'])
})

test('reset forgets variables, roles, prepared statements and temporary tables, and rolls back', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  const codes = async (sql: string) => (await connection.run(sql)).map(({ code }) => code)
  expect(
    await codes(`CREATE DATABASE harbour; USE harbour; CREATE TABLE kept (n INT); SET query_timeout = 7;
      SET ROLE NONE; SET ROLE DEFAULT; PREPARE one AS SELECT 1; CREATE TEMP TABLE brief (n INT);
      BEGIN; INSERT INTO kept VALUES (1)`),
  ).toEqual(Array.from({ length: 10 }, () => 'Ok'))
  expect(await connection.state()).toMatchObject({ inTransaction: true })
  await connection.reset()
  expect(await connection.state()).toMatchObject({
    database: 'harbour',
    inTransaction: false,
    variables: { query_timeout: '300' },
  })
  const [count] = await connection.run('SELECT count(*) FROM kept')
  expect(count).toMatchObject({ notice: '', result: { rows: [['0']] } })
  expect(await codes('SELECT * FROM brief')).toEqual(['QueryFailed'])
  expect(await codes('EXECUTE one')).toEqual(['QueryFailed'])
})

test('closed, it stops what runs and gives its place back', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  const running = connection.run('SELECT count(*) FROM range(1000000000000)')
  await vi.waitFor(() =>
    expect([...app.queries.underway(app.accountId).values()]).toMatchObject([
      { progress: expect.anything() },
    ]),
  )
  await connection.close()
  expect(await running).toMatchObject([{ code: 'Cancelled' }])
  expect(connection.closed.aborted).toBe(true)
  const open = await app.store.db
    .selectFrom('connections')
    .select('connection_id')
    .where('closed_at', 'is', null)
    .execute()
  expect(open).toEqual([])
})

test('a user has so many connections and no more, whatever the door, and those with a client are not closed', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [first] = await Promise.all(
    Array.from({ length: LIMITS.connectionsPerUser }, () => openProgram(app, admin)),
  )
  expect(await codeOf(openProgram(app, admin))).toBe('ConnectionLimit')
  app.clock.advance(11 * MINUTES)
  await app.queries.connections.keepAlive()
  expect(await codeOf(openProgram(app, admin))).toBe('ConnectionLimit')
  await first?.close()
  expect(await codeOf(openProgram(app, admin))).toBe('Ok')
})

test('a user runs so many texts at once and no more, whatever the door', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const connection = await openProgram(app, admin)
  const most = LIMITS.statementsInFlightPerUser
  const endless = 'SELECT count(*) FROM range(1000000000000)'
  const under = Array.from({ length: most }, () => codeOf(connection.run(endless)))
  expect(await codeOf(connection.run('SELECT 1'))).toBe('LimitReached')
  expect(await codeOf(connection.describe('SELECT 1'))).toBe('LimitReached')
  await connection.close()
  await Promise.all(under)
})

test('a frozen account and a blocked address are refused before any statement, and on open connections', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [here, elsewhere] = [
    await openProgram(app, admin, AT_OFFICE),
    await openProgram(app, admin, ELSEWHERE),
  ]
  await app.store.pool.query(
    `insert into firewall_rules values (gen_random_uuid(), $1, 'Office', 'all', '198.51.100.0/24', true, now())`,
    [app.accountId],
  )
  expect(await codeOf(openProgram(app, admin, ELSEWHERE))).toBe('IpBlocked')
  expect((await elsewhere.run('SELECT 1'))[0]?.code).toBe('IpBlocked')
  expect((await here.run('SELECT 1'))[0]?.code).toBe('Ok')
  await app.accountLife.freeze(app.accountId, OPERATOR)
  expect(await codeOf(openProgram(app, admin, AT_OFFICE))).toBe('AccountFrozen')
  expect(await codeOf(here.describe('SELECT 1'))).toBe('AccountFrozen')
  expect((await here.run('SELECT 1'))[0]?.code).toBe('AccountFrozen')
})

function withResolvers() {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}

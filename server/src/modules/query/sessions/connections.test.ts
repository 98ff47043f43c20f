import { randomUUID } from 'node:crypto'
import { CODES, LIMITS } from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import { actorWith } from '../../../testing/actor.ts'
import { HOURS, MINUTES } from '../../../testing/fake-clock.ts'
import { startApp } from '../../../testing/start-app.ts'
import { createConnections } from './connections.ts'
import { createQueryStore } from '../store.ts'

const most = LIMITS.connectionsPerUser
const mostOfAccount = LIMITS.connectionsPerAccount

async function setUp() {
  const { accountId, clock, store } = await startApp()
  const { user_id: userId } = await store.db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  const queryStore = createQueryStore(store.db)
  const closed: number[] = []
  const onClosed = (ids: readonly number[]) => void closed.push(...ids)
  const connectionsThatWait = (mostWaitedMs?: number) =>
    createConnections({
      store: queryStore,
      homeEngine: 'scripted',
      clock,
      onClosed,
      ...(mostWaitedMs && { mostWaitedMs }),
    })
  const connections = connectionsThatWait()
  const actor = { ...actorWith(accountId), userId }
  const open = async (whose = actor) => {
    const request = { connectionId: 0, previousConnectionId: 0, clientId: 'test' }
    return (await connections.resolve(whose, request)).id
  }
  const refusalFor = (whose = actor) =>
    open(whose).then(
      () => 'opened',
      (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : error),
    )
  return {
    actor,
    clock,
    closed,
    connections,
    connectionsThatWait,
    pool: store.pool,
    open,
    openMany: (count: number) => Promise.all(Array.from({ length: count }, () => open())),
    refusal: () => refusalFor(),
    refusalFor,
    /** Of the same account. */
    colleague: async (name: string) => {
      const { rows } = await store.pool.query<{ user_id: string }>(
        `insert into users (user_id, account_id, name, is_org_admin, created_at, password_changed_at)
         values (gen_random_uuid(), $1, $2, false, now(), now()) returning user_id`,
        [accountId, name],
      )
      return { ...actor, userId: rows[0]?.user_id ?? '' }
    },
    /** A statement of the connection, accepted now; `endedAt` null: it runs. */
    async run(connectionId: number, endedAt: Date | null) {
      await store.db
        .insertInto('statements')
        .values({
          query_id: randomUUID(),
          account_id: accountId,
          user_id: userId,
          connection_id: connectionId,
          request_id: randomUUID(),
          statement_index: 0,
          statement_count: 1,
          door: 'channel',
          sql: 'SELECT 1',
          kind: 'select',
          state: endedAt ? 'finished' : 'running',
          accepted_at: clock.now(),
          ended_at: endedAt,
        })
        .execute()
    },
  }
}

const LIMIT =
  'ConnectionLimit: Reach limit of connections: you have 100, the maximum for one user of the 500 of an account. Close tabs or programs that you do not use.'

test('of many connections that one user opens at the same moment, no more are opened than the share of one', async () => {
  const { refusal } = await setUp()
  const answers = await Promise.all(Array.from({ length: most + 20 }, refusal))
  expect(answers.filter((answer) => answer === 'opened')).toHaveLength(most)
  expect(answers.filter((answer) => answer === LIMIT)).toHaveLength(20)
})

test('of many that open a connection at the same moment, no more get one than an account has [API-27]', async () => {
  const { refusalFor, colleague } = await setUp()
  const names = ['ada', 'bea', 'cleo', 'dora', 'eve', 'fay']
  const people = await Promise.all(names.map(colleague))
  const answers = await Promise.all(
    people.flatMap((person) => Array.from({ length: 90 }, () => refusalFor(person))),
  )
  expect(answers.filter((answer) => answer === 'opened')).toHaveLength(mostOfAccount)
  expect(answers.filter((answer) => answer === 'ConnectionLimit: Reach limit of connections')).toHaveLength(
    40,
  )
})

test('a user who has the share of one takes nothing from a colleague, whose unused connections stay', async () => {
  const { clock, closed, openMany, refusal, refusalFor, colleague } = await setUp()
  const bea = await colleague('bea')
  await refusalFor(bea)
  clock.advance(11 * MINUTES)
  await openMany(most)
  expect(await refusal()).toBe(LIMIT)
  expect(await refusalFor(bea)).toBe('opened')
  expect(closed).toEqual([])
})

test('at the limit, connections that nobody used or kept alive for ten minutes make room', async () => {
  const { actor, clock, closed, connections, openMany, open, refusal, run } = await setUp()
  const [alive = 0, used = 0, running = 0, ended = 0, ...unused] = await openMany(most)
  await run(running, null)
  await run(ended, new Date(clock.now().getTime() + 9 * MINUTES))
  clock.advance(9 * MINUTES)
  await run(used, clock.now())
  await connections.keepAlive(actor, [alive])
  expect(await refusal()).toBe(LIMIT)

  clock.advance(MINUTES + 1)
  const opened = await open()
  expect(closed.toSorted((a, b) => a - b)).toEqual(unused.toSorted((a, b) => a - b))
  expect(await connections.keepAlive(actor, [alive, used, running, ended, opened])).toEqual([])
  expect(await connections.keepAlive(actor, unused)).toEqual(unused)
})

test('below the limit, connections live until nobody used them for twelve hours, statements counted', async () => {
  const { actor, clock, connections, open, run } = await setUp()
  const [unused, used, running] = [await open(), await open(), await open()]
  await run(running, null)
  clock.advance(HOURS)
  await run(used, clock.now())
  await open()
  clock.advance(11 * HOURS + 1)
  expect(await connections.closeIdle()).toEqual([unused])
  expect(await connections.keepAlive(actor, [unused, used, running])).toEqual([unused])
})

test('connections are kept alive in the order of their ids, so that two who name the same never wait for each other', async () => {
  const { actor, connections, open, pool } = await setUp()
  const [low, high] = [await open(), await open()]
  // It now stands behind the other one in the table.
  await connections.keepAlive(actor, [low])
  const holder = await pool.connect()
  onTestFinished(() => holder.release(true))
  await holder.query('begin')
  await holder.query('select 1 from connections where connection_id = $1 for update', [low])
  const keptAlive = connections.keepAlive(actor, [high, low])
  await expect
    .poll(
      () =>
        pool.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        ),
      { timeout: 10_000 },
    )
    .toMatchObject({ rowCount: 1 })
  const free = await holder.query(
    'select connection_id from connections where connection_id = $1 for update skip locked',
    [high],
  )
  await holder.query('commit')
  expect(free.rows).toEqual([{ connection_id: high }])
  expect(await keptAlive).toEqual([])
})

test('every statement sees the current state of its connection, also after a change from elsewhere', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const [first] = await channel.run('SELECT 1')
  const { connId = 0 } = first ?? {}
  const run = async (sql: string) => (await channel.run(sql, { connId, oriConnId: connId })).at(-1)
  await run('USE main')
  await run("SET time_zone = 'Asia/Tokyo'")
  expect((await run("SHOW VARIABLES LIKE 'time_zone'"))?.result[0]?.[1]).toBe('Asia/Tokyo')
  await run('CREATE WAREHOUSE skiff')
  await run('SET WAREHOUSE skiff')
  expect(await run('ALTER WAREHOUSE skiff RENAME TO regatta')).toMatchObject({ errMsg: '' })
  expect(await run('SELECT 2')).toMatchObject({ errMsg: '', warehouse: 'regatta', result: [['2']] })
  channel.send({ cmd: 3, connId })
  expect(await run('SELECT 3')).toMatchObject({ errCode: CODES.ConnectionLost.code })
})

test('while a catalog is renamed, the connections in it wait, for a bounded time, and no others', async () => {
  const { actor, connectionsThatWait } = await setUp()
  const connections = connectionsThatWait(1)
  const { signal: stop } = new AbortController()
  const waits = async (catalog: string, inTransaction = false, who = actor, kind: StatementKind = 'select') =>
    connections.named(who, { catalog, inTransaction }, { kind, stop }).then(
      () => 'may continue',
      (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : error),
    )
  const end = connections.beginRenaming(actor.accountId, 'archive')
  expect(await waits('Archive')).toBe(
    'Conflict: The catalog archive is being renamed. Send the statement again in a moment.',
  )
  expect(await waits('default_catalog')).toBe('may continue')
  expect(await waits('default_catalog', false, actor, 'use-database')).toContain('Conflict')
  expect(await waits('archive', true)).toBe('may continue')
  expect(await waits('archive', false, actorWith('another'))).toBe('may continue')
  end()
  expect(await waits('archive')).toBe('may continue')
})

test('a statement that waits for a catalog continues when it is renamed, and when the statement is stopped', async () => {
  const { actor, connectionsThatWait } = await setUp()
  const connections = connectionsThatWait(60_000)
  const stopping = new AbortController()
  const end = connections.beginRenaming(actor.accountId, 'archive')
  const endOther = connections.beginRenaming(actor.accountId, 'other')
  const place = { catalog: 'archive', inTransaction: false }
  const stopped = connections.named(actor, place, { kind: 'select', stop: stopping.signal })
  const waiting = connections.named(actor, place, { kind: 'select', stop: new AbortController().signal })
  stopping.abort()
  await expect(stopped).resolves.toBeUndefined()
  end()
  await expect(waiting).resolves.toBeUndefined()
  endOther()
})

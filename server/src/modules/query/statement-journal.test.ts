import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { startApp } from '../../testing/start-app.ts'
import type { Schema } from '../../store/schema.ts'
import { NO_NAME_RULES } from '../../engines/engine/name-rules.ts'
import { analyseStatement } from './analysis/analysed-text.ts'
import { acceptedRows } from './accepting/accepted-rows.ts'
import { deleteStatementsOf } from './history/deletion-store.ts'
import { createConnections } from './sessions/connections.ts'
import type { NewStatement } from './statement-row.ts'
import type { EndedRow } from './statement-writes-store.ts'
import { createQueryStore } from './store.ts'

/** The answer to the query with this number is lost; whether it was made is for the caller to say. */
function losingAnswer(db: Kysely<Schema>, number: number, isMade: boolean): Kysely<Schema> {
  let seen = 0
  const lose = () => {
    if (++seen === number) throw new Error('Connection terminated unexpectedly')
  }
  return db.withPlugin({
    transformQuery({ node }) {
      if (!isMade) lose()
      return node
    },
    async transformResult({ result }) {
      if (isMade) lose()
      return result
    },
  })
}

async function requestsOf(door: 'mysql' | 'service') {
  const { accountId, clock, store } = await startApp()
  const { user_id: userId } = await store.db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  const actor = { ...actorWith(accountId), userId }
  const connections = createConnections({
    store: createQueryStore(store.db),
    homeEngine: 'scripted',
    clock,
    onClosed: () => undefined,
  })
  const submission = { connectionId: 0, previousConnectionId: 0, clientId: 'test', clientIp: null, door }
  const connection = await connections.resolve(actor, submission)
  const rowOf = (sql: string): NewStatement => {
    const [row] = acceptedRows({
      actor,
      connection,
      submission: { ...submission, requestId: randomUUID(), sql },
      statements: [{ queryId: randomUUID(), statement: analyseStatement(sql, NO_NAME_RULES) }],
      at: clock.now(),
      startsAtOnce: true,
      homeEngine: connections.homeEngine,
    })
    if (!row) throw new Error('There is no row.')
    return row
  }
  const { db } = store
  return {
    db,
    accountId,
    connection,
    rowOf,
    journal: () => db.selectFrom('statement_journal').select('query_id').execute(),
    history: () =>
      db
        .selectFrom('statements')
        .select(['query_id', 'state', 'row_count', 'catalog_id', 'effect'])
        .orderBy('sql')
        .execute(),
  }
}

const endOf = (row: NewStatement): EndedRow => ({
  query_id: row.query_id,
  accepted_at: row.accepted_at,
  state: 'finished',
  ended_at: row.accepted_at,
  duration_us: 1_000,
  row_count: 7,
  error: null,
  effect: null,
  peak_memory_bytes: null,
  compile_us: null,
  fetch_us: null,
  peak_spill_bytes: null,
  shown_bytes: null,
  engine: row.engine,
  profile: null,
  plan: null,
  result_state: 'none',
  result_rows: null,
  result_complete: null,
  result_columns: null,
  needed: null,
  result_expires_at: null,
})

const finished = (row: NewStatement) => ({
  query_id: row.query_id,
  state: 'finished',
  row_count: 7,
  catalog_id: 'default_catalog',
  effect: null,
})

test('a read of a program is written in the journal, and in the history with its end', async () => {
  const { db, rowOf, journal, history } = await requestsOf('mysql')
  const store = createQueryStore(db)
  const row = rowOf('SELECT 1')
  const accepted = await store.accept([row])
  expect(accepted?.identityVersion).toBeGreaterThan(0)
  expect(await journal()).toEqual([{ query_id: row.query_id }])
  expect(await history()).toEqual([])
  await store.end(endOf(row))
  expect(await history()).toEqual([finished(row)])
  expect(await journal()).toEqual([])
})

test('what writes, and what is sent with an id, is written in the history at once', async () => {
  const program = await requestsOf('mysql')
  await createQueryStore(program.db).accept([program.rowOf('CREATE TABLE t (i INT)')])
  expect(await program.journal()).toEqual([])
  expect(await program.history()).toMatchObject([{ state: 'running' }])
  const service = await requestsOf('service')
  await createQueryStore(service.db).accept([service.rowOf('SELECT 1')])
  expect(await service.journal()).toEqual([])
})

test('several that come in one moment are each accepted, and ended together with others', async () => {
  const { db, rowOf, journal, history } = await requestsOf('mysql')
  const store = createQueryStore(db)
  const rows = Array.from({ length: 20 }, (_, index) => rowOf(`SELECT ${index}, '"\\{}'`))
  const writing = rowOf('CREATE TABLE t (i INT)')
  const accepted = await Promise.all([...rows, writing].map((row) => store.accept([row])))
  expect(accepted.every((one) => (one?.identityVersion ?? 0) > 0)).toBe(true)
  await store.endAll([...rows, writing].map(endOf))
  expect((await history()).map(({ state }) => state)).toEqual(Array(21).fill('finished'))
  expect(await journal()).toEqual([])
})

test('who reads the history sees what runs, as it is by now', async () => {
  const { db, rowOf, journal, history } = await requestsOf('mysql')
  const store = createQueryStore(db)
  const [first, second] = [rowOf('SELECT 1'), rowOf('SELECT 2')]
  await store.accept([first])
  await store.accept([second])
  await store.wait({ queryId: first.query_id, acceptedAt: first.accepted_at })
  expect(await history()).toEqual([])
  // At the same time its end comes: it is written behind that.
  await Promise.all([store.inHistory(), store.end(endOf(second))])
  expect(await history()).toMatchObject([{ state: 'accepted' }, { state: 'finished', row_count: 7 }])
  expect(await journal()).toEqual([])
  await store.end(endOf(first))
  expect(await history()).toEqual([finished(first), finished(second)])
})

test('one that begins in another catalog than it was accepted in is in the history before it begins', async () => {
  const { db, connection, rowOf, journal, history } = await requestsOf('mysql')
  const store = createQueryStore(db)
  const row = rowOf('SELECT 1')
  await store.accept([row])
  const key = { queryId: row.query_id, acceptedAt: row.accepted_at }
  await store.start(key, row.accepted_at, { ...connection, engine: row.engine })
  expect(await history()).toEqual([])
  await store.start(key, row.accepted_at, { ...connection, catalog: 'other', engine: row.engine })
  expect(await history()).toMatchObject([{ state: 'running', catalog_id: 'other' }])
  expect(await journal()).toEqual([])
})

test('what a server left in the journal was interrupted, once', async () => {
  const { db, rowOf, journal, history } = await requestsOf('mysql')
  const row = rowOf("SELECT 'it''s \"so\"'")
  await createQueryStore(db).accept([row])
  const next = createQueryStore(db)
  await next.interruptUnfinished(new Date())
  await next.interruptUnfinished(new Date())
  expect(await history()).toMatchObject([{ query_id: row.query_id, state: 'interrupted', effect: null }])
  expect(await journal()).toEqual([])
  const { sql } = await db.selectFrom('statements').select('sql').executeTakeFirstOrThrow()
  expect(sql).toBe(row.sql)
})

test.each([true, false])(
  'an acceptance of which no answer came is made once, written before: %s',
  async (isMade) => {
    const { db, rowOf, journal } = await requestsOf('mysql')
    const row = rowOf('SELECT 1')
    expect(await createQueryStore(losingAnswer(db, 1, isMade)).accept([row])).not.toBeNull()
    expect(await journal()).toEqual([{ query_id: row.query_id }])
  },
)

test.each([true, false])(
  'an end of which no answer came can be written again, written before: %s',
  async (isMade) => {
    const { db, rowOf, journal, history } = await requestsOf('mysql')
    const store = createQueryStore(losingAnswer(db, 2, isMade))
    const row = rowOf('SELECT 1')
    await store.accept([row])
    await expect(store.end(endOf(row))).rejects.toThrow('terminated')
    await store.end(endOf(row))
    expect(await history()).toEqual([finished(row)])
    expect(await journal()).toEqual([])
  },
)

test.each([true, false])(
  'the end of one that could not be moved while it ran is not lost, moved after all: %s',
  async (isMade) => {
    const { db, rowOf, journal, history } = await requestsOf('mysql')
    const store = createQueryStore(losingAnswer(db, 2, isMade))
    const row = rowOf('SELECT 1')
    await store.accept([row])
    const moved = store.inHistory()
    const ended = store.end(endOf(row))
    await expect(moved).rejects.toThrow('terminated')
    await ended
    expect(await history()).toEqual([finished(row)])
    expect(await journal()).toEqual([])
  },
)

test('what an account has in the journal goes with it, and does not come back', async () => {
  const { db, accountId, rowOf, journal, history } = await requestsOf('mysql')
  const store = createQueryStore(db)
  const row = rowOf('SELECT 1')
  await store.accept([row])
  await deleteStatementsOf(db, accountId)
  expect(await journal()).toEqual([])
  await store.end(endOf(row))
  expect(await history()).toEqual([])
})

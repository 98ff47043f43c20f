import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rowsUpTo } from '../conformance/fixture.ts'
import type { WriteNotes } from '../engine/cluster-space.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import type { EngineSession } from '../engine/session.ts'
import { createTrinoProvider } from './provider.ts'
import {
  answer,
  cut,
  type PlayedCluster,
  playCluster,
  type Reaction,
  silent,
  status,
  text,
} from './testing/bad-coordinator.ts'

const ONE_COLUMN = [{ name: 'n', type: 'bigint' }]
/** What an engine asks before it is opened. */
const PREPARED: readonly Reaction[] = [
  answer({ next: '/v1/statement/queued/1' }),
  answer({ updateType: 'CREATE SCHEMA' }),
]
/** What a session asks before it is opened. */
const OPENED: readonly Reaction[] = [
  answer({ next: '/v1/statement/queued/1' }),
  answer({ columns: ONE_COLUMN, data: '[[1]]' }),
]
const ACCEPTED = answer({ next: '/v1/statement/queued/1' })
const ENDED = answer({ columns: ONE_COLUMN, data: '[[9007199254740993]]' })

interface Day {
  readonly played: PlayedCluster
  readonly engine: Engine
  readonly session: EngineSession
}

/** As patient as the product, unless a test is about the end of it. */
async function aDay(
  options: Parameters<typeof createTrinoProvider>[0] = {},
  notes?: WriteNotes,
): Promise<Day> {
  const played = await playCluster()
  const resultsDirectory = await mkdtemp(join(tmpdir(), 'boathouse-days-'))
  onTestFinished(() => rm(resultsDirectory, { recursive: true }))
  const provider = createTrinoProvider(options)
  const { cluster } = played
  const size = { threads: 1, memoryBytes: 1 }
  played.play(...PREPARED)
  const space = { accountId: 'a', warehouseId: 'w', resultsDirectory, cluster, ...size }
  const engine = await provider.open({ ...space, ...(notes && { notes }) })
  played.play(...OPENED)
  const session = await engine.openSession({
    catalog: 'lake',
    database: 'main',
    timeZone: 'UTC',
    variables: {},
  })
  played.asked.length = 0
  return { played, engine, session }
}

const outcomeOf = (session: EngineSession, sql = 'SELECT n FROM t') =>
  session.execute(sql, rowsUpTo(10)).outcome

const FINISHED = { state: 'finished', result: { rows: [['9007199254740993']] } }
const methods = ({ asked }: PlayedCluster) => asked.map(({ method }) => method)

test.each([502, 503, 504, 429])('sends a request again that was answered with %d', async (code) => {
  const { played, session } = await aDay()
  played.play(status(code), ACCEPTED, status(code), status(code), ENDED)
  expect(await outcomeOf(session)).toMatchObject(FINISHED)
  expect(methods(played)).toEqual(['POST', 'POST', 'GET', 'GET', 'GET'])
})

test.each([
  ['late', 'The catalog late comes with the next start.'],
  ['nowhere', "Catalog 'nowhere' not found"],
])(
  'a catalog %s that the cluster does not have says why, and the engine is not to blame',
  async (name, message) => {
    const { played, session } = await aDay()
    const error = {
      message: `line 1:15: Catalog '${name}' not found`,
      errorName: 'CATALOG_NOT_FOUND',
      errorType: 'USER_ERROR',
    }
    played.play(ACCEPTED, answer({ error }))
    expect(await outcomeOf(session, `SELECT n FROM ${name}.main.t`)).toMatchObject({
      state: 'failed',
      error: { kind: 'missing', message },
    })
  },
)

test('waits as long as it is asked to before it sends a request again', async () => {
  const { played, session } = await aDay()
  played.play(ACCEPTED, status(429, { 'retry-after': '0.3' }), ENDED)
  const begun = performance.now()
  expect(await outcomeOf(session)).toMatchObject(FINISHED)
  expect(performance.now() - begun).toBeGreaterThan(290)
})

test('waits for no longer than its patience, whatever it is asked for', async () => {
  const { played, session } = await aDay()
  played.play(status(503, { 'retry-after': '3600' }))
  expect(await outcomeOf(session)).toMatchObject({
    state: 'failed',
    error: { kind: 'unavailable', message: 'The cluster is too busy (503).' },
  })
})

test('sends a request again when the line was cut, and asks for the same page', async () => {
  const { played, session } = await aDay()
  played.play(cut, ACCEPTED, cut, ENDED)
  expect(await outcomeOf(session)).toMatchObject(FINISHED)
  expect(played.asked.slice(2).map(({ path }) => path)).toEqual([
    '/v1/statement/queued/1',
    '/v1/statement/queued/1',
  ])
})

test('asks again when there is no answer in time', async () => {
  const { played, session } = await aDay({ silentAfterMs: 5_000 })
  played.play(ACCEPTED, silent, ENDED)
  expect(await outcomeOf(session)).toMatchObject(FINISHED)
})

test('says that nothing was run when the cluster cannot be reached', async () => {
  const { played, session } = await aDay({ patienceMs: 100 })
  played.play(cut)
  expect(await outcomeOf(session, 'INSERT INTO t VALUES (1)')).toMatchObject({
    state: 'failed',
    error: { kind: 'unavailable', message: 'The cluster cannot be reached.' },
  })
})

test('says that nobody knows what became of a statement that writes, once it had begun', async () => {
  const { played, session } = await aDay({ patienceMs: 100 })
  played.play(ACCEPTED, cut)
  expect(await outcomeOf(session, 'INSERT INTO t VALUES (1)')).toEqual({
    state: 'lost',
    reason: 'The cluster cannot be reached.',
  })
  played.play(ACCEPTED, text('<html>proxy</html>'))
  expect(await outcomeOf(session, 'INSERT INTO t VALUES (1)')).toMatchObject({ state: 'lost' })
  played.play(ACCEPTED, status(404))
  expect(await outcomeOf(session, 'INSERT INTO t VALUES (1)')).toMatchObject({ state: 'lost' })
})

test.each([
  ['no JSON', text('<html>')],
  ['nothing', text('')],
  ['a list', text('[]')],
  ['an answer without an id', text('{"stats":{}}')],
  ['rows that are none', answer({ columns: ONE_COLUMN, data: '7' })],
  ['a link to another server', text('{"id":"q","stats":{},"nextUri":"http://example.com/v1"}')],
  ['a link that is none', text('{"id":"q","stats":{},"nextUri":"nowhere"}')],
])('fails with a sentence when the cluster answers with %s', async (_, nonsense) => {
  const { played, session } = await aDay()
  played.play(ACCEPTED, nonsense)
  expect(await outcomeOf(session)).toMatchObject({
    state: 'failed',
    error: {
      kind: 'internal',
      message: expect.stringMatching(/^The cluster gave an answer that makes no sense/),
    },
  })
})

test.each([
  [401, 'The cluster does not accept the service.'],
  [403, 'The cluster does not accept the service.'],
  [500, 'The cluster answered with the status 500.'],
])('sends a request only once that was answered with %d', async (code, message) => {
  const { played, session } = await aDay()
  played.play(status(code))
  expect(await outcomeOf(session)).toMatchObject({ state: 'failed', error: { kind: 'internal', message } })
  expect(played.asked).toHaveLength(1)
})

test('follows no redirect: what proves the service would go along', async () => {
  const { played, session } = await aDay({ patienceMs: 100 })
  played.play(status(302, { location: 'http://example.com/' }))
  expect(await outcomeOf(session)).toMatchObject({ state: 'failed' })
})

test('tells an error with its place and without a stack, and cuts one of thousands of lines', async () => {
  const { played, session } = await aDay()
  const error = {
    message: `line 2:3: Column 'm' cannot be resolved${'\n\tat io.trino'.repeat(2000)}`,
    errorName: 'COLUMN_NOT_FOUND',
    errorType: 'USER_ERROR',
    errorLocation: { lineNumber: 2, columnNumber: 3 },
    failureInfo: { stack: ['at io.trino.Secret'] },
  }
  played.play(ACCEPTED, answer({ error }))
  const outcome = await outcomeOf(session, 'SELECT\n  m')
  expect(outcome).toMatchObject({
    state: 'failed',
    error: { kind: 'missing', offset: 9, code: 'missing-column' },
  })
  expect(JSON.stringify(outcome)).not.toContain('Secret')
  expect(JSON.stringify(outcome).length).toBeLessThan(3000)
})

test.each(['REMOTE_TASK_ERROR', 'REMOTE_HOST_GONE', 'PAGE_TRANSPORT_TIMEOUT'])(
  'says that a worker ended, and not where it was: %s',
  async (errorName) => {
    const { played, session } = await aDay()
    const message = 'Encountered too many errors talking to a worker node (http://127.0.0.1:36503/v1/task)'
    played.play(ACCEPTED, answer({ error: { message, errorName, errorType: 'INTERNAL_ERROR' } }))
    const outcome = await outcomeOf(session, 'SELECT 1')
    expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'unavailable' } })
    expect(JSON.stringify(outcome)).toContain('A worker of the cluster ended or hung')
    expect(JSON.stringify(outcome)).not.toContain('127.0.0.1')
  },
)

test('ends what runs and what waits when the cluster is lost', async () => {
  const { played, engine, session } = await aDay()
  played.play(ACCEPTED, silent)
  const runs = [outcomeOf(session), outcomeOf(session)]
  await expect.poll(() => played.asked.length).toBe(2)
  played.lose('its coordinator ended')
  const lost = { state: 'lost', reason: 'its coordinator ended' }
  expect(await Promise.all(runs)).toEqual([lost, lost])
  expect(await outcomeOf(session)).toMatchObject({ state: 'failed', error: { kind: 'unavailable' } })
  const state = { catalog: 'lake', database: null, timeZone: 'UTC', variables: {} }
  await expect(engine.openSession(state)).rejects.toBeInstanceOf(EngineUnavailable)
})

test('says which file of a table is gone, and not where the lake is', async () => {
  const { played, session } = await aDay()
  const message =
    'Error opening Iceberg split local:///sales/orders-1/data/a-b.parquet (offset=4, length=862): local:///x'
  const error = { message, errorName: 'ICEBERG_CANNOT_OPEN_SPLIT', errorType: 'EXTERNAL' }
  played.play(ACCEPTED, answer({ error }))
  expect(await outcomeOf(session)).toMatchObject({
    state: 'failed',
    error: {
      kind: 'data',
      message:
        'A file of a table in this statement cannot be read: a-b.parquet. It may have been removed from the folder of the lake. Restore it, or drop the table.',
    },
  })
})

test('sends all of a session with each statement, and changes it as answers say', async () => {
  const { played, session } = await aDay()
  const changes = {
    'x-trino-set-catalog': 'hills',
    'x-trino-set-schema': 'green',
    'x-trino-set-session': 'query_priority=2+%2B+1',
    'x-trino-added-prepare': 'mine=SELECT+1%2C+2',
  }
  played.play(ACCEPTED, answer({ updateType: 'SET SESSION', headers: changes }))
  await outcomeOf(session, 'SET SESSION query_priority = 1')
  played.play(ACCEPTED, answer({ headers: { 'x-trino-clear-session': 'query_priority' } }), ACCEPTED, ENDED)
  await outcomeOf(session, 'RESET SESSION query_priority')
  await outcomeOf(session)
  const sent = played.asked.filter(({ method }) => method === 'POST').map(({ headers }) => headers)
  expect(sent).toMatchObject([
    {
      'x-trino-catalog': 'lake',
      'x-trino-schema': 'main',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    },
    {
      'x-trino-catalog': 'hills',
      'x-trino-schema': 'green',
      'x-trino-session': 'query_priority=2%20%2B%201',
      'x-trino-prepared-statement': 'mine=SELECT%201%2C%202',
    },
    { 'x-trino-catalog': 'hills' },
  ])
  expect(sent[2]).not.toHaveProperty('x-trino-session')
})

test('what writes is noted before it begins, by the name that the cluster gave it', async () => {
  const noted: unknown[] = []
  const begunBefore: number[] = []
  const { played, session } = await aDay(
    {},
    {
      async begins(write) {
        noted.push(write)
        begunBefore.push(played.asked.length)
      },
    },
  )
  played.play(ACCEPTED, answer({ updateType: 'INSERT', updateCount: 1 }))
  const insert = { ...rowsUpTo(1), queryId: 'ours', takenFor: null, authorize: 'all' } as const
  expect((await session.execute('INSERT INTO Boats VALUES (1)', insert).outcome).state).toBe('finished')
  const target = { type: 'table', catalog: 'lake', database: 'main', name: 'boats' }
  expect(noted).toEqual([{ queryId: 'ours', remoteId: 'q_1', target, leavesSnapshot: true }])
  // It was announced, and nothing else.
  expect(begunBefore).toEqual([1])

  played.play(ACCEPTED, answer({ updateType: 'COMMENT' }))
  await session.execute('EXPLAIN ANALYZE DELETE FROM port.ships', insert).outcome
  played.play(ACCEPTED, ENDED)
  await session.execute('SELECT 1', insert).outcome
  expect(noted.slice(1)).toEqual([
    {
      queryId: 'ours',
      remoteId: 'q_1',
      target: { ...target, database: 'port', name: 'ships' },
      leavesSnapshot: true,
    },
  ])
})

test('nothing runs that could not be noted', async () => {
  const { played, session } = await aDay({}, { begins: () => Promise.reject(new Error('The disk is full.')) })
  played.play(ACCEPTED, answer({ updateType: 'INSERT', updateCount: 1 }))
  const insert = { ...rowsUpTo(1), takenFor: null, authorize: 'all' } as const
  expect(await session.execute('INSERT INTO boats VALUES (1)', insert).outcome).toMatchObject({
    state: 'failed',
    error: { kind: 'unavailable', message: expect.stringContaining('did not run') },
  })
  expect(played.asked.map(({ method }) => method)).not.toContain('GET')
})

test('a statement that nobody listens to is ended, and only then can change nothing any more', async () => {
  const { played, engine } = await aDay({ patienceMs: 200 })
  played.play(text(''), text('{"state":"FINISHING"}'), text('{"state":"FAILED"}'))
  await engine.endStatement?.('q_9')
  expect(played.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'DELETE /v1/query/q_9',
    'GET /v1/query/q_9?pruned=true',
    'GET /v1/query/q_9?pruned=true',
  ])
  // It is forgotten: it ended long ago.
  played.play(status(410))
  await engine.endStatement?.('q_9')
  played.play(cut)
  await expect(engine.endStatement?.('q_9')).rejects.toBeInstanceOf(EngineUnavailable)
})

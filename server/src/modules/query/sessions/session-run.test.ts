import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kindOf } from '@boathouse/sql'
import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../engines/engine/engine.ts'
import type { Outcome } from '../../../engines/engine/outcome.ts'
import { PROGRESS_UNKNOWN } from '../../../engines/engine/run.ts'
import { createScriptedProvider } from '../../../engines/scripted/provider.ts'
import type { Connection } from './connection.ts'
import type { EffectKnown } from '../running/ending.ts'
import { createEngineSessions } from './engine-sessions.ts'
import { runInSession } from './session-run.ts'

const connection: Connection = {
  id: 1,
  catalog: 'default_catalog',
  database: 'main',
  warehouseId: null,
  warehouse: 'default_warehouse',
  engine: 'scripted',
  variables: {},
  inTransaction: false,
  hasTemporary: false,
}

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-session-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const provider = createScriptedProvider()
  const space = {
    accountId: 'a',
    directory,
    threads: 1,
    memoryBytes: 2 ** 28,
    tempBytes: 2 ** 28,
    osUser: null,
  }
  const sessions = createEngineSessions()
  const effects = {
    ask: async () => 'not taken' as const,
    settleAccount: async () => undefined,
    settleAll: async () => undefined,
  }
  const engine = await provider.open(space)
  onTestFinished(() => engine.close())
  const run = (sql: string, of: Connection = connection) =>
    runInSession({ sessions, effects }, engine, {
      accountId: 'a',
      user: 'anna',
      connection: of,
      sql,
      kind: kindOf(sql),
      draws: false,
      part: 'user',
      options: {
        takenFor: 'session',
        authorize: 'all',
        maxRows: 1,
        queryId: 'q',
        keep: null,
        profile: null,
      },
      stop: new AbortController().signal,
      onRun: () => undefined,
    })
  return { run, crash: () => provider.crash('its process ended (SIGKILL)') }
}

const notRun = {
  state: 'failed',
  error: {
    code: 'Unavailable',
    message:
      'The engine ended before this statement ran (its process ended (SIGKILL)). It did not run. Run it again.',
  },
}

test('an engine that ended before the session was opened ran nothing, and the answer says so', async () => {
  const { run, crash } = await setUp()
  crash()
  expect(await run('BEGIN')).toMatchObject(notRun)
})

test('an engine that ended in an open session ends its transaction, and the loss is reported', async () => {
  const { run, crash } = await setUp()
  expect(await run('BEGIN')).toMatchObject({ state: 'finished', move: { inTransaction: true } })
  crash()
  const ending = await run('COMMIT', { ...connection, inTransaction: true })
  expect(ending).toMatchObject(notRun)
  expect(ending.move).toBeUndefined()
})

const lostInTheMiddle = {
  outcome: Promise.resolve({ state: 'lost', reason: 'its process ended (SIGKILL)' } as const),
  progress: () => PROGRESS_UNKNOWN,
  cancel: async () => undefined,
}

test.each([
  ['taken', { inTransaction: false, hasTemporary: true }],
  ['unknown', { inTransaction: false, hasTemporary: true }],
  ['not taken', undefined],
] as const)('a COMMIT that is lost with its engine and is %s leaves its session so', async (effect, move) => {
  const session = { execute: () => lostInTheMiddle, close: async () => undefined }
  const engine = { kind: 'scripted', openSession: async () => session, lost: new Promise(() => undefined) }
  const effects = {
    ask: async (): Promise<Exclude<EffectKnown, null>> => effect,
    settleAccount: async () => undefined,
    settleAll: async () => undefined,
  }
  const sessions = createEngineSessions()
  const begun = { connection, user: 'anna', part: 'user', kind: 'begin' } as const
  await sessions.enter(engine as unknown as Engine, begun)
  const ending = await runInSession({ sessions, effects }, engine as unknown as Engine, {
    accountId: 'a',
    user: 'anna',
    connection: { ...connection, inTransaction: true, hasTemporary: true },
    sql: 'COMMIT',
    kind: 'commit',
    draws: false,
    part: 'user',
    options: { takenFor: 'session', authorize: 'all', maxRows: 1, queryId: 'q', keep: null, profile: null },
    stop: new AbortController().signal,
    onRun: () => undefined,
  })
  expect(ending).toMatchObject({ state: 'interrupted', effect })
  expect(ending.move).toEqual(move)
})

const READS = {
  takenFor: 'reads',
  authorize: 'all',
  maxRows: 1,
  queryId: 'q',
  keep: null,
  profile: null,
} as const

/** A statement that does not stop on request, until its engine is ended. */
async function runStubborn(
  sql: string,
  {
    stop = new AbortController(),
    effect = 'not taken' as Exclude<EffectKnown, null>,
    takenFor = 'reads' as 'reads' | 'writes',
    variables = {} as Record<string, string>,
  },
) {
  let lose: (outcome: Outcome) => void = () => undefined
  const outcome = new Promise<Outcome>((resolve) => (lose = resolve))
  const run = {
    outcome,
    progress: () => PROGRESS_UNKNOWN,
    cancel: async () => lose({ state: 'lost', reason: 'it did not stop' }),
  }
  const session = { makeReady: () => undefined, execute: () => run, close: async () => undefined }
  const engine = { kind: 'scripted', openSession: async () => session, lost: new Promise(() => undefined) }
  const effects = {
    ask: async () => effect,
    settleAccount: async () => undefined,
    settleAll: async () => undefined,
  }
  return runInSession({ sessions: createEngineSessions(), effects }, engine as unknown as Engine, {
    accountId: 'a',
    user: 'anna',
    connection: { ...connection, variables },
    sql,
    kind: kindOf(sql),
    draws: sql.includes('nextval'),
    part: 'user',
    options: { ...READS, takenFor },
    stop: stop.signal,
    onRun: () => undefined,
  })
}

test('a statement that runs out of time is answered so, also when the engine had to be ended for it', async () => {
  const ending = await runStubborn('SELECT 1', { variables: { query_timeout: '1' } })
  expect(ending).toMatchObject({
    state: 'failed',
    error: {
      code: 'StatementTimedOut',
      message: 'Stopped after 1 s, the query_timeout of this connection. The engine had to be stopped.',
    },
  })
  expect(ending.engineLost).toBeUndefined()
})

test.each([
  ['not taken', { error: { code: 'StatementTimedOut' }, effect: 'not taken' }],
  ['taken', { error: { code: 'Interrupted' }, effect: 'taken' }],
  ['unknown', { error: { code: 'Interrupted' }, effect: 'unknown' }],
] as const)(
  'the answer of a write that is ended by force when its time is up says that it is %s',
  async (effect, expected) => {
    const write = { takenFor: 'writes', variables: { query_timeout: '1' }, effect } as const
    expect(await runStubborn('INSERT INTO t VALUES (1)', write)).toMatchObject(expected)
  },
)

test('a statement that is stopped is answered so, also when the engine had to be ended for it', async () => {
  const stop = new AbortController()
  const ending = runStubborn('SELECT 1', { stop })
  await new Promise((resolve) => setImmediate(resolve))
  stop.abort()
  expect(await ending).toMatchObject({ state: 'cancelled', error: { code: 'Cancelled' } })
})

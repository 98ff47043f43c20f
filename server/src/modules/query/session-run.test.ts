import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Engine, PROGRESS_UNKNOWN } from '../../engines/engine.ts'
import { createFakeProvider } from '../../engines/fake/provider.ts'
import type { Connection } from './connections.ts'
import type { EffectKnown } from './ending.ts'
import { createEngineSessions } from './engine-sessions.ts'
import { runInSession } from './session-run.ts'

const connection: Connection = {
  id: 1,
  catalog: 'default_catalog',
  database: 'main',
  warehouse: 'default_warehouse',
  variables: {},
  inTransaction: false,
  hasTemporary: false,
}

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-session-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const provider = createFakeProvider()
  const space = { accountId: 'a', directory, threads: 1, memoryBytes: 2 ** 28, tempBytes: 2 ** 28 }
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
      connection: of,
      sql,
      part: 'user',
      options: { takenFor: 'session', maxRows: 1, queryId: 'q', keep: null, profile: false },
      stop: new AbortController().signal,
      onRun: () => undefined,
    })
  return { run, crash: () => provider.crash('its process ended (SIGKILL)') }
}

const notRun = {
  state: 'failed',
  code: 'Unavailable',
  message:
    'The engine ended before this statement ran (its process ended (SIGKILL)). Nothing of it was run: run it again.',
}

test('an engine that ended before the session was opened ran nothing, and the answer says so', async () => {
  const { run, crash } = await setUp()
  crash()
  expect(await run('BEGIN')).toMatchObject(notRun)
})

test('an engine that ended in an open session takes the transaction along without forgetting to tell', async () => {
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
  const session = { makeReady: () => undefined, execute: () => lostInTheMiddle, close: async () => undefined }
  const engine = { openSession: async () => session, lost: new Promise(() => undefined) }
  const effects = {
    ask: async (): Promise<Exclude<EffectKnown, null>> => effect,
    settleAccount: async () => undefined,
    settleAll: async () => undefined,
  }
  const sessions = createEngineSessions()
  await sessions.enter(engine as unknown as Engine, connection)
  const ending = await runInSession({ sessions, effects }, engine as unknown as Engine, {
    accountId: 'a',
    connection: { ...connection, inTransaction: true, hasTemporary: true },
    sql: 'COMMIT',
    part: 'user',
    options: { takenFor: 'session', maxRows: 1, queryId: 'q', keep: null, profile: false },
    stop: new AbortController().signal,
    onRun: () => undefined,
  })
  expect(ending).toMatchObject({ state: 'interrupted', effect })
  expect(ending.move).toEqual(move)
})

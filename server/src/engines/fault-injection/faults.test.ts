import { expect, test } from 'vitest'
import { testSpace, cell, openSession, ownEngine, rowsOf, rowsUpTo } from '../conformance/fixture.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import { createScriptedProvider } from '../scripted/provider.ts'

async function openScripted() {
  const provider = createScriptedProvider()
  const engine = await ownEngine({ provider, kill: () => {} })
  return { provider, engine, session: await openSession(engine) }
}

test('holds statements until they are released', async () => {
  const { provider, engine, session } = await openScripted()
  provider.hold()
  let isOver = false
  const run = session.execute('SELECT 42', rowsUpTo(1))
  void run.outcome.finally(() => (isOver = true))
  // A session that is not held up by it shows that time has passed.
  await (await openSession(engine)).close()
  expect(isOver).toBe(false)
  provider.release()
  expect(await run.outcome).toMatchObject({ state: 'finished', result: { rows: [['42']] } })
  expect(await cell(session, 'SELECT 1')).toBe('1')
})

test('does not run a held statement that was cancelled, nor one whose engine crashed', async () => {
  const { provider, engine, session } = await openScripted()
  await rowsOf(session, 'CREATE TABLE t (i INT)')
  provider.hold()
  const [cancelled, lost] = [1, 2].map((i) => session.execute(`INSERT INTO t VALUES (${i})`, rowsUpTo(1)))
  await cancelled?.cancel()
  provider.crash('pulled the plug')
  provider.release()
  expect(await cancelled?.outcome).toMatchObject({ state: 'cancelled' })
  expect(await lost?.outcome).toEqual({ state: 'lost', reason: 'pulled the plug' })
  expect(await engine.lost).toBe('pulled the plug')
})

test('ends a held statement when its engine is closed', async () => {
  const { provider, engine, session } = await openScripted()
  provider.hold()
  const run = session.execute('SELECT 1', rowsUpTo(1))
  await engine.close()
  expect(await run.outcome).toMatchObject({ state: 'cancelled' })
})

test('fails to open once on request', async () => {
  const provider = createScriptedProvider()
  const space = await testSpace()
  provider.failNextOpen('no more memory')
  await expect(provider.open(space)).rejects.toThrow(new EngineUnavailable('no more memory'))
  expect(
    await cell(await openSession(await ownEngine({ provider, kill: () => {} }, space)), 'SELECT 1'),
  ).toBe('1')
})

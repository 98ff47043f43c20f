import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { EngineUnavailable } from '../engine/engine.ts'
import {
  STATE,
  cell,
  cells,
  must,
  openSession,
  ownEngine,
  rowsOf,
  rowsUpTo,
  runUnderId,
  type SharedEngine,
  sharedEngine,
  testSpace,
} from './fixture.ts'
import type { Suite } from './suite.ts'

/** Which statements an engine says took effect. */
function rememberedTests(shared: SharedEngine, { words }: Suite): void {
  const effects = () => must(shared.engine().effects)
  const tookEffect = async (queryId: string) => (await effects().tookEffect([queryId])).get(queryId)

  test('remembers every statement that writes, with the rows it changed', async () => {
    const session = await openSession(shared.engine())
    const statements: readonly (readonly [sql: string, rowsChanged: number | null])[] = [
      [words.createTable('noted'), null],
      [words.insert('noted', 1, 2, 3), 3],
      [words.deleteValue('noted', 3), 1],
      [words.deleteValue('noted', 100), 0],
      [words.createNumbered('noted_too', 7), 7],
      [words.dropTable('noted'), null],
    ]
    for (const [sql, rowsChanged] of statements) {
      const { queryId, outcome } = await runUnderId(session, sql)
      expect({ sql, state: outcome.state }).toEqual({ sql, state: 'finished' })
      expect({ sql, effect: await tookEffect(queryId) }).toEqual({ sql, effect: { rowsChanged } })
    }
  })

  test('answers for many statements at once, and names only those that took effect', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createKeyed('many'))
    const runs = []
    for (const sql of [
      words.insert('many', 1),
      words.insert('many', 1),
      words.select('many'),
      words.insert('many', 2),
    ])
      runs.push(await runUnderId(session, sql))
    const ids = runs.map(({ queryId }) => queryId)
    const taken = await effects().tookEffect([...ids, randomUUID()])
    expect(new Set(taken.keys())).toEqual(new Set([ids[0], ids[3]]))
    expect(await effects().tookEffect([])).toEqual(new Map())
  })

  test('counts the statements of a transaction when it is committed, and not before', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('grouped'))
    await rowsOf(session, words.begin)
    const insert = await runUnderId(session, words.insert('grouped', 1))
    expect(await tookEffect(insert.queryId)).toBeUndefined()
    const commit = await runUnderId(session, words.commit)
    expect(await tookEffect(insert.queryId)).toEqual({ rowsChanged: 1 })
    expect(await tookEffect(commit.queryId)).toEqual({ rowsChanged: null })
    await rowsOf(session, words.begin)
    const undone = await runUnderId(session, words.insert('grouped', 2))
    await rowsOf(session, words.rollback)
    expect(await tookEffect(undone.queryId)).toBeUndefined()
  })
}

/** What it says of statements that were cut off. */
function cutOffTests(shared: SharedEngine, { open, words }: Suite): void {
  const effects = () => must(shared.engine().effects)
  const tookEffect = async (queryId: string) => (await effects().tookEffect([queryId])).get(queryId)

  test('agrees with what is there, whenever a statement that writes is cancelled', async () => {
    const session = await openSession(shared.engine())
    for (let round = 0; round < 12; round++) {
      await rowsOf(session, words.createTable(`stopped_${round}`))
      const options = rowsUpTo(1)
      const run = session.execute(words.insertNumbers(`stopped_${round}`, 1 + round * 5000), options)
      for (let tick = 0; tick < round % 4; tick++) await new Promise((resolve) => setImmediate(resolve))
      await run.cancel()
      const { state } = await run.outcome
      const isThere = (await cell(session, words.count(`stopped_${round}`))) !== '0'
      const isNoted = (await tookEffect(options.queryId)) !== undefined
      const isDone = state === 'finished'
      expect({ round, isNoted, isThere }).toEqual({ round, isNoted: isDone, isThere: isDone })
    }
  })

  test('is right about every statement that was running when the engine was lost', async () => {
    const fixture = await open()
    const space = await testSpace()
    const written = new Map<string, number>()
    for (let round = 0; round < 3; round++) {
      const engine = await ownEngine(fixture, space)
      const session = await engine.openSession(STATE)
      await rowsOf(session, words.createUnlessThere('numbered'))
      const runs = Array.from({ length: 30 }, (_, i) => {
        const options = rowsUpTo(1)
        written.set(options.queryId, round * 100 + i)
        return session.execute(words.insert('numbered', round * 100 + i), options)
      })
      await runs[4 + round]?.outcome
      fixture.kill(engine)
      await engine.lost
      const acknowledged = await Promise.all(runs.map((run) => run.outcome))
      expect(acknowledged.filter(({ state }) => state === 'finished').length).toBeGreaterThan(4)
      expect(acknowledged.at(-1)?.state).toBe('lost')
      await expect(must(engine.effects).tookEffect(['x'])).rejects.toBeInstanceOf(EngineUnavailable)
      await engine.close()
    }
    const engine = await ownEngine(fixture, space)
    const taken = await must(engine.effects).tookEffect([...written.keys()])
    const noted = [...taken.keys()].map((id) => String(written.get(id)))
    const there = await cells(await openSession(engine), words.select('numbered'))
    expect(there).toHaveLength(noted.length)
    expect(new Set(there.map(([i]) => i))).toEqual(new Set(noted))
  })
}

function forgettingTests(shared: SharedEngine, { words }: Suite): void {
  const effects = () => must(shared.engine().effects)
  const tookEffect = async (queryId: string) => (await effects().tookEffect([queryId])).get(queryId)

  test('forgets what is older than asked', async () => {
    const session = await openSession(shared.engine())
    const { queryId } = await runUnderId(session, words.createTable('remembered'))
    await effects().forget(new Date(Date.now() - 3_600_000))
    expect(await tookEffect(queryId)).toEqual({ rowsChanged: null })
    await effects().forget(new Date(Date.now() + 3_600_000))
    expect(await tookEffect(queryId)).toBeUndefined()
  })
}

export function effectTests(suite: Suite): void {
  const shared = sharedEngine(suite.open)
  rememberedTests(shared, suite)
  cutOffTests(shared, suite)
  forgettingTests(shared, suite)
}

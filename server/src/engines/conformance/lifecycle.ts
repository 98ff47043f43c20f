import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EngineUnavailable } from '../engine/engine.ts'
import { cell, cells, failure, must, openSession, ownEngine, rowsOf, rowsUpTo, testSpace } from './fixture.ts'
import type { Suite } from './suite.ts'
import { lacks } from './suite-dialect.ts'

export function lifecycleTests({ open, words }: Suite): void {
  test('notifies everyone when it is lost, and is there again with what was committed', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const [session, other] = [await openSession(engine), await openSession(engine)]
    await rowsOf(session, words.createTable('kept'))
    await rowsOf(session, words.insert('kept', 42))
    if (!lacks(words, 'transactions')) {
      await rowsOf(session, words.begin)
      await rowsOf(session, words.insert('kept', 43))
    }
    const runs = [session.execute(words.endless, rowsUpTo(10)), session.execute(words.one(1), rowsUpTo(10))]
    await cell(other, words.one(1))

    fixture.kill(engine)
    const lost = { state: 'lost', reason: expect.stringMatching(/\S/) }
    expect(await Promise.all(runs.map((run) => run.outcome))).toEqual([lost, lost])
    expect(await engine.lost).toMatch(/\S/)
    await expect(openSession(engine)).rejects.toBeInstanceOf(EngineUnavailable)
    const late = await other.execute(words.one(1), rowsUpTo(10)).outcome
    expect(late).toMatchObject({ state: 'failed', error: { kind: 'unavailable' } })
    await Promise.all([...runs.map((run) => run.cancel()), session.close(), engine.close()])

    const again = await openSession(await ownEngine(fixture, space))
    expect(await cells(again, words.select('kept'))).toEqual([['42']])
  })

  test('ends everything and frees the files when it is closed, and keeps what was committed', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const session = await openSession(engine)
    await rowsOf(session, words.createNumbered('kept', 3))
    const run = session.execute(words.endless, rowsUpTo(10))
    let isLost = false
    void engine.lost.finally(() => (isLost = true))

    await Promise.all([engine.close(), engine.close()])
    expect((await run.outcome).state).toBe('cancelled')
    await expect(openSession(engine)).rejects.toBeInstanceOf(EngineUnavailable)

    const again = await openSession(await ownEngine(fixture, space))
    expect(await cell(again, words.count('kept'))).toBe('3')
    expect(isLost).toBe(false)
  })

  test.skipIf(lacks(words, 'a folder'))('refuses a folder that is in use', async () => {
    const fixture = await open()
    const space = await testSpace()
    await ownEngine(fixture, space)
    const second = fixture.provider.open(space)
    await expect(second).rejects.toBeInstanceOf(EngineUnavailable)
    await expect(second).rejects.toThrow('in use by another process')
    await expect(second).rejects.not.toThrow(space.directory)
  })

  test('does not start on a folder that cannot be made', async () => {
    const { provider } = await open()
    const space = await testSpace()
    await mkdir(join(space.directory, '..'), { recursive: true })
    await writeFile(space.directory, 'not a folder')
    await expect(provider.open(space)).rejects.toBeInstanceOf(EngineUnavailable)
  })

  test('keeps accounts apart', async () => {
    const fixture = await open()
    const [one, other] = [
      await openSession(await ownEngine(fixture, await testSpace('one'))),
      await openSession(await ownEngine(fixture, await testSpace('other'))),
    ]
    await rowsOf(one, words.createTable('t'))
    expect(await failure(other, words.select('t'))).toMatchObject({ kind: 'missing' })
  })
}

export function resizeTests({ open, words }: Suite): void {
  test('changes its size while statements run, and they keep running', async () => {
    const engine = await ownEngine(await open())
    const [session, other] = [await openSession(engine), await openSession(engine)]
    const running = session.execute(words.endless, rowsUpTo(1))
    const resize = (threads: number) => must(engine.resize)({ threads, memoryBytes: 2 ** 28 + threads })
    await resize(3)
    expect(await cell(other, words.one(1))).toBe('1')
    await running.cancel()
    expect((await running.outcome).state).toBe('cancelled')
    // Fewer threads are there when those that are busy have come to an end.
    await Promise.all([resize(1), resize(2)])
    expect(await cell(session, words.one(2))).toBe('2')
  })
}

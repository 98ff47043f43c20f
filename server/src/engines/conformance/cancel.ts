import { expect, test } from 'vitest'
import { cell, openSession, rowsOf, rowsUpTo, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

// Much more than it takes, also on a busy machine, and much less than the statement would.
const SOON_MS = 60_000

export function cancelTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  test('stops a running statement soon, and the session stays usable', async () => {
    const [session, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    const run = session.execute(words.endless, rowsUpTo(10))
    // Another session's answer shows that ours had the time to start.
    await cell(other, words.one(1))
    const asked = performance.now()
    await run.cancel()
    expect(performance.now() - asked).toBeLessThan(SOON_MS)
    expect(await run.outcome).toMatchObject({ state: 'cancelled' })
    expect(await cell(session, words.one(1))).toBe('1')
  })

  test('cancels at any moment between asking and running', async () => {
    const session = await openSession(shared.engine())
    for (let ticks = 0; ticks < 8; ticks++) {
      const run = session.execute(words.endless, rowsUpTo(10))
      for (let tick = 0; tick < ticks; tick++) await new Promise((resolve) => setImmediate(resolve))
      await run.cancel()
      expect(await run.outcome).toMatchObject({ state: 'cancelled' })
    }
    expect(await cell(session, words.one(1))).toBe('1')
  })

  test('cancels a statement that waits for its turn, and it alone', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('waited'))
    const [first, second] = [
      session.execute(words.endless, rowsUpTo(10)),
      session.execute(words.insert('waited', 1), rowsUpTo(10)),
    ]
    const third = session.execute(words.count('waited'), rowsUpTo(10))
    const cancelled = second.cancel()
    await first.cancel()
    await cancelled
    expect([await first.outcome, await second.outcome]).toMatchObject([
      { state: 'cancelled' },
      { state: 'cancelled' },
    ])
    expect(await third.outcome).toMatchObject({ state: 'finished', result: { rows: [['0']] } })
  })

  test('leaves nothing of a cancelled statement that writes', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('half'))
    const run = session.execute(words.insertNumbers('half', 1_000_000_000), rowsUpTo(10))
    await cell(await openSession(shared.engine()), words.one(1))
    await run.cancel()
    expect(await run.outcome).toMatchObject({ state: 'cancelled' })
    expect(await cell(session, words.count('half'))).toBe('0')
  })

  test('takes a cancel after the end, and a second one, for nothing', async () => {
    const session = await openSession(shared.engine())
    const run = session.execute(words.one(1), rowsUpTo(10))
    const outcome = await run.outcome
    await Promise.all([run.cancel(), run.cancel()])
    expect(await run.outcome).toBe(outcome)
    expect(outcome.state).toBe('finished')
    expect(await cell(session, words.one(2))).toBe('2')
  })

  test('ends the running statement when its session is closed', async () => {
    const session = await openSession(shared.engine())
    const run = session.execute(words.endless, rowsUpTo(10))
    await session.close()
    expect(await run.outcome).toMatchObject({ state: 'cancelled' })
  })
}

import { expect, test } from 'vitest'
import type { FinishedOutcome } from '../engine/outcome.ts'
import { cell, must, openSession, rowsOf, rowsUpTo, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

export function explainTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  test('shows a plan, and runs nothing of what is explained', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('planned'))
    const explain = must(shared.engine().explain)
    const { rows } = await rowsOf(session, explain(`EXPLAIN ${words.insert('planned', 1)}`))
    expect(rows.length).toBeGreaterThan(0)
    expect(await cell(session, words.count('planned'))).toBe('0')
  })
}

export function profileTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  test('reports how a statement really ran when it is asked to, and only then', async () => {
    const session = await openSession(shared.engine())
    const profile = must(shared.engine().profiling)
    const outcomeOf = (options: ReturnType<typeof rowsUpTo>) =>
      session.execute(words.numbers(5), options).outcome as Promise<FinishedOutcome>
    const profiled = await outcomeOf({ ...rowsUpTo(10), profile })
    expect(profiled.result.rows).toHaveLength(5)
    expect(profiled.profile).toMatchObject({ operator: expect.any(String), children: expect.any(Array) })
    expect((await outcomeOf(rowsUpTo(10))).profile).toBeNull()
  })
}

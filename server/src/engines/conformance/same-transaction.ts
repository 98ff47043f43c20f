import { expect, test } from 'vitest'
import type { EngineSession } from '../engine/session.ts'
import { cell, cells, openSession, rowsOf, rowsUpTo, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

/** Runs it while others make a change, after it was decided on and before it runs. */
async function runWhile(session: EngineSession, sql: string, change: () => Promise<unknown>) {
  let asked = 0
  const authorize = async () => {
    asked++
    await change()
    return null
  }
  const outcome = await session.execute(sql, { ...rowsUpTo(10), authorize }).outcome
  expect(asked).toBe(1)
  return outcome
}

/**
 * Of an engine whose uses are those `in the same transaction`: what was decided on is what runs, whatever others change
 * between the decision and the run.
 */
export function sameTransactionTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  async function inTransaction(session: EngineSession, ...statements: readonly string[]): Promise<void> {
    for (const sql of [words.begin, ...statements, words.commit]) await rowsOf(session, sql)
  }

  test('reads the table that was decided on, and not one that others have put in its place', async () => {
    const [session, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await inTransaction(session, words.createTable('replaced'), words.insert('replaced', 1))
    const outcome = await runWhile(session, words.select('replaced'), () =>
      inTransaction(
        other,
        words.dropTable('replaced'),
        words.createTable('replaced'),
        words.insert('replaced', 2),
      ),
    )
    expect(outcome).toMatchObject({ state: 'finished', result: { rows: [['1']] } })
    expect(await cells(session, words.select('replaced'))).toEqual([['2']])
  })

  test('reads through a view what that read when it was decided on', async () => {
    const [session, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    for (const [table, value] of [
      ['shown', 1],
      ['hidden', 2],
    ] as const)
      await inTransaction(session, words.createTable(table), words.insert(table, value))
    await rowsOf(session, words.createView('moving', 'shown'))
    const outcome = await runWhile(session, words.select('moving'), () =>
      inTransaction(other, words.dropView('moving'), words.createView('moving', 'hidden')),
    )
    expect(outcome).toMatchObject({ state: 'finished', result: { rows: [['1']] } })
    expect(await cells(session, words.select('moving'))).toEqual([['2']])
  })

  test('writes to the table that was decided on, or to none', async () => {
    const [session, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    const third = await openSession(shared.engine())
    await rowsOf(session, words.createTable('written'))
    let replacing = Promise.resolve(false)
    const outcome = await runWhile(session, words.insert('written', 1), async () => {
      replacing = inTransaction(other, words.dropTable('written'), words.createTable('written')).then(
        () => true,
        () => other.execute(words.rollback, rowsUpTo(1)).outcome.then(() => false),
      )
      // An engine may have it wait for the statement that is decided on, and answers others meanwhile.
      const answered = Promise.all(Array.from({ length: 20 }, () => cell(third, words.one(1))))
      await Promise.race([replacing, answered])
    })
    const isReplaced = await replacing
    const isWritten = outcome.state === 'finished'
    expect(await cell(session, words.count('written'))).toBe(isWritten && !isReplaced ? '1' : '0')
    expect(isWritten || isReplaced).toBe(true)
  })
}

import { expect, test } from 'vitest'
import { NOTHING_TO_LOSE, type SessionFacts, SessionRefused } from '../engine/session.ts'
import {
  cell,
  cells,
  failure,
  openSession,
  rowsOf,
  rowsUpTo,
  runUnderId,
  type SharedEngine,
  sharedEngine,
} from './fixture.ts'
import type { Suite } from './suite.ts'
import { lacks } from './suite-dialect.ts'

/** What a session is opened with, and who sees it. */
function stateTests(shared: SharedEngine, { words }: Suite): void {
  test('has the variables and the user that it is given', async () => {
    const session = await openSession(shared.engine(), {
      variables: { sql_select_limit: "it's 1000", 'a b': 'c' },
      user: "Anna O'Neill",
    })
    expect(await cell(session, words.variable('sql_select_limit'))).toBe("it's 1000")
    expect(await cell(session, words.variable('a b'))).toBe('c')
    expect(await cell(session, words.variable('no_such'))).toBeNull()
    expect(await cell(session, words.currentUser)).toBe("Anna O'Neill")
  })

  test('has the roles of its last statement, also in a transaction', async () => {
    const session = await openSession(shared.engine(), { user: 'anna' })
    const rolesIn = async (sql: string, roles?: string) => {
      const outcome = await session.execute(sql, { ...rowsUpTo(1), ...(roles && { roles }) }).outcome
      return outcome.state === 'finished' ? outcome.result.rows[0]?.[0] : outcome
    }
    expect(await rolesIn(words.currentRole, "anna's own, rowers")).toBe("anna's own, rowers")
    expect(await rolesIn(words.currentRole)).toBe("anna's own, rowers")
    if (!lacks(words, 'transactions')) await rowsOf(session, words.begin)
    expect(await rolesIn(words.currentRole, 'NONE')).toBe('NONE')
    if (!lacks(words, 'transactions')) await rowsOf(session, words.rollback)
    expect(await rolesIn(words.currentRole)).toBe('NONE')
  })

  test.each([{ catalog: 'nowhere' }, { database: 'dropped' }, { timeZone: 'Mars/Olympus' }])(
    'refuses to open in a state that does not exist: %o',
    async (state) => {
      const opening = openSession(shared.engine(), state)
      await expect(opening).rejects.toBeInstanceOf(SessionRefused)
      await expect(opening).rejects.toMatchObject({ error: { message: expect.stringMatching(/\S/) } })
    },
  )

  test('moves to another time zone in its own words, and to none that does not exist', async () => {
    const session = await openSession(shared.engine())
    const { dialect } = shared.engine()
    await rowsOf(session, dialect.setTimeZone('Asia/Tokyo'))
    await failure(session, dialect.setTimeZone('Mars/Olympus'))
    expect(await cell(session, words.one(1))).toBe('1')
  })

  test.skipIf(lacks(words, 'temporary tables'))(
    'keeps what belongs to one session from the others',
    async () => {
      const [one, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
      await rowsOf(one, words.createTemporary('scratch'))
      expect(await cells(one, words.select('scratch'))).toEqual([])
      expect(await failure(other, words.select('scratch'))).toMatchObject({ kind: 'missing' })
    },
  )
}

function noTransactionTests(shared: SharedEngine, { words }: Suite): void {
  test('refuses to begin a transaction, and says why', async () => {
    const session = await openSession(shared.engine())
    const refused = await failure(session, words.begin)
    expect(refused).toMatchObject({ message: expect.stringMatching(/transactions/) })
    expect(await cell(session, words.one(1))).toBe('1')
  })
}

/** What is committed, rolled back or failed. */
function transactionTests(shared: SharedEngine, { words }: Suite): void {
  test('shows what is committed to every session, and nothing else', async () => {
    const [one, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(one, words.createTable('seen'))
    await rowsOf(one, words.begin)
    await rowsOf(one, words.insert('seen', 1))
    expect(await cell(one, words.count('seen'))).toBe('1')
    expect(await cell(other, words.count('seen'))).toBe('0')
    await rowsOf(one, words.commit)
    expect(await cell(other, words.count('seen'))).toBe('1')
  })

  test('takes back what was done in a transaction', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('undone'))
    await rowsOf(session, words.begin)
    await rowsOf(session, words.insert('undone', 1))
    await rowsOf(session, words.rollback)
    expect(await cell(session, words.count('undone'))).toBe('0')
  })

  test('a transaction that failed runs nothing more, and is not committed', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('spoilt'))
    for (const end of [words.rollback, words.commit]) {
      await rowsOf(session, words.begin)
      await rowsOf(session, words.insert('spoilt', 1))
      await failure(session, words.failing)
      await failure(session, words.one(1))
      const { outcome } = await runUnderId(session, end)
      expect(outcome.state).toBe(end === words.commit ? 'failed' : 'finished')
      expect(await cell(session, words.count('spoilt'))).toBe('0')
    }
  })
}

/** What runs one after the other, and what side by side. */
function orderTests(shared: SharedEngine, { words }: Suite): void {
  test('runs the statements of one session one after the other, in the order sent', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('ordered'))
    const runs = Array.from({ length: 20 }, (_, i) => rowsOf(session, words.insert('ordered', i)))
    const last = cells(session, words.select('ordered'))
    await Promise.all(runs)
    expect(await last).toEqual(Array.from({ length: 20 }, (_, i) => [String(i)]))
  })

  test('runs sessions side by side', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openSession(shared.engine())))
    const answers = await Promise.all(sessions.map((session, i) => cell(session, words.one(i))))
    expect(answers).toEqual(sessions.map((_, i) => String(i)))
  })

  test('answers that a closed session is closed', async () => {
    const session = await openSession(shared.engine())
    await session.close()
    await session.close()
    const outcome = await session.execute(words.one(1), rowsUpTo(1)).outcome
    expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'unavailable' } })
  })
}

/** A statement runs only as what it was taken for. */
function purposeTests(shared: SharedEngine, { words }: Suite): void {
  test.each(words.purposes)('runs %s only when it was taken for what it is: %s', async (sql, purpose) => {
    for (const takenFor of ['reads', 'writes', 'session'] as const) {
      const session = await openSession(shared.engine())
      await rowsOf(session, words.createUnlessThere('used'))
      const outcome = await session.execute(sql, { ...rowsUpTo(10), takenFor }).outcome
      const isFitting = takenFor === purpose || (takenFor === 'writes' && purpose === 'reads')
      const refused = { state: 'failed', error: { kind: 'permission' } }
      expect({ takenFor, outcome }).toMatchObject({
        takenFor,
        outcome: isFitting ? { state: 'finished' } : refused,
      })
      await session.close()
    }
  })

  test('does nothing of a statement that was taken for something else', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('untouched'))
    for (const sql of [words.insert('untouched', 1), words.dropTable('untouched'), words.begin])
      await session.execute(sql, { ...rowsUpTo(10), takenFor: 'reads' }).outcome
    expect(await cell(session, words.count('untouched'))).toBe('0')
    if (!lacks(words, 'transactions')) await rowsOf(session, words.begin)
  })
}

function factTests(shared: SharedEngine, { words }: Suite): void {
  const hasNothing = lacks(words, 'transactions', 'temporary tables')
  test.skipIf(hasNothing)('tells what of a session would be lost with its engine', async () => {
    const session = await openSession(shared.engine())
    const facts = async (sql: string): Promise<SessionFacts | null> => {
      const { outcome } = await runUnderId(session, sql)
      return 'session' in outcome ? outcome.session : null
    }
    expect(await facts(words.one(1))).toEqual(NOTHING_TO_LOSE)
    expect(await facts(words.begin)).toEqual({ ...NOTHING_TO_LOSE, inTransaction: true })
    expect(await facts(words.failing)).toEqual({ ...NOTHING_TO_LOSE, inTransaction: true })
    expect(await facts(words.rollback)).toEqual(NOTHING_TO_LOSE)
    const withTemporary = { ...NOTHING_TO_LOSE, hasTemporary: true }
    expect(await facts(words.createTemporary('scratch_pad'))).toEqual(withTemporary)
    expect(await facts(words.select('nowhere'))).toEqual(withTemporary)
    expect(await facts(words.dropTable('scratch_pad'))).toEqual(NOTHING_TO_LOSE)
  })
}

function concurrencyTests(shared: SharedEngine, { words }: Suite): void {
  test('is right about what others write at the same moment', async () => {
    const [reader, writer] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(reader, words.createNumbered('growing', 100))
    let written = 100
    const over = new AbortController()
    const writing = (async () => {
      for (; !over.signal.aborted; written++) await rowsOf(writer, words.insert('growing', written))
    })()
    const wrong: unknown[] = []
    for (let times = 0; times < (words.tries ?? 100); times++) {
      const known = written
      const count = Number(await cell(reader, words.count('growing')))
      if (count < known || count > written + 1) wrong.push({ known, count, written })
    }
    over.abort()
    await writing
    expect(wrong).toEqual([])
  })
}

export function sessionTests(suite: Suite): void {
  const shared = sharedEngine(suite.open)
  stateTests(shared, suite)
  if (lacks(suite.words, 'transactions')) noTransactionTests(shared, suite)
  else transactionTests(shared, suite)
  orderTests(shared, suite)
  purposeTests(shared, suite)
  factTests(shared, suite)
  concurrencyTests(shared, suite)
}

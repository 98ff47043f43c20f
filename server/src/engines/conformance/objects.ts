import { expect, test } from 'vitest'
import type { EngineSession } from '../engine/session.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { ObjectName, ObjectUse } from '../engine/objects.ts'
import {
  cell,
  openSession,
  rowsOf,
  rowsUpTo,
  runUnderId,
  type SharedEngine,
  sharedEngine,
} from './fixture.ts'
import type { Suite } from './suite.ts'
import { lacks } from './suite-dialect.ts'

const path = ({ type, catalog, database, name }: ObjectName): string =>
  [type, [catalog, database, name].filter((part) => part !== null).join('.')].join(' ')

async function runDenied(session: EngineSession, sql: string) {
  const reported: string[] = []
  const authorize = async (uses: readonly ObjectUse[]) => {
    reported.push(...uses.map(({ action, object }) => `${action} ${path(object)}`))
    return { message: 'Not today.' }
  }
  return { reported, outcome: await session.execute(sql, { ...rowsUpTo(10), authorize }).outcome }
}

const changesOf = (outcome: Outcome) =>
  outcome.state === 'finished'
    ? outcome.changed?.map(({ change, object }) => `${change} ${path(object)}`)
    : outcome

const undecided = () => Promise.reject(new Error('the store is gone'))

/** What is reported of a statement, and what a denial means. */
function deniedTests(shared: SharedEngine, { words }: Suite): void {
  const denied = { state: 'failed', error: { kind: 'permission', message: 'Not today.' } }

  test('reports the objects of a statement before anything of it runs, and runs nothing that is denied', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('owned'))
    const statements: readonly (readonly [sql: string, ...uses: string[]])[] = [
      [words.select('owned'), 'read table default_catalog.main.owned'],
      [words.insert('owned', 1), 'insert table default_catalog.main.owned'],
      [
        words.deleteValue('owned', 1),
        'read table default_catalog.main.owned',
        'delete table default_catalog.main.owned',
      ],
      [words.dropTable('owned'), 'drop table default_catalog.main.owned'],
      [words.createTable('more'), 'create table default_catalog.main.more'],
    ]
    for (const [sql, ...uses] of statements) {
      const { reported, outcome } = await runDenied(session, sql)
      expect({ sql, reported }).toEqual({ sql, reported: uses })
      expect(outcome).toMatchObject(denied)
    }
    expect(await cell(session, words.count('owned'))).toBe('0')
    const missing = await runDenied(session, words.select('more'))
    expect(missing.outcome).toMatchObject({ state: 'failed', error: { kind: 'missing' } })
    // A list may be asked for, to propose a name that is there.
    expect(missing.reported.filter((use) => !use.startsWith('read listing'))).toEqual([])
  })

  test('nobody is asked about a statement without objects, nor about what is of the session', async () => {
    const session = await openSession(shared.engine())
    const onTemporary = [
      words.createTemporary('mine'),
      words.insert('mine', 1),
      words.select('mine'),
      words.dropTable('mine'),
    ]
    for (const sql of [words.one(1), ...(lacks(words, 'temporary tables') ? [] : onTemporary)])
      expect(await runDenied(session, sql)).toMatchObject({ reported: [], outcome: { state: 'finished' } })
  })

  test.skipIf(lacks(words, 'transactions'))(
    'a denial inside of a transaction leaves it as it was',
    async () => {
      const session = await openSession(shared.engine())
      await rowsOf(session, words.createTable('parted'))
      await rowsOf(session, words.begin)
      await rowsOf(session, words.insert('parted', 1))
      expect((await runDenied(session, words.insert('parted', 2))).outcome).toMatchObject(denied)
      await rowsOf(session, words.commit)
      expect(await cell(session, words.count('parted'))).toBe('1')
    },
  )
}

/** When and how often it is decided. */
function decisionTests(shared: SharedEngine, { words }: Suite): void {
  test('without a decision a statement is not run', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('undecided'))
    const run = session.execute(words.insert('undecided', 1), { ...rowsUpTo(10), authorize: undecided })
    expect(await run.outcome).toMatchObject({
      state: 'failed',
      error: { kind: 'permission', message: expect.stringContaining('could not be checked') },
    })
    expect(await cell(session, words.count('undecided'))).toBe('0')
  })

  test('nothing of a statement has run when it is decided on', async () => {
    const [session, other] = [await openSession(shared.engine()), await openSession(shared.engine())]
    await rowsOf(session, words.createTable('unbegun'))
    const seen: unknown[] = []
    const authorize = async () => {
      seen.push(await cell(other, words.count('unbegun')))
      return null
    }
    const run = session.execute(words.insert('unbegun', 1), { ...rowsUpTo(10), authorize })
    expect(await run.outcome).toMatchObject({ state: 'finished', result: { rowsChanged: 1 } })
    expect(seen).toEqual(['0'])
    expect(await cell(session, words.count('unbegun'))).toBe('1')
  })

  test('the same text is decided on every time', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('often'))
    let asked = 0
    const authorize = () => Promise.resolve(++asked > 2 ? { message: 'No more.' } : null)
    const states = []
    for (let run = 0; run < 4; run++) {
      const outcome = await session.execute(words.select('often'), { ...rowsUpTo(10), authorize }).outcome
      states.push(outcome.state)
    }
    expect(states).toEqual(['finished', 'finished', 'failed', 'failed'])
  })

  test('a statement that waits for its decision can be cancelled', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('waited_for'))
    let asked: (() => void) | undefined
    const isAsked = new Promise<void>((resolve) => (asked = resolve))
    const authorize = () => {
      asked?.()
      return new Promise<null>(() => undefined)
    }
    const run = session.execute(words.select('waited_for'), { ...rowsUpTo(10), authorize })
    await isAsked
    await run.cancel()
    expect(await run.outcome).toMatchObject({ state: 'cancelled' })
    expect(await cell(session, words.one(1))).toBe('1')
  })
}

function changeTests(shared: SharedEngine, { words }: Suite): void {
  test('reports what it has created and dropped for everyone', async () => {
    const session = await openSession(shared.engine())
    const changedBy = async (sql: string) => changesOf((await runUnderId(session, sql)).outcome)
    const reported = 'table default_catalog.main.reported'
    expect(await changedBy(words.createTable('reported'))).toEqual([`created ${reported}`])
    expect(await changedBy(words.createUnlessThere('reported'))).toBeUndefined()
    expect(await changedBy(words.insert('reported', 1))).toBeUndefined()
    expect(await changedBy(words.dropTable('reported'))).toEqual([`dropped ${reported}`])
  })

  test.skipIf(lacks(words, 'temporary tables'))('tells nothing of what belongs to one session', async () => {
    const session = await openSession(shared.engine())
    const { outcome } = await runUnderId(session, words.createTemporary('untold'))
    expect(changesOf(outcome)).toBeUndefined()
  })

  test.skipIf(lacks(words, 'transactions'))(
    'reports what a transaction changed once it is committed',
    async () => {
      const session = await openSession(shared.engine())
      const changedBy = async (sql: string) => changesOf((await runUnderId(session, sql)).outcome)
      await changedBy(words.begin)
      expect(await changedBy(words.createTable('kept_back'))).toBeUndefined()
      expect(await changedBy(words.commit)).toEqual(['created table default_catalog.main.kept_back'])
      await changedBy(words.begin)
      await changedBy(words.dropTable('kept_back'))
      expect(await changedBy(words.rollback)).toBeUndefined()
    },
  )
}

/** Which objects a statement uses, and who decides on them. */
export function objectTests(suite: Suite): void {
  const shared = sharedEngine(suite.open)
  deniedTests(shared, suite)
  decisionTests(shared, suite)
  changeTests(shared, suite)
}

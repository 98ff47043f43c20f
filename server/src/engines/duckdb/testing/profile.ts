import { expect, test } from 'vitest'
import { DUCKDB_WORDS } from '../dialect.ts'
import type { EngineSession } from '../../engine/session.ts'
import type { FinishedOutcome, Outcome, ProfileNode } from '../../engine/outcome.ts'
import {
  ENDLESS,
  type OpenFixture,
  cell,
  must,
  openSession,
  rowsOf,
  rowsUpTo,
  sharedEngine,
} from '../../conformance/fixture.ts'

const PROFILE = must(DUCKDB_WORDS.profiling)

function runProfiled(session: EngineSession, sql: string): Promise<Outcome> {
  return session.execute(sql, { ...rowsUpTo(1000), profile: PROFILE }).outcome
}

function operators({ operator, children }: ProfileNode): string[] {
  return [operator, ...children.flatMap(operators)]
}

export function profileTests(open: OpenFixture): void {
  const shared = sharedEngine(open)

  test('reports how a statement really ran, beside its rows', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE measured AS SELECT range AS i, range % 10 AS g FROM range(100000)')
    const sql = 'SELECT g, sum(i) AS s FROM measured WHERE i >= 50000 GROUP BY g ORDER BY s'
    const outcome = (await runProfiled(session, sql)) as FinishedOutcome
    expect(outcome).toMatchObject({ state: 'finished', result: { truncated: false } })
    expect(outcome.result.rows).toHaveLength(10)
    const found = outcome.profile ? operators(outcome.profile) : []
    expect(found.at(-1)).toMatch(/SCAN/)
    expect(found.join(' ')).toMatch(/GROUP_BY/)
    expect(found.join(' ')).not.toMatch(/UNION|CTE/)
    const leaf = (at: ProfileNode): ProfileNode => (at.children[0] ? leaf(at.children[0]) : at)
    const scan = outcome.profile ? leaf(outcome.profile) : null
    expect(scan).toMatchObject({ rows: 50000, detail: expect.stringContaining('measured') })
    expect(scan?.timeMs).toBeGreaterThan(0)
  })

  test('reports nothing unless asked, also afterwards', async () => {
    const session = await openSession(shared.engine())
    await runProfiled(session, 'SELECT 1')
    const { outcome } = session.execute('SELECT 1', rowsUpTo(1))
    expect(await outcome).toMatchObject({ profile: null })
  })

  test('reports it for statements that write, and still their effect', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE measured_too (i INTEGER)')
    const options = { ...rowsUpTo(1), profile: PROFILE }
    const outcome = (await session.execute('INSERT INTO measured_too FROM range(5)', options)
      .outcome) as FinishedOutcome
    expect(outcome.result.rowsChanged).toBe(5)
    expect(outcome.profile ? operators(outcome.profile) : []).toContain('INSERT')
    expect(await must(shared.engine().effects).tookEffect([options.queryId])).toEqual(
      new Map([[options.queryId, { rowsChanged: 5 }]]),
    )
  })

  test.each([
    'EXPLAIN SELECT 1',
    'EXPLAIN ANALYZE SELECT 1',
    'BEGIN',
    'COMMIT',
    'PRAGMA version',
    'VALUES (1)',
  ])('runs %s as without it', async (sql) => {
    const session = await openSession(shared.engine())
    if (sql === 'COMMIT') await rowsOf(session, 'BEGIN')
    expect((await runProfiled(session, sql)).state).toBe('finished')
  })

  test('leaves the session as it was after a failure and after a cancel', async () => {
    const session = await openSession(shared.engine())
    const failing = `SELECT error('no') FROM range(10)`
    const failure = { state: 'failed', error: { message: expect.stringContaining('no') } }
    expect(await runProfiled(session, failing)).toMatchObject(failure)
    for (const sql of ['BEGIN', failing, 'ROLLBACK'])
      expect(await runProfiled(session, sql)).toMatchObject(sql === failing ? failure : { state: 'finished' })
    const run = session.execute(ENDLESS, { ...rowsUpTo(1), profile: PROFILE })
    await run.cancel()
    expect((await run.outcome).state).toBe('cancelled')
    expect(await cell(session, 'SELECT 1')).toBe('1')
    expect(await session.execute('SELECT 1', rowsUpTo(1)).outcome).toMatchObject({ profile: null })
  })
}

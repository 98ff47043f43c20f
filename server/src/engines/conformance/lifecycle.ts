import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EngineUnavailable } from '../engine.ts'
import {
  ENDLESS,
  type OpenFixture,
  testSpace,
  cell,
  failure,
  openSession,
  ownEngine,
  rowsOf,
  rowsUpTo,
} from './fixture.ts'

export function lifecycleTests(open: OpenFixture): void {
  test('tells everyone when it is lost, and is there again with what was committed', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const [session, other] = [await openSession(engine), await openSession(engine)]
    await rowsOf(session, 'CREATE TABLE kept AS SELECT 42 AS i')
    await rowsOf(session, 'BEGIN')
    await rowsOf(session, 'INSERT INTO kept VALUES (43)')
    const runs = [session.execute(ENDLESS, rowsUpTo(10)), session.execute('SELECT 1', rowsUpTo(10))]
    await cell(other, 'SELECT 1')

    fixture.kill(engine)
    const lost = { state: 'lost', reason: expect.stringMatching(/\S/) }
    expect(await Promise.all(runs.map((run) => run.outcome))).toEqual([lost, lost])
    expect(await engine.lost).toMatch(/\S/)
    await expect(openSession(engine)).rejects.toBeInstanceOf(EngineUnavailable)
    const late = await other.execute('SELECT 1', rowsUpTo(10)).outcome
    expect(late).toMatchObject({ state: 'failed', error: { kind: 'unavailable' } })
    await Promise.all([...runs.map((run) => run.cancel()), session.close(), engine.close()])

    const again = await openSession(await ownEngine(fixture, space))
    expect(await cell(again, 'SELECT string_agg(i) FROM kept')).toBe('42')
  })

  test('ends everything and frees the files when it is closed, and keeps what was committed', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const session = await openSession(engine)
    await rowsOf(session, 'CREATE TABLE kept AS SELECT 42 AS i')
    const run = session.execute(ENDLESS, rowsUpTo(10))
    let isLost = false
    void engine.lost.finally(() => (isLost = true))

    await Promise.all([engine.close(), engine.close()])
    expect((await run.outcome).state).toBe('cancelled')
    await expect(openSession(engine)).rejects.toBeInstanceOf(EngineUnavailable)

    const again = await openSession(await ownEngine(fixture, space))
    expect(await cell(again, 'SELECT i FROM kept')).toBe('42')
    expect(isLost).toBe(false)
  })

  test('refuses a folder that is in use', async () => {
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

  const table = ['CREATE TABLE t (a INTEGER)', 'INSERT INTO t VALUES (1)']
  test.each([
    [[...table, 'ALTER TABLE t ADD COLUMN b INTEGER DEFAULT 5'], '1,5'],
    [[...table, `ALTER TABLE t ALTER a TYPE VARCHAR USING a::VARCHAR || 'x'`], '1x'],
    [[...table, 'CREATE INDEX i ON t (a)', 'DELETE FROM t', 'INSERT INTO t VALUES (2)'], '2'],
    [
      [
        'CREATE SCHEMA s',
        'CREATE SEQUENCE s.ids',
        `CREATE TABLE t (id BIGINT DEFAULT nextval('s.ids'), a INTEGER)`,
        'INSERT INTO t (a) VALUES (7)',
        'ALTER TABLE t ADD COLUMN b INTEGER',
        'ALTER TABLE t RENAME a TO c',
      ],
      '1,7,null',
    ],
    [
      [
        'CREATE TABLE t (a INTEGER, g INTEGER GENERATED ALWAYS AS (a + 1))',
        'INSERT INTO t VALUES (1)',
        'ALTER TABLE t ADD COLUMN b INTEGER',
      ],
      '1,2,null',
    ],
    [[...table, 'CREATE VIEW v AS FROM t', 'CREATE MACRO m(x) AS x + 1', `COMMENT ON TABLE t IS 'x'`], '1'],
  ])('finds everything again that was done before it was killed: %j', async (statements, row) => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await ownEngine(fixture, space)
    const session = await openSession(engine)
    for (const sql of statements) await rowsOf(session, sql)
    fixture.kill(engine)
    await engine.lost
    const again = await openSession(await ownEngine(fixture, space))
    const { rows } = await rowsOf(again, 'SELECT * FROM t')
    expect(rows.map((cells) => cells.join(','))).toEqual([row.replaceAll('null', '')])
  })

  test('keeps accounts apart', async () => {
    const fixture = await open()
    const [one, other] = [
      await openSession(await ownEngine(fixture, await testSpace('one'))),
      await openSession(await ownEngine(fixture, await testSpace('other'))),
    ]
    await rowsOf(one, 'CREATE TABLE t AS SELECT 1 AS i')
    expect(await failure(other, 'SELECT * FROM t')).toMatchObject({ kind: 'missing' })
  })
}

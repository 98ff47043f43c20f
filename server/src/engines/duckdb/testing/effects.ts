import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type OpenFixture,
  STATE,
  cell,
  failure,
  must,
  openSession,
  rowsOf,
  runUnderId,
  type SharedEngine,
  sharedEngine,
} from '../../conformance/fixture.ts'

/** DuckDB would forget the foreign key. */
function renamingTests(shared: SharedEngine): void {
  test.each(['parent', 'child'])('renames no table that a foreign key names: the %s', async (table) => {
    const session = await openSession(shared.engine())
    await rowsOf(session, `CREATE SCHEMA keys_${table}`)
    await rowsOf(session, `USE keys_${table}`)
    await rowsOf(session, 'CREATE TABLE parent (id INTEGER PRIMARY KEY)')
    await rowsOf(session, 'CREATE TABLE child (p INTEGER REFERENCES parent (id))')
    await rowsOf(session, 'ALTER TABLE child ADD COLUMN x INTEGER')
    const rename = `ALTER TABLE ${table} RENAME TO other`
    expect(await failure(session, rename)).toMatchObject({ kind: 'data' })
    expect(await failure(session, `EXPLAIN ANALYZE ${rename}`)).toMatchObject({ kind: 'data' })
    const replace = 'CREATE OR REPLACE TABLE parent (id INTEGER)'
    expect(await failure(session, replace)).toMatchObject({ kind: 'data' })
    await rowsOf(session, 'BEGIN')
    expect(await failure(session, rename)).toMatchObject({ kind: 'data' })
    expect(await failure(session, 'COMMIT')).toMatchObject({ kind: 'data' })
    await rowsOf(session, 'INSERT INTO parent VALUES (1)')
    await rowsOf(session, 'INSERT INTO child VALUES (1, 2)')
    await rowsOf(session, 'ALTER TABLE child RENAME COLUMN x TO y')
    await rowsOf(session, 'CREATE TABLE apart (i INTEGER)')
    await rowsOf(session, 'ALTER TABLE apart RENAME TO other')
    expect(await cell(session, 'SELECT y FROM child')).toBe('2')
    await rowsOf(session, 'CREATE OR REPLACE TABLE child AS SELECT 3 AS p')
    expect(await cell(session, 'SELECT p FROM child')).toBe('3')
  })
}

/** Which of its statements took effect. */
function writingTests(shared: SharedEngine): void {
  const tookEffect = async (queryId: string) =>
    (await must(shared.engine().effects).tookEffect([queryId])).get(queryId)

  test('remembers every statement that writes, with the rows it changed', async () => {
    const session = await openSession(shared.engine())
    const statements: readonly (readonly [sql: string, rowsChanged: number | null])[] = [
      ['CREATE SCHEMA noted', null],
      ['CREATE TABLE noted.t AS SELECT range AS i FROM range(7)', 7],
      ['INSERT INTO noted.t SELECT * FROM range(5)', 5],
      ['INSERT INTO noted.t VALUES (1), (2) RETURNING i', 2],
      ['UPDATE noted.t SET i = i + 1 WHERE i < 3', 8],
      ['DELETE FROM noted.t WHERE i > 100', 0],
      [
        'MERGE INTO noted.t USING (SELECT 99 AS i) s ON t.i = s.i WHEN NOT MATCHED THEN INSERT VALUES (s.i)',
        1,
      ],
      ['EXPLAIN ANALYZE INSERT INTO noted.t VALUES (5)', null],
      ['ALTER TABLE noted.t ADD COLUMN j INTEGER', null],
      ['CREATE VIEW noted.v AS FROM noted.t', null],
      ['CREATE TEMP TABLE noted_too (i INTEGER)', null],
      ['INSERT INTO noted_too VALUES (1)', 1],
      ['TRUNCATE noted.t', 16],
      ['DROP SCHEMA noted CASCADE', null],
    ]
    for (const [sql, rowsChanged] of statements) {
      const { queryId, outcome } = await runUnderId(session, sql)
      expect({ sql, state: outcome.state }).toEqual({ sql, state: 'finished' })
      expect({ sql, effect: await tookEffect(queryId) }).toEqual({ sql, effect: { rowsChanged } })
    }
  })

  test('answers for many statements at once, and names only those that took effect', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE many (i INTEGER PRIMARY KEY)')
    const runs = []
    for (const sql of [
      'INSERT INTO many VALUES (1)',
      'INSERT INTO many VALUES (1)',
      'SELECT * FROM many',
      'INSERT INTO many VALUES (2)',
      'EXPLAIN INSERT INTO many VALUES (3)',
      `INSERT INTO many SELECT error('no')`,
    ])
      runs.push(await runUnderId(session, sql))
    const ids = runs.map(({ queryId }) => queryId)
    const effects = await must(shared.engine().effects).tookEffect([...ids, randomUUID()])
    expect(new Set(effects.keys())).toEqual(new Set([ids[0], ids[3]]))
    expect(await must(shared.engine().effects).tookEffect([])).toEqual(new Map())
  })

  test('does not take the COMMIT of a failed transaction for a success', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE spoilt (i INTEGER)')
    await rowsOf(session, '/* all or */ BEGIN')
    await rowsOf(session, 'INSERT INTO spoilt VALUES (1)')
    await failure(session, `SELECT 'x'::INTEGER`)
    const commit = await runUnderId(session, '-- nothing\nCOMMIT;')
    expect(commit.outcome).toMatchObject({
      state: 'failed',
      error: { kind: 'data', message: expect.stringContaining('rolled back') },
      session: { inTransaction: false },
    })
    expect(await tookEffect(commit.queryId)).toBeUndefined()
    expect(await cell(session, 'SELECT count(*) FROM spoilt')).toBe('0')
    await rowsOf(session, 'BEGIN')
    await failure(session, `SELECT 'x'::INTEGER`)
    expect((await failure(session, 'END')).kind).toBe('data')
    expect((await failure(session, 'COMMIT')).message).toContain('no transaction is active')
  })

  test('commits a transaction that only reads, or may not write', async () => {
    const session = await openSession(shared.engine())
    for (const begin of ['BEGIN', 'BEGIN TRANSACTION READ ONLY']) {
      await rowsOf(session, begin)
      expect(await cell(session, 'SELECT 1')).toBe('1')
      expect((await runUnderId(session, 'COMMIT')).outcome.state).toBe('finished')
    }
  })
}

/** Where effects are kept nobody comes. */
function hiddenTests(shared: SharedEngine): void {
  test.each([
    'FROM boathouse_internal.effects',
    'SELECT * FROM "Boathouse_Internal"."effects"',
    'DELETE FROM default_catalog.boathouse_internal.effects',
    'DROP SCHEMA boathouse_internal CASCADE',
    'USE boathouse_internal',
    `SET search_path = 'boathouse_internal'`,
    String.raw`SET search_path = e'boathouse\x5finternal'`,
    String.raw`SET search_path = e'boathouse\137internal'`,
    'CREATE TABLE boathouse_internal.mine (i INTEGER)',
    'CREATE VIEW v AS FROM boathouse_internal.effects',
    `FROM query_table('boathouse_internal.effects')`,
  ])('lets no statement touch it: %s', async (sql) => {
    const session = await openSession(shared.engine())
    expect((await failure(session, sql)).kind).toBe('permission')
  })

  test('opens no session in it', async () => {
    const opening = shared.engine().openSession({ ...STATE, database: 'boathouse_internal' })
    await expect(opening).rejects.toMatchObject({ error: { kind: 'permission' } })
  })
}

function factTests(shared: SharedEngine): void {
  test('reports what of a session would be lost with its engine', async () => {
    const session = await openSession(shared.engine())
    const facts = async (sql: string) => {
      const { outcome } = await runUnderId(session, sql)
      return 'session' in outcome ? outcome.session : null
    }
    const nothing = { inTransaction: false, hasTemporary: false }
    expect(await facts('SELECT 1')).toEqual(nothing)
    expect(await facts('BEGIN')).toEqual({ ...nothing, inTransaction: true })
    expect(await facts(`SELECT 'x'::INTEGER`)).toEqual({ ...nothing, inTransaction: true })
    expect(await facts('ABORT')).toEqual(nothing)
    expect(await facts('CREATE TEMP TABLE scratch_pad (i INTEGER)')).toEqual({
      ...nothing,
      hasTemporary: true,
    })
    expect(await facts('SELECT * FROM nowhere')).toEqual({ ...nothing, hasTemporary: true })
    expect(await facts('DROP TABLE scratch_pad')).toEqual(nothing)
    expect(await facts('CREATE TEMP MACRO twice(i) AS i * 2')).toEqual({ ...nothing, hasTemporary: true })
    expect(await facts('CREATE TABLE kept_by_all (i INTEGER)')).toEqual({ ...nothing, hasTemporary: true })
  })
}

export function effectTests(open: OpenFixture): void {
  const shared = sharedEngine(open)
  renamingTests(shared)
  writingTests(shared)
  hiddenTests(shared)
  factTests(shared)
}

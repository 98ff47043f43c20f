import { expect, test } from 'vitest'
import {
  failure,
  type OpenFixture,
  testSpace,
  openSession,
  ownEngine,
  rowsOf,
} from '../../conformance/fixture.ts'

export function lifecycleTests(open: OpenFixture): void {
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
    [
      [
        `CREATE TYPE mood AS ENUM ('calm', 'rough')`,
        'CREATE TYPE pair AS STRUCT(a mood, b INTEGER)',
        'CREATE TABLE t (m mood, p pair)',
        `INSERT INTO t VALUES ('rough', {a: 'calm', b: 1})`,
        'ALTER TABLE t ADD COLUMN n mood',
        'CREATE SCHEMA s',
        'CREATE TABLE s.other (m main.mood)',
        'CREATE VIEW s.v AS SELECT m::main.mood AS m FROM s.other',
        'DROP TYPE IF EXISTS gone',
      ],
      `rough,{'a': calm, 'b': 1},null`,
    ],
    [
      [
        `CREATE TYPE mood AS ENUM ('calm', 'rough')`,
        `CREATE TABLE t (a INTEGER, m mood DEFAULT ('calm'::mood) CHECK (m::mood <> 'rough'::mood))`,
        'INSERT INTO t (a) VALUES (1)',
        'ALTER TABLE t ADD COLUMN b INTEGER',
      ],
      '1,calm,null',
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

  test.each([
    `CREATE TYPE s.mood AS ENUM ('calm')`,
    `create /* in */ or replace type default_catalog."s"."mood" as enum ('calm')`,
    `EXPLAIN ANALYZE CREATE TYPE s.mood AS ENUM ('calm')`,
    'CREATE TYPE s.mood AS INTEGER',
  ])('makes no type that could not be read again: %s', async (sql) => {
    const session = await openSession(await ownEngine(await open(), await testSpace()))
    await rowsOf(session, 'CREATE SCHEMA s')
    const refused = { kind: 'permission', message: expect.stringContaining('in the database main alone') }
    expect(await failure(session, sql)).toMatchObject(refused)
    await rowsOf(session, 'USE s')
    expect(await failure(session, 'CREATE TYPE mood AS INTEGER')).toMatchObject(refused)
    await rowsOf(session, `CREATE TEMP TYPE mood AS ENUM ('calm')`)
    expect(await rowsOf(session, `SELECT 'calm'::mood AS m`)).toMatchObject({ rows: [['calm']] })
  })
}

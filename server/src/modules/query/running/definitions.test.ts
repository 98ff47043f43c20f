import { audit, CODES, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { auditedAfter, auditedSoFar } from '../../../testing/audit-entries.ts'
import { sharedApp, startApp, type TestApp } from '../../../testing/start-app.ts'

const recorded = async (app: TestApp, after: number) =>
  (await auditedAfter(app, after)).map(({ action, object }) => `${action} ${object.id}`)

const notesIn = ({ store }: TestApp) => store.db.selectFrom('catalog_changes').select('change_id').execute()

const app = sharedApp({}, { engine: 'embedded' })

test.each([
  ['CREATE DATABASE yard', ['database.create default_catalog.yard']],
  ['CREATE DATABASE IF NOT EXISTS yard', []],
  ['CREATE TABLE yard.boats (id INTEGER, name VARCHAR)', ['table.create default_catalog.yard.boats']],
  ['CREATE TABLE IF NOT EXISTS yard.boats (id INTEGER)', []],
  ['CREATE TABLE yard.copies AS FROM yard.boats', ['table.create default_catalog.yard.copies']],
  ['CREATE OR REPLACE TABLE yard.copies AS FROM yard.boats', ['table.replace default_catalog.yard.copies']],
  ['EXPLAIN CREATE TABLE yard.planned AS FROM yard.boats', []],
  [
    'EXPLAIN ANALYZE CREATE TABLE yard.planned AS FROM yard.boats',
    ['table.create default_catalog.yard.planned'],
  ],
  ['ALTER TABLE yard.Boats ADD COLUMN length INTEGER', ['table.alter default_catalog.yard.boats']],
  ['ALTER TABLE IF EXISTS yard.nowhere ADD COLUMN length INTEGER', []],
  ['ALTER TABLE yard.copies RENAME TO doubles', ['table.rename default_catalog.yard.copies']],
  ["COMMENT ON TABLE yard.boats IS 'afloat'", ['table.comment default_catalog.yard.boats']],
  ["COMMENT ON COLUMN yard.boats.name IS 'painted'", ['table.comment default_catalog.yard.boats']],
  ['CREATE VIEW yard.names AS SELECT name FROM yard.boats', ['view.create default_catalog.yard.names']],
  ['CREATE FUNCTION yard.twice(x) AS 2 * x', ['function.create default_catalog.yard.twice']],
  ["CREATE TYPE main.hull AS ENUM ('wood', 'steel')", ['type.create default_catalog.main.hull']],
  ['CREATE SEQUENCE yard.numbers', ['sequence.create default_catalog.yard.numbers']],
  ['DROP SEQUENCE yard.numbers', ['sequence.drop default_catalog.yard.numbers']],
  ['DROP TYPE main.hull', ['type.drop default_catalog.main.hull']],
  ['DROP FUNCTION yard.twice', ['function.drop default_catalog.yard.twice']],
  ['DROP VIEW yard.names', ['view.drop default_catalog.yard.names']],
  ['CREATE INDEX by_id ON yard.boats (id)', ['index.create default_catalog.yard.by_id']],
  ['INSERT INTO yard.boats VALUES (1, $$Argo$$, 9)', []],
  ['SELECT * FROM yard.boats', []],
  ['CREATE TEMP TABLE t (id INTEGER); ALTER TABLE t ADD COLUMN name VARCHAR; DROP TABLE t', []],
  [
    'CREATE TEMP TABLE t (id INTEGER); ALTER TABLE yard.boats ADD COLUMN depth INTEGER',
    ['table.alter default_catalog.yard.boats'],
  ],
  [
    "PREPARE make FROM 'CREATE TABLE yard.prepared (id INTEGER)'; EXECUTE make",
    ['table.create default_catalog.yard.prepared'],
  ],
  [
    'BEGIN; CREATE TABLE yard.a (id INTEGER); CREATE VIEW yard.b AS FROM yard.a; ALTER TABLE yard.a ADD COLUMN n INTEGER; CREATE TABLE IF NOT EXISTS yard.boats (id INTEGER); COMMIT',
    [
      'table.create default_catalog.yard.a',
      'view.create default_catalog.yard.b',
      'table.alter default_catalog.yard.a',
    ],
  ],
  ['BEGIN; CREATE TABLE yard.gone (id INTEGER); DROP TABLE yard.boats; ROLLBACK', []],
  [
    'USE yard; DROP DATABASE yard CASCADE; CREATE DATABASE yard; CREATE TABLE yard.boats (id INTEGER, name VARCHAR); CREATE INDEX by_id ON yard.boats (id)',
    [
      'database.drop default_catalog.yard',
      'database.create default_catalog.yard',
      'table.create default_catalog.yard.boats',
      'index.create default_catalog.yard.by_id',
    ],
  ],
  ['CREATE TABLE yard.boats (id INTEGER)', [], 'Table with name "boats" already exists!'],
  ['DROP INDEX yard.by_id', ['index.drop default_catalog.yard.by_id']],
  ['DROP TABLE IF EXISTS yard.nowhere', []],
  ['DROP TABLE yard.boats', ['table.drop default_catalog.yard.boats']],
  ['DROP DATABASE yard CASCADE', ['database.drop default_catalog.yard']],
] satisfies [string, string[], string?][])(
  'the audit log records %s',
  async (sql, expected, message = '') => {
    const running = await app()
    const channel = await channelOf(running)
    const before = await auditedSoFar(running)
    const answers = await channel.run(sql)
    expect([await recorded(running, before), answers.at(-1)?.errMsg]).toEqual([expected, message])
    expect(await notesIn(running)).toEqual([])
  },
)

let shared: Awaited<ReturnType<Awaited<ReturnType<TestApp['admin']>>['channel']>> | undefined
const channelOf = async (running: TestApp) => (shared ??= await (await running.admin()).channel())

test('an entry says who, from where, by which statement and what there was before', async () => {
  const running = await app()
  const maker = await running.user(['db_admin'])
  const channel = await maker.channel()
  const before = await auditedSoFar(running)
  const [made] = await channel.run('CREATE TABLE default_catalog.main.skiffs (id INTEGER)')
  await channel.run('DROP TABLE default_catalog.main.skiffs')
  const [create, drop] = await auditedAfter(running, before)
  expect(create).toMatchObject({
    action: 'table.create',
    by: { name: maker.name, clientIp: '127.0.0.1' },
    before: null,
    after: { name: 'skiffs' },
    statement: { queryId: made?.queryId, text: 'CREATE TABLE default_catalog.main.skiffs (id INTEGER)' },
  })
  expect(drop).toMatchObject({ action: 'table.drop', before: { name: 'skiffs' }, after: null })
  const guard = await running.user(['security_admin'])
  const { entry } = (await guard.call(audit.detail, { number: create?.number ?? 0 })).data
  expect(entry.statement).toEqual(create?.statement)
})

test('what a call creates is recorded once', async () => {
  const running = await app()
  const admin = await running.admin()
  const before = await auditedSoFar(running)
  await admin.call(schema.createDatabase, { catalog: 'default_catalog', databaseName: 'once' })
  expect(await recorded(running, before)).toEqual(['database.create default_catalog.once'])
})

test('what could not be written to the log when it was made is recorded later, once', async () => {
  const own = await startApp({}, { engine: 'embedded' })
  const channel = await (await own.admin()).channel()
  const before = await auditedSoFar(own)
  await own.store.pool.query(
    'create function no() returns trigger language plpgsql as $$ begin raise exception $_$full$_$; end $$',
  )
  await own.store.pool.query(
    'create trigger no before insert on audit_entries for each row execute function no()',
  )
  const [made] = await channel.run('CREATE TABLE main.late (id INTEGER)')
  const [, , committed] = await channel.run('BEGIN; CREATE TABLE main.later (id INTEGER); COMMIT')
  expect([made?.errCode, committed?.errCode]).toEqual([CODES.Ok.code, CODES.Ok.code])
  expect([await recorded(own, before), (await notesIn(own)).length]).toEqual([[], 2])
  await own.store.pool.query('drop trigger no on audit_entries')
  await own.notes.settle()
  await own.notes.settle()
  expect([await recorded(own, before), await notesIn(own)]).toEqual([
    ['table.create default_catalog.main.late', 'table.create default_catalog.main.later'],
    [],
  ])
})

test('a statement that fails in a transaction hides nothing of what that commits', async () => {
  const running = await app()
  const channel = await channelOf(running)
  const before = await auditedSoFar(running)
  const sql = 'BEGIN; CREATE TABLE main.gone (id INTEGER); SELECT no_such_column'
  const connId = (await channel.run(sql)).at(-1)?.connId ?? 0
  expect((await notesIn(running)).length).toBe(1)
  await channel.run('COMMIT', { connId })
  const expected = ['table.create default_catalog.main.gone']
  expect([await recorded(running, before), await notesIn(running)]).toEqual([expected, []])
})

test('nothing is recorded of a transaction that ends with its connection', async () => {
  const own = await startApp({}, { engine: 'embedded' })
  const admin = await own.admin()
  const before = await auditedSoFar(own)
  const channel = await admin.channel()
  const [, first] = await channel.run('BEGIN; CREATE TABLE main.lost (id INTEGER)')
  expect((await notesIn(own)).length).toBe(1)
  await own.queries.killAnyConnection(own.accountId, first?.connId ?? 0)
  await own.notes.settle()
  expect([await recorded(own, before), await notesIn(own)]).toEqual([[], []])
})

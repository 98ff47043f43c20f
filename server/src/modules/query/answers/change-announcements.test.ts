import { readStatement } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { createLog } from '../../../kernel/log.ts'
import { startApp } from '../../../testing/start-app.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'
import { createChangeAnnouncements, type EndedStatement } from './change-announcements.ts'

/** One connection, and what was announced because of it. */
async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const channel = await (await app.admin()).channel()
  const [first] = await channel.run('SELECT 1')
  const connId = first?.connId ?? 0
  const run = async (sql: string) => (await channel.run(sql, { connId })).at(-1)
  let markers = 0
  return {
    app,
    run,
    async announced() {
      // On another connection. Its announcement follows those of all earlier changes.
      await channel.run('CREATE DATABASE IF NOT EXISTS last_of_all')
      const last = JSON.stringify(at('last_of_all'))
      const isLast = (data: unknown) => JSON.stringify(data) === last
      const changes = async () => {
        const rows = await app.store.db.selectFrom('channel_events').selectAll().orderBy('seq').execute()
        return rows.filter(({ type }) => type === 'GlobalEventTypeDatabaseChanged').map(({ data }) => data)
      }
      markers++
      await expect.poll(async () => (await changes()).filter(isLast).length).toBe(markers)
      return (await changes()).filter((data) => !isLast(data))
    },
  }
}

const at = (database: string) => ({ catalog: 'default_catalog', database })

test('a change is announced with the database that the statement names', async () => {
  const { run, announced } = await setUp()
  await run('CREATE DATABASE boats')
  await run('CREATE TABLE boats.oars (n int)')
  await run('CREATE TABLE here (n int)')
  await run('CREATE VIEW default_catalog.boats.v AS SELECT 1')
  await run('USE boats')
  await run('ALTER TABLE oars ADD COLUMN m int')
  await run('CREATE INDEX i ON main.here (n)')
  await run('EXPLAIN ANALYZE CREATE TABLE main.there AS SELECT 1')
  expect(await announced()).toEqual(
    ['boats', 'boats', 'main', 'boats', 'boats', 'main', 'main'].map((database) => at(database)),
  )
})

test('a catalog before the name of a table means the database of the session, as it does to the engine', async () => {
  const { run, announced } = await setUp()
  await run('CREATE DATABASE boats')
  await run('USE boats')
  await run('CREATE TABLE default_catalog.oars (n int)')
  expect((await run('SELECT count(*) FROM default_catalog.boats.oars'))?.queryState).toBe(2)
  expect((await announced()).at(-1)).toEqual(at('boats'))
})

test.each(['SELECT 1', 'INSERT INTO t VALUES (1)', 'CREATE TEMP TABLE s (n int)', 'CREATE TABLE t (n int)'])(
  'nobody is notified of %s, which changes nothing for others or fails',
  async (sql) => {
    const { run, announced } = await setUp()
    await run('CREATE TABLE t (n int)')
    const before = await announced()
    await run(sql)
    expect(await announced()).toEqual(before)
  },
)

test('what a transaction changes is announced once, when it is committed', async () => {
  const { run, announced } = await setUp()
  await run('BEGIN')
  await run('CREATE DATABASE boats')
  await run('CREATE TABLE boats.oars (n int)')
  await run('CREATE TABLE here (n int)')
  expect(await announced()).toEqual([])
  await run('COMMIT')
  expect(await announced()).toEqual([at('boats'), at('main')])
})

test('what a transaction rolls back is not announced, and the next one has its own changes', async () => {
  const { run, announced } = await setUp()
  await run('BEGIN')
  await run('CREATE DATABASE boats')
  await run('ROLLBACK')
  await run('BEGIN')
  await run('CREATE DATABASE oars')
  await run('COMMIT')
  expect(await announced()).toEqual([at('oars')])
})

test('a COMMIT that is refused announces nothing', async () => {
  const { run, announced } = await setUp()
  await run('CREATE TABLE t (n int PRIMARY KEY)')
  await run('BEGIN')
  await run('CREATE DATABASE boats')
  await run('INSERT INTO t VALUES (1), (1)')
  expect((await run('COMMIT'))?.queryState).toBe(3)
  expect(await announced()).toEqual([at('main')])
})

test('a transaction that was lost with its engine is never announced', async () => {
  const { app, run, announced } = await setUp()
  await run('BEGIN')
  await run('CREATE DATABASE boats')
  app.engines.crash('it was killed')
  await run('COMMIT')
  await run('CREATE DATABASE oars')
  expect(await announced()).toEqual([at('oars')])
})

/** Without a server: what is announced of statements with a rare ending. */
function announcing() {
  const announced: NewAnnouncement[] = []
  const changes = createChangeAnnouncements({
    announce: async (announcement) => void announced.push(announcement),
    log: createLog('silent'),
  })
  const connection = {
    id: 1,
    catalog: 'c',
    database: 'd',
    warehouseId: null,
    warehouse: 'w',
    engine: 'scripted',
    variables: {},
    inTransaction: false,
    hasTemporary: false,
  }
  const end = (sql: string, ending: EndedStatement['ending'], inTransaction = false) =>
    changes.ended({
      accountId: 'a',
      statement: readStatement(sql),
      ending,
      before: { ...connection, inTransaction },
      after: { ...connection, inTransaction },
    })
  return { announced, end }
}

test.each([
  ['taken', 1],
  ['unknown', 1],
  ['not taken', 0],
] as const)(
  'of a statement that was cut off and whose effect is %s, %d are announced',
  async (effect, count) => {
    const { announced, end } = announcing()
    await end('DROP TABLE a.b.c', { state: 'interrupted', effect })
    expect(announced).toHaveLength(count)
    for (const { data } of announced) expect(data).toEqual({ catalog: 'a', database: 'b' })
  },
)

test('a COMMIT that was cut off and took effect announces what it committed', async () => {
  const { announced, end } = announcing()
  await end('DROP VIEW v', { state: 'finished', effect: null }, true)
  expect(announced).toEqual([])
  await end('COMMIT', { state: 'interrupted', effect: 'taken' }, true)
  expect(announced).toEqual([
    {
      accountId: 'a',
      userId: null,
      type: 'GlobalEventTypeDatabaseChanged',
      data: { catalog: 'c', database: 'd' },
    },
  ])
})

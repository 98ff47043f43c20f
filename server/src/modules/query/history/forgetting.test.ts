import { randomUUID } from 'node:crypto'
import { LIMITS, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { Engine } from '../../../engines/engine/engine.ts'
import { createLog } from '../../../kernel/log.ts'
import { HOURS, MINUTES } from '../../../testing/fake-clock.ts'
import { startApp } from '../../../testing/start-app.ts'
import { createOldEffects } from './old-effects.ts'
import { createQueryStore } from '../store.ts'

const DAYS = 24 * HOURS

test('what lies in no month of its own is forgotten in batches, each of which leaves the others to be found', async () => {
  const app = await startApp()
  const store = createQueryStore(app.store.db)
  const february = new Date('2026-02-01T00:00:00Z')
  const at = new Date(february.getTime() - 2401)
  await app.store.pool.query(
    `insert into statements (query_id, account_id, user_id, request_id, statement_index, statement_count, door, sql,
       kind, state, accepted_at, ended_at)
     select gen_random_uuid(), $1, $2, 'request-' || n, 0, 1, 'channel', 'SELECT 1', 'select', 'finished',
       $3::timestamptz + n * interval '1 ms', $3 from generate_series(1, 2500) n`,
    [app.accountId, randomUUID(), at],
  )
  expect(await store.forgetStatements(february, 1000)).toBe(1000)
  app.clock.advance(february.getTime() + 90 * DAYS - app.clock.now().getTime())
  await app.queries.forgetOld()
  const { rows } = await app.store.pool.query("select 1 from statements where request_id like 'request-%'")
  expect(rows).toHaveLength(100)
})

test('a closed connection is deleted after a week, and one that is open is not', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const [{ connId: closed } = { connId: 0 }] = await channel.run('USE main')
  const [{ connId: open } = { connId: 0 }] = await channel.run('SELECT 1')
  channel.send({ cmd: 3, connId: closed })
  channel.send({ cmd: 1, connIds: [closed] })
  await channel.hear((message) => (message.cmd === 1 ? true : undefined))
  const kept = async () => {
    await app.queries.forgetClosedConnections()
    const { rows } = await app.store.pool.query<{ id: number }>(
      'select connection_id as id from connections order by 1',
    )
    return rows.map(({ id }) => id)
  }
  app.clock.advance(7 * DAYS)
  expect(await kept()).toEqual([closed, open])
  app.clock.advance(1)
  expect(await kept()).toEqual([open])
})

test('notes of effects are forgotten also in accounts that only write, and no engine is started for others', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  await channel.run('SELECT 1')
  const asked: [string, Date][] = []
  const oldEffects = createOldEffects({
    store: createQueryStore(app.store.db),
    useEngine: ({ accountId }, work) =>
      work({ effects: { forget: async (before: Date) => void asked.push([accountId, before]) } } as Engine),
    clock: app.clock,
    log: createLog('silent'),
  })
  await oldEffects.forget()
  expect(asked).toEqual([])
  await channel.run('CREATE TABLE t (n int)')
  app.clock.advance(10 * MINUTES)
  await oldEffects.forget()
  expect(asked).toEqual([[app.accountId, new Date(app.clock.now().getTime() - 7 * DAYS)]])
})

test('the list of the history has the beginning of a long text and says so; the detail has all of it', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const long = `SELECT '${'\u{1f6a3}x'.repeat(LIMITS.listedSqlLength)}'`
  const [{ queryId } = { queryId: '' }] = await channel.run(long)
  await channel.run('SELECT 1')
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries.map(({ sqlCut }) => sqlCut)).toEqual([false, true])
  expect(entries[0]?.sql).toBe('SELECT 1')
  expect(entries[1]?.sql).toBe(Array.from(long).slice(0, LIMITS.listedSqlLength).join(''))
  expect((await admin.call(query.detail, { queryId })).data.entry).toMatchObject({ sql: long, sqlCut: false })
})

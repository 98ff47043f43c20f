import { randomUUID } from 'node:crypto'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { query } from '@boathouse/contract'
import { type Client, Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { externalSettings } from '../../../store/connection-settings.ts'
import { migrate } from '../../../store/migrate.ts'
import { emptyDatabase } from '../../../testing/database.ts'
import { DAYS } from '../../../testing/fake-clock.ts'
import { startApp } from '../../../testing/start-app.ts'

type Queryable = Pick<Pool | Client, 'query'>

const write = (to: Queryable, { at, requestId = randomUUID(), accountId = 'a' }: Written) =>
  to.query(
    `insert into statements (query_id, account_id, user_id, request_id, statement_index, statement_count, door, sql,
       kind, state, accepted_at, ended_at)
     values (gen_random_uuid(), $1, gen_random_uuid(), $2, 0, 1, 'channel', 'SELECT 1', 'select', 'finished', $3, $3)`,
    [accountId, requestId, at],
  )

interface Written {
  readonly at: string
  readonly requestId?: string
  readonly accountId?: string
}

/** How many lie in which table. */
async function counts(of: Queryable): Promise<Record<string, number>> {
  const { rows } = await of.query<{ name: string; count: number }>(
    'select tableoid::regclass::text as name, count(*)::int as count from statements group by 1',
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

test('this month and the next are made ahead, and one that has expired goes whole', async () => {
  const app = await startApp()
  const { pool } = app.store
  for (const at of ['2026-03-01T00:00:00Z', '2026-03-31T23:59:59.999Z', '2026-04-01T00:00:00Z'])
    await write(pool, { at })
  expect(await counts(pool)).toEqual({ statements_2026_03: 2, statements_2026_04: 1 })
  app.clock.advance(31 * DAYS)
  await app.queries.prepareMonths()
  await app.queries.prepareMonths()
  await write(pool, { at: '2026-05-01T00:00:00Z' })
  // 1 April is 90 days before 30 June.
  app.clock.advance(90 * DAYS)
  await app.queries.forgetOld()
  expect(await counts(pool)).toEqual({ statements_2026_04: 1, statements_2026_05: 1 })
  const { rows } = await pool.query(`select to_regclass('statements_2026_03') as table`)
  expect(rows).toEqual([{ table: null }])
})

test('what was written before its month was made moves there, and its end finds it', async () => {
  const app = await startApp()
  const { pool } = app.store
  app.clock.advance(200 * DAYS)
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run('SELECT 1')
  await app.endsWritten()
  app.engines.hold()
  const requestId = randomUUID()
  channel.send({
    cmd: 2,
    queryReq: { connId: 0, oriConnId: 0, channel: 'tab', requestId, sql: 'SELECT 2' },
  })
  const running = async () => (await admin.call(query.running, {})).data.entries.length
  await expect.poll(running).toBe(1)
  expect(await counts(pool)).toEqual({ statements_other: 2 })
  await app.queries.prepareMonths()
  expect(await counts(pool)).toEqual({ statements_2026_09: 2 })
  app.engines.release()
  await channel.finalAnswers(requestId)
  const { entries } = (await admin.call(query.history, {})).data
  expect(entries[0]).toMatchObject({ state: 'finished', requestId })
})

test('a request is written once, also when it is sent again in another month', async () => {
  const app = await startApp()
  const { pool } = app.store
  const requestId = 'sent-again'
  const refused = /this request is written already/
  await write(pool, { at: '2026-03-31T23:59:59Z', requestId })
  for (const at of ['2026-03-31T23:59:59Z', '2026-04-01T00:00:01Z', '2030-01-01T00:00:00Z'])
    await expect(write(pool, { at, requestId })).rejects.toThrow(refused)
  await write(pool, { at: '2026-04-01T00:00:01Z', requestId, accountId: 'another' })
})

test('of two at the same moment, one of them in the next month already, the second waits and is refused', async () => {
  const app = await startApp()
  const first = await app.store.pool.connect()
  onTestFinished(() => first.release())
  await first.query('begin')
  await write(first, { at: '2026-03-31T23:59:59.999Z', requestId: 'at-midnight' })
  const second = write(app.store.pool, { at: '2026-04-01T00:00:00Z', requestId: 'at-midnight' }).catch(String)
  const waiting = async () =>
    (
      await app.store.pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted and database =
           (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount
  await expect.poll(waiting).toBe(1)
  await first.query('commit')
  expect(await second).toMatch(/this request is written already/)
})

const MIGRATIONS = fileURLToPath(new URL('../../../store/migrations/', import.meta.url))
const MONTHS = '0054_statement_months.sql'

/** All that came before the months. */
async function earlierMigrations(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of await readdir(MIGRATIONS))
    if (name < MONTHS) await copyFile(join(MIGRATIONS, name), join(directory, name))
  return directory
}

test('what was written before there were months stays as it is, and is forgotten as it expires', async () => {
  const database = await emptyDatabase()
  onTestFinished(() => database.drop())
  const settings = externalSettings(database.url)
  await migrate(settings, await earlierMigrations())
  const pool = new Pool(settings)
  onTestFinished(() => pool.end())
  await write(pool, { at: '2020-01-01T00:00:00Z', requestId: 'long-ago' })
  await write(pool, { at: new Date().toISOString(), requestId: 'now' })
  const { rows: before } = await pool.query('select * from statements order by accepted_at')
  await migrate(settings)
  const { rows: after } = await pool.query('select * from statements order by accepted_at')
  expect(after).toEqual(
    before.map((row: object) => ({
      ...row,
      sql_bytes: null,
      sql_hash: null,
      duration_us: null,
      program: null,
      key_name: null,
      private_endpoint: null,
      bound_values: null,
    })),
  )
  expect(await counts(pool)).toEqual({ statements_before: 2 })
  for (const requestId of ['long-ago', 'now'])
    await expect(write(pool, { at: '2040-01-01T00:00:00Z', requestId })).rejects.toThrow('written already')
  // The month that it was changed in is a part of it: the next one is the first with a table of its own.
  await pool.query('select add_statement_month(now()::date)')
  await pool.query(`select add_statement_month((now() + interval '32 days')::date)`)
  const { rows: months } = await pool.query('select name from statement_months order by until')
  expect(months).toHaveLength(2)
  const { rows: unlike } = await pool.query(
    `select indexrelid::regclass::text as name from pg_index
      where indrelid = 'statements_before'::regclass and not indisunique
        and indexrelid not in (select inhrelid from pg_inherits)`,
  )
  expect(unlike).toEqual([])
})

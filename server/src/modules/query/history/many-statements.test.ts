import { randomUUID } from 'node:crypto'
import { type HistoryFilter, query } from '@boathouse/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Schema } from '../../../store/schema.ts'
import { actorWith } from '../../../testing/actor.ts'
import { startApp } from '../../../testing/start-app.ts'
import { show } from '../../../testing/store-kit.ts'
import { createHistory } from './history.ts'

/** The benchmark of the history has a million. For what is read of them, so many are enough. */
const STATEMENTS = 200_000
/** It is looked through 5000 at most: for the page, and once more for where that stopped. */
const MOST_READ = 12_000
const [ETL, RARE] = [randomUUID(), randomUUID()]

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.POSITIVE_INFINITY

const FILTERS: readonly HistoryFilter[] = [
  {},
  { user: 'user_7' },
  { user: 'nobody' },
  { warehouse: ETL },
  { warehouse: RARE },
  { warehouse: 'nowhere' },
  { state: 'finished' },
  { state: 'failed' },
  { state: 'interrupted' },
  { state: 'cancelled' },
  { duration: 'short' },
  { duration: 'medium' },
  { duration: 'long' },
  { door: 'channel' },
  { door: 'mysql' },
  { door: 'ingest' },
  { text: 'needle' },
  { text: 'not there at all' },
  { text: 'from t_77' },
  { from: '2026-02-01T00:00:00Z', until: '2026-02-01T01:00:00Z' },
  { from: '2026-02-01T00:00:00Z', until: '2026-02-20T00:00:00Z', text: 'not there' },
  { user: 'user_7', state: 'interrupted' },
  { user: 'user_7', warehouse: RARE },
  { warehouse: ETL, state: 'failed', duration: 'long' },
  { door: 'mysql', user: 'user_3', text: 'not there' },
  { state: 'finished', duration: 'short', door: 'channel', text: 'not there', user: 'user_9' },
]

/** They are made much sooner of all rows than with each. */
async function withoutIndexes(db: Kysely<Schema>, work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await sql<{ month: string; name: string; definition: string }>`
    select conrelid::regclass::text as month, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype in ('p', 'u')
      and conrelid in (select inhrelid from pg_inherits where inhparent = 'statements'::regclass)`.execute(db)
  for (const { month, name } of keys)
    await sql`alter table ${sql.table(month)} drop constraint ${sql.id(name)}`.execute(db)
  const { rows: indexes } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = 'statements'`.execute(
    db,
  )
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(db)
  await sql`alter table statements disable trigger statements_once`.execute(db)
  await work()
  await sql`alter table statements enable trigger statements_once`.execute(db)
  for (const { month, name, definition } of keys)
    await sql`alter table ${sql.table(month)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
      db,
    )
  for (const { definition } of indexes) await sql.raw(definition.replace(' ON ONLY ', ' ON ')).execute(db)
}

const insertStatements = (db: Kysely<Schema>, accountId: string) =>
  sql`insert into statements (query_id, account_id, user_id, user_name, request_id, statement_index,
      statement_count, door, sql, kind, state, warehouse_id, accepted_at, started_at, ended_at)
    select uuidv7(), ${accountId}, gen_random_uuid(), 'user_' || n % 50, 'request-' || n, 0, 1,
      case when n % 40 = 0 then 'mysql' else 'channel' end,
      'select * from t_' || n % 1000 || ' where id = ' || n, 'select',
      case when n % 50 = 0 then 'failed' when n % 5000 = 7 then 'cancelled' else 'finished' end,
      case when n = 77 then ${RARE}::uuid when n % 3 = 0 then ${ETL}::uuid end,
      at, at, at + case when n % 100 = 0 then interval '1 min' when n % 20000 = 3 then interval '1 h'
        else interval '200 ms' end
    from (select n, timestamptz '2026-03-01' - n * interval '7 s' as at
      from generate_series(1, ${sql.lit(STATEMENTS)}) n) made`.execute(db)

/** Of all statements, by whatever way, since the database counts; on the connection that has read them. */
async function rowsRead(connection: Kysely<Schema>): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(connection)
  const { rows } = await sql<{ read: string }>`
    select (select coalesce(sum(seq_tup_read), 0) from pg_stat_user_tables where relname like 'statements%')
      + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes where relname like 'statements%') as read`.execute(
    connection,
  )
  return Number(rows[0]?.read)
}

/** Of looking through a thousand statements of one user, as the list does. */
async function heapReads(
  db: Kysely<Schema>,
  accountId: string,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain (analyze, costs off, timing off, summary off)
    select query_id, accepted_at from (
      select * from statements where account_id = ${accountId} and user_name = 'user_5' and visible
      order by accepted_at desc, query_id desc limit 1000) looked
    where ${condition}`.execute(db)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  const fetches = [...plan.matchAll(/Heap Fetches: (\d+)/g)].map(([, count]) => Number(count))
  expect(plan).toContain('Index Only Scan')
  expect(plan).not.toMatch(/(?<!Only )(Seq|Index|Heap) Scan on statements/)
  return fetches.reduce((sum, one) => sum + one, 0)
}

test('for a page of the history few of many statements are read, whatever it is narrowed by', async () => {
  const app = await startApp()
  const { db } = app.store
  for (const month of ['2025-12', '2026-01', '2026-02'])
    await sql`select add_statement_month(${`${month}-01`}::date)`.execute(db)
  await withoutIndexes(db, async () => void (await insertStatements(db, app.accountId)))
  await sql`analyze statements`.execute(db)

  const boss = actorWith(app.accountId, ['account_admin'])
  const own = actorWith(app.accountId, [], 'user_5')
  const times: number[] = []
  let most = { read: 0, filter: {} as HistoryFilter }
  await db.connection().execute(async (connection) => {
    const history = createHistory({
      db: connection,
      endsWritten: () => Promise.resolve(),
      costsOf: app.warehouses.costsOf,
    })
    let before = await rowsRead(connection)
    for (const filter of FILTERS) {
      let after: string | undefined
      // A page in the middle is as soon there as the first.
      for (let page = 0; page < 4; page++) {
        for (const actor of page === 0 ? [boss, own] : [boss]) {
          const input = query.history.input.parse({ endedOnly: true, ...filter, ...(after ? { after } : {}) })
          const at = performance.now()
          const { next } = await history.list(actor, input)
          times.push(performance.now() - at)
          const now = await rowsRead(connection)
          if (now - before > most.read) most = { read: now - before, filter }
          before = now
          if (actor === boss) after = next ?? undefined
        }
        if (after === undefined) break
      }
    }
  })
  show(
    `history of ${STATEMENTS}: p95 ${p95(times).toFixed(1)} ms, at most ${most.read} read ${JSON.stringify(most.filter)}`,
  )
  // Those of one user lie far apart: what they are narrowed by is read from the index, and no row for it.
  await sql`vacuum statements`.execute(db)
  for (const condition of [
    sql`state = 'failed'`,
    sql`state = 'interrupted'`,
    sql`ended_at - accepted_at > interval '10 s'`,
    sql`door = 'mysql'`,
    sql`warehouse_id = ${RARE}::uuid`,
  ])
    expect(await heapReads(db, app.accountId, condition)).toBe(0)
  expect(most.read).toBeGreaterThan(1_000)
  expect(most.read).toBeLessThan(MOST_READ)
})

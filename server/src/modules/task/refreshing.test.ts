import { CODES, schema, warehouse } from '@boathouse/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEmbeddedProvider, type EmbeddedEngine } from '../../testing/embedded-engine.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { done, PLACE, session, setUp } from '../../testing/view-kit.ts'

/** On a busy machine too. */
const PATIENTLY = { timeout: 30_000, interval: 50 }
const FLEET = { ...PLACE, mvName: 'fleet' }

async function settle({ app }: Awaited<ReturnType<typeof setUp>>): Promise<void> {
  await app.materialized.runDue()
  await app.materialized.idle()
}

test('it is refreshed when its time has come, unless it is paused', async () => {
  const set = await setUp()
  const { app, admin, run, rows } = set
  const count = () => rows('SELECT count(*) FROM fleet')
  await done(
    run,
    'CREATE MATERIALIZED VIEW fleet REFRESH ASYNC EVERY (INTERVAL 5 MINUTE) AS SELECT * FROM boats',
    'INSERT INTO boats VALUES (2)',
  )
  await settle(set)
  expect(await count()).toEqual([['1']])
  app.clock.advance(5 * MINUTES)
  await settle(set)
  expect(await count()).toEqual([['2']])
  const { data } = await admin.call(schema.refreshTasks, FLEET)
  expect(data.list[0]).toMatchObject({ reason: 'schedule', startedBy: null, state: 'success', rows: 2 })

  await done(run, 'ALTER MATERIALIZED VIEW fleet PAUSE', 'INSERT INTO boats VALUES (3)')
  app.clock.advance(60 * MINUTES)
  await settle(set)
  expect(await count()).toEqual([['2']])
  expect((await admin.call(schema.materializedView, FLEET)).data).toMatchObject({
    paused: true,
    nextRefreshAt: null,
  })
  expect((await admin.call(schema.pauseMaterializedView, { ...FLEET, paused: false })).code).toBe(
    CODES.Ok.code,
  )
  await settle(set)
  expect(await count(), 'at its next time').toEqual([['2']])
  app.clock.advance(5 * MINUTES)
  await settle(set)
  expect(await count()).toEqual([['3']])
})

test('it is refreshed after changes of what it reads, when these are committed', async () => {
  const set = await setUp()
  const { app, admin, run, rows } = set
  await done(
    run,
    'CREATE VIEW near AS SELECT * FROM boats',
    'CREATE MATERIALIZED VIEW fleet REFRESH AFTER CHANGES AS SELECT * FROM near',
    'CREATE MATERIALIZED VIEW double REFRESH AFTER CHANGES AS SELECT 2 * a AS a FROM fleet',
    'CREATE TABLE oars AS SELECT 1 AS a',
  )
  const refreshes = async () => (await admin.call(schema.refreshTasks, FLEET)).data.total
  const pass = async () => {
    app.clock.advance(MINUTES)
    await settle(set)
  }
  await done(run, 'INSERT INTO oars VALUES (2)')
  await pass()
  expect(await refreshes(), 'nothing that it reads has changed').toBe(1)

  const other = await session(admin)
  await done(other, 'BEGIN', 'INSERT INTO boats VALUES (2)')
  await pass()
  expect(await refreshes(), 'nobody sees it yet').toBe(1)
  await done(other, 'COMMIT')
  await vi.waitFor(async () => {
    await pass()
    expect(await rows('SELECT a FROM double ORDER BY a')).toEqual([['2'], ['4']])
  }, PATIENTLY)
  expect((await admin.call(schema.materializedView, FLEET)).data).toMatchObject({ changedAt: null })
  const before = await refreshes()
  await pass()
  expect(await refreshes(), 'and not again').toBe(before)
  await done(other, 'BEGIN', 'INSERT INTO boats VALUES (3)', 'ROLLBACK')
  await pass()
  expect(await refreshes(), 'what is taken back changes nothing').toBe(before)
})

test('of two refreshes at once one runs, and the other is refused with a message', async () => {
  const { app, admin, run, rows } = await setUp()
  await done(run, 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats', 'INSERT INTO boats VALUES (2)')
  app.engines.hold()
  const other = await session(admin)
  const first = run('REFRESH MATERIALIZED VIEW fleet')
  await vi.waitFor(
    async () => expect((await admin.call(schema.refreshTasks, FLEET)).data.list[0]?.state).toBe('running'),
    PATIENTLY,
  )
  expect((await admin.call(schema.refreshMaterializedView, FLEET)).code).toBe(CODES.Conflict.code)
  expect((await other('REFRESH MATERIALIZED VIEW fleet')).errMsg).toContain('is already being refreshed')
  app.engines.release()
  expect((await first).errMsg).toBe('')
  expect(await rows('SELECT count(*) FROM fleet')).toEqual([['2']])
  const { code, data } = await admin.call(schema.refreshMaterializedView, FLEET)
  expect(code).toBe(CODES.Ok.code)
  await app.materialized.idle()
  expect((await admin.call(schema.refreshTasks, FLEET)).data.list[0]).toMatchObject({
    runId: data.runId,
    state: 'success',
  })
})

test('it is metered as any statement is, in the warehouse of its definition', async () => {
  const { app, admin, run } = await setUp()
  await admin.call(warehouse.create, { name: 'night', size: 'X-Small' } as never)
  await done(run, 'CREATE MATERIALIZED VIEW fleet PROPERTIES ("warehouse" = "night") AS SELECT * FROM boats')
  await done(run, 'REFRESH MATERIALIZED VIEW fleet')
  await app.endsWritten()
  const { data } = await admin.call(schema.refreshTasks, FLEET)
  const statement = await app.store.db
    .selectFrom('statements')
    .select(['warehouse', 'door', 'state', 'engine'])
    .where('query_id', '=', data.list[0]?.queryId ?? '')
    .executeTakeFirstOrThrow()
  expect(statement).toMatchObject({ warehouse: 'night', door: 'service', state: 'finished' })
  await done(run, 'SUSPEND WAREHOUSE night', 'DROP WAREHOUSE night')
  expect((await run('REFRESH MATERIALIZED VIEW fleet')).errCode).not.toBe(CODES.Ok.code)
  expect((await run('SELECT * FROM fleet')).result).toEqual([['1']])
})

test('what the last server left is seen to its end by the next: refreshed once, made or not there, dropped', async () => {
  const { app, admin, run, rows } = await setUp()
  await done(run, 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats', 'INSERT INTO boats VALUES (2)')
  await done(run, 'REFRESH MATERIALIZED VIEW fleet')
  const runsOf = () => admin.call(schema.refreshTasks, FLEET).then(({ data }) => data.list)
  // As if this server had ended before it wrote how that went.
  const [before] = await runsOf()
  await app.store.db
    .updateTable('task_runs')
    .set({ state: 'running', ended_at: null, row_count: null })
    .where('run_id', '=', before?.runId ?? '')
    .execute()
  await app.materialized.recover()
  await app.materialized.idle()
  expect(await runsOf()).toHaveLength(2)
  expect((await runsOf())[0]).toMatchObject({ runId: before?.runId, state: 'success', rows: 2 })

  await app.store.db.updateTable('materialized_views').set({ state: 'dropping' }).execute()
  await app.materialized.recover()
  expect((await run('SELECT * FROM fleet')).errCode).toBe(CODES.QueryFailed.code)
  expect((await admin.call(schema.materializedViews, PLACE)).data.total).toBe(0)
  await done(run, 'CREATE TABLE fleet AS SELECT 1')
  expect(await rows('SELECT * FROM fleet')).toEqual([['1']])
})

test('what was being written when the service ended counts as written', async () => {
  const set = await setUp()
  const { app, admin, run, rows } = set
  await done(run, 'CREATE MATERIALIZED VIEW fleet REFRESH AFTER CHANGES AS SELECT * FROM boats')
  app.clock.advance(MINUTES)
  await app.store.db.updateTable('materialized_views').set({ being_written: true }).execute()
  await app.materialized.assumeWritten()
  await settle(set)
  expect((await admin.call(schema.refreshTasks, FLEET)).data.list[0]).toMatchObject({ reason: 'changes' })
  expect(await rows('SELECT * FROM fleet')).toEqual([['1']])
})

test('an owner who was removed leaves the rows and no refresh', async () => {
  const { app, run, rows } = await setUp()
  const ada = await app.user()
  await done(
    run,
    `GRANT SELECT ON boats TO ${ada.name}`,
    `GRANT CREATE MATERIALIZED VIEW ON DATABASE main TO ${ada.name}`,
  )
  await done(await session(ada), 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats')
  await done(run, `DROP USER ${ada.name}`)
  expect((await run('REFRESH MATERIALIZED VIEW fleet')).errMsg).toContain('Its owner was removed')
  expect(await rows('SELECT * FROM fleet')).toEqual([['1']])
})

test('an engine that is killed during a refresh leaves the old rows, and the next refresh works', async () => {
  const provider = await createEmbeddedProvider({ cancelDeadlineMs: 500 })
  onTestFinished(() => provider.close())
  const opened: EmbeddedEngine[] = []
  const engines = {
    ...provider,
    open: async (space: Parameters<typeof provider.open>[0]) => {
      const engine = await provider.open(space)
      opened.push(engine)
      return engine
    },
  }
  const { app, admin, run, rows } = await setUp({ engines })
  const query = 'SELECT count(*) AS n FROM boats, range(4000000000) r WHERE hash(r.range, a) % 7 = 3'
  await done(run, `CREATE MATERIALIZED VIEW fleet REFRESH DEFERRED MANUAL AS ${query}`, 'SELECT 1')
  await admin.call(schema.refreshMaterializedView, FLEET)
  const last = async () => (await admin.call(schema.refreshTasks, FLEET)).data.list[0]
  const isInEngine = () => [...app.queries.underway(app.accountId).values()].some(({ progress }) => progress)
  await vi.waitFor(() => expect(isInEngine()).toBe(true), PATIENTLY)
  process.kill(opened.at(-1)?.pid ?? 0, 'SIGKILL')
  await vi.waitFor(async () => expect((await last())?.state).toBe('failed'), PATIENTLY)
  expect((await last())?.error).toContain('It did not take effect')
  expect(await rows('SELECT count(*) FROM fleet')).toEqual([['0']])
  await done(run, 'DROP MATERIALIZED VIEW fleet')
})

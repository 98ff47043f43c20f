import { CODES, dashboard as calls } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { setUpDashboards } from '../../testing/dashboard-kit.ts'
import { MINUTES } from '../../testing/fake-clock.ts'

test('a viewer of a dashboard that runs as its owner cannot run it again and again, and hears from when on', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const own = await make(admin, 'SELECT a FROM boats')
  await settle(admin, own, {})
  const { dashboardId } = own
  const bob = await app.user()
  await refresh(bob, own)
  const runs = () => app.store.db.selectFrom('dashboard_runs').select(['run_id', 'begun_by']).execute()
  const [first] = await runs()
  app.clock.advance(2 * MINUTES)
  const at = new Date(app.clock.now().getTime() + 3 * MINUTES).toISOString()
  expect((await bob.call(calls.results, { dashboardId })).data.refreshableAt).toBe(at)
  for (const tileIds of [null, own.tiles.map(({ tileId }) => tileId)])
    expect(await bob.call(calls.refresh, { dashboardId, tileIds })).toMatchObject({
      code: CODES.LimitReached.code,
      message: 'These rows are less than 5 minutes old. You can refresh them again in 3 minutes.',
    })
  expect(await runs()).toEqual([first])
  app.clock.advance(3 * MINUTES)
  expect((await bob.call(calls.results, { dashboardId })).data.refreshableAt).toBeNull()
  await refresh(bob, own)
  expect(await runs()).not.toEqual([first])
})

test('a tile that failed is not run again and again either, and one that is missing runs at once', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const own = await make(admin, 'SELECT nothing FROM boats')
  await settle(admin, own, {})
  const { dashboardId } = own
  const bob = await app.user()
  await refresh(bob, own)
  expect((await bob.call(calls.refresh, { dashboardId })).code).toBe(CODES.LimitReached.code)
  const tile = { title: 'More', kind: 'table', sql: 'SELECT a FROM boats' } as const
  await admin.call(calls.addTile, { dashboardId, tile })
  expect((await bob.call(calls.results, { dashboardId })).data.refreshableAt).toBeNull()
  await refresh(bob, own)
  const all = await app.store.db.selectFrom('dashboard_runs').select('tile_id').execute()
  expect(new Set(all.map(({ tile_id }) => tile_id)).size).toBe(2)
  expect(all).toHaveLength(2)
})

test('of two viewers at the same moment one runs it, also when the first is soon done', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const own = await make(admin, 'SELECT a FROM boats')
  await settle(admin, own, {})
  const viewers = await Promise.all([app.user(), app.user(), app.user()])
  const { dashboardId } = own
  await Promise.all(viewers.map((who) => who.call(calls.refresh, { dashboardId })))
  await app.dashboards.idle()
  const statements = await app.store.db
    .selectFrom('statements')
    .select('query_id')
    .where('sql', 'like', 'SELECT a FROM boats%')
    .execute()
  expect(statements).toHaveLength(1)
  await refresh(admin, own)
})

test('the owner, and who pays for the runs, refresh as soon as they like', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const own = await make(admin, 'SELECT 1 AS a')
  const { dashboardId } = own
  await settle(admin, own, {})
  for (let at = 0; at < 2; at++) await refresh(admin, own)
  expect((await admin.call(calls.results, { dashboardId })).data.refreshableAt).toBeNull()
  await settle(admin, own, { runsAs: 'viewer' })
  const bob = await app.user()
  for (let at = 0; at < 2; at++) await refresh(bob, own)
})

test('one refresh runs at a time for a requester, the owner too; others share what is the same', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const own = await make(admin, 'SELECT {{word}} AS word')
  await settle(admin, own, {})
  const { dashboardId } = own
  const bob = await app.user()
  for (const who of [admin, bob]) {
    const slow = { word: [`slow ${who.name}`] }
    await refresh(who, own, slow)
    await app.store.db.updateTable('dashboard_runs').set({ state: 'running', ended_at: null }).execute()
    const other = await who.call(calls.refresh, { dashboardId, values: { word: ['other'] } })
    expect(other).toMatchObject({
      code: CODES.Conflict.code,
      message: expect.stringContaining('still refreshes'),
    })
    const count = () => app.store.db.selectFrom('dashboard_runs').select('run_id').execute()
    const before = await count()
    for (const one of [who, await app.user()])
      expect((await one.call(calls.refresh, { dashboardId, values: slow })).data.results).toMatchObject([
        { isRunning: true },
      ])
    expect(await count()).toEqual(before)
    await app.store.db.deleteFrom('dashboard_runs').execute()
  }
})

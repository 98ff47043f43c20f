import { CODES, dashboard as calls, LIMITS, perms } from '@boathouse/contract'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { setUpDashboards } from '../../testing/dashboard-kit.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { sharedApp } from '../../testing/start-app.ts'
import { done } from '../../testing/view-kit.ts'
import { OPERATOR } from '../audit/author.ts'

/** For refusals, which leave nothing behind but dashboards. */
const shared = sharedApp()

const codeOf = async (answer: Promise<{ code: number }>): Promise<number> => (await answer).code
const OPEN = { viewers: 'account' as const, runsAs: 'owner' as const, schedule: null }

test('nobody sees, refreshes, changes or deletes a private dashboard of somebody else', async () => {
  const { app, admin, make, refresh } = await setUpDashboards()
  const ada = await app.user()
  const own = await make(ada, 'SELECT 1 AS a')
  const { dashboardId, tiles, revision, name } = own
  const [result] = await refresh(ada, own)
  const runId = result?.runId ?? ''
  for (const other of [admin, await app.user(), await app.stranger(['account_admin'])]) {
    expect((await other.call(calls.list, {})).data).toEqual({ dashboards: [], total: 0 })
    const refused = [
      other.call(calls.detail, { dashboardId }),
      other.call(calls.results, { dashboardId }),
      other.call(calls.refresh, { dashboardId }),
      other.call(calls.rows, { dashboardId, runId }),
      other.call(calls.save, { dashboardId, revision, name, tiles, parameters: [] }),
      other.call(calls.addTile, { dashboardId, tile: { title: '', kind: 'text' } }),
      other.call(calls.changeSettings, { dashboardId, settings: OPEN }),
      other.call(calls.delete, { dashboardId }),
    ]
    for (const answer of refused) expect(await codeOf(answer)).toBe(CODES.NotFound.code)
  }
})

test('who may see a dashboard of somebody else may not change or delete it; an account administrator deletes it', async () => {
  const { app, admin, make, settle } = await setUpDashboards()
  const ada = await app.user()
  const bob = await app.user()
  const own = await make(ada, 'SELECT 1 AS a')
  await settle(ada, own, {})
  const { dashboardId, tiles, name } = own
  expect((await bob.call(calls.list, {})).data.dashboards).toMatchObject([{ owner: ada.name, isOwn: false }])
  const refused = [
    bob.call(calls.save, { dashboardId, revision: own.revision, name, tiles, parameters: [] }),
    bob.call(calls.addTile, { dashboardId, tile: { title: '', kind: 'text' } }),
    bob.call(calls.changeSettings, { dashboardId, settings: OPEN }),
    admin.call(calls.changeSettings, { dashboardId, settings: OPEN }),
    bob.call(calls.delete, { dashboardId }),
  ]
  for (const answer of refused) expect(await codeOf(answer)).toBe(CODES.NoPermission.code)
  // What runs as its owner is not shown to who does not run it.
  expect((await bob.call(calls.detail, { dashboardId })).data.dashboard.tiles[0]?.sql).toBe('')
  expect(await codeOf(admin.call(calls.delete, { dashboardId }))).toBe(CODES.Ok.code)
  expect((await ada.call(calls.list, {})).data.total).toBe(0)
})

test('a dashboard for roles is seen with one of them', async () => {
  const { app, make, settle } = await setUpDashboards()
  const ada = await app.user()
  const own = await make(ada, 'SELECT 1 AS a')
  await settle(ada, own, { viewers: 'roles', roles: ['db_admin'] })
  expect((await (await app.user()).call(calls.list, {})).data.total).toBe(0)
  expect((await (await app.user(['db_admin'])).call(calls.list, {})).data.total).toBe(1)
})

test('a role must be there, and one that is made again under its name sees nothing', async () => {
  const { app, admin, make, settle } = await setUpDashboards()
  const own = await make(admin, 'SELECT 1 AS a')
  const settings = { ...OPEN, viewers: 'roles' as const, roles: ['Rowers'] }
  const change = () => admin.call(calls.changeSettings, { dashboardId: own.dashboardId, settings })
  expect(await change()).toMatchObject({
    code: CODES.NotFound.code,
    message: expect.stringContaining('Rowers'),
  })
  const channel = await admin.channel()
  const bob = await app.user()
  const join = async () => {
    await channel.run(`CREATE ROLE rowers; GRANT rowers TO USER ${bob.name}`)
    expect((await bob.call(perms.setRoles, { roles: ['rowers'] })).code).toBe(CODES.Ok.code)
  }
  await join()
  await settle(admin, own, { viewers: 'roles', roles: ['Rowers'] })
  expect((await bob.call(calls.list, {})).data.total).toBe(1)
  await channel.run('DROP ROLE rowers')
  await join()
  expect((await bob.call(calls.list, {})).data.total).toBe(0)
})

test('run as its owner, everyone sees the rows of one run; run as its viewers, everyone has their own privileges', async () => {
  const { app, admin, make, settle, refresh, rowsOf } = await setUpDashboards()
  const bob = await app.user()
  const own = await make(admin, 'SELECT a FROM boats')
  await settle(admin, own, { runsAs: 'owner' })
  await refresh(admin, own)
  expect(await rowsOf(bob, own)).toEqual([['1']])
  await settle(admin, own, { runsAs: 'viewer' })
  expect(await rowsOf(bob, own)).toBeNull()
  const [result] = await refresh(bob, own)
  expect(result).toMatchObject({ runId: null, isRunning: false })
  expect(result?.error).toMatch(/SELECT|privilege/i)
  await refresh(admin, own)
  expect(await rowsOf(admin, own)).toEqual([['1']])
  // Rows of somebody else's run are not shown to users who know its id.
  const { runId } = (await admin.call(calls.results, { dashboardId: own.dashboardId })).data.results[0] ?? {}
  const stolen = bob.call(calls.rows, { dashboardId: own.dashboardId, runId: runId ?? '' })
  expect(await codeOf(stolen)).toBe(CODES.NotFound.code)
})

test('an owner who may no longer read the table shows nobody its rows', async () => {
  const { app, admin, run, make, settle, refresh, rowsOf } = await setUpDashboards()
  const ada = await app.user()
  await done(run, `GRANT SELECT ON TABLE boats TO USER ${ada.name}`)
  const own = await make(ada, 'SELECT a FROM default_catalog.main.boats')
  await settle(ada, own, {})
  await refresh(admin, own)
  expect(await rowsOf(admin, own)).toEqual([['1']])
  await done(run, `REVOKE SELECT ON TABLE boats FROM USER ${ada.name}`)
  expect(await rowsOf(admin, own)).toMatch(/no longer have access/)
  app.clock.advance(5 * MINUTES)
  const [result] = await refresh(admin, own)
  expect([result?.runId, result?.error]).toEqual([null, expect.stringMatching(/boats/)])
})

test('a macro, which others could change, is not run as the owner of a dashboard', async () => {
  const { admin, run, make, settle, refresh } = await setUpDashboards()
  await done(run, 'CREATE MACRO fleet() AS TABLE SELECT a FROM boats')
  const own = await make(admin, 'SELECT * FROM fleet()')
  expect((await refresh(admin, own))[0]).toMatchObject({ error: '', runId: expect.any(String) })
  await settle(admin, own, {})
  const [result] = await refresh(admin, own)
  expect(result?.error).toContain('cannot use the macro fleet')
})

test('while a tile runs for one viewer, it does not run once more for the others', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const own = await make(admin, 'SELECT a FROM boats')
  await settle(admin, own, {})
  const { dashboardId } = own
  await refresh(admin, own)
  const runs = app.store.db.selectFrom('dashboard_runs').selectAll()
  const [first] = await runs.execute()
  await app.store.db.updateTable('dashboard_runs').set({ state: 'running', ended_at: null }).execute()
  const others = await Promise.all([app.user(), app.user(), app.user()])
  const answers = await Promise.all([admin, ...others].map((who) => who.call(calls.refresh, { dashboardId })))
  expect(answers.map(({ data }) => data.results)).toEqual(
    Array.from({ length: 4 }, () => [expect.objectContaining({ isRunning: true })]),
  )
  expect((await runs.execute()).map(({ run_id }) => run_id)).toEqual([first?.run_id])
})

test('a filter binds its value in the tiles that name it, and each value has rows of its own', async () => {
  const { admin, make, refresh, rowsOf } = await setUpDashboards()
  const own = await make(admin, 'SELECT {{word}} AS word')
  const [missing] = await refresh(admin, own)
  expect(missing?.error).toBe('The filter word has no value.')
  await refresh(admin, own, { word: ["it's"] })
  expect(await rowsOf(admin, own, { word: ["it's"] })).toEqual([["it's"]])
  expect(await rowsOf(admin, own, { word: ['sails'] })).toBeNull()
})

test('a schedule refreshes it as its owner, and at its times alone', async () => {
  const { app, admin, make, settle, rowsOf } = await setUpDashboards()
  const own = await make(admin, 'SELECT a FROM boats')
  await settle(admin, own, { schedule: { cron: '*/5 * * * *', timeZone: 'UTC' } })
  await app.dashboards.runDue()
  await app.dashboards.idle()
  expect(await rowsOf(admin, own)).toBeNull()
  app.clock.advance(6 * MINUTES)
  await app.dashboards.runDue()
  await app.dashboards.runDue()
  await app.dashboards.idle()
  expect(await rowsOf(admin, own)).toEqual([['1']])
  expect(await app.store.db.selectFrom('dashboard_runs').selectAll().execute()).toHaveLength(1)
  await settle(admin, own, { schedule: null })
  app.clock.advance(6 * MINUTES)
  await app.dashboards.runDue()
  expect(await app.store.db.selectFrom('dashboard_runs').selectAll().execute()).toHaveLength(1)
})

test('what a server left is seen to its end by the next, once', async () => {
  const { app, admin, make, rowsOf } = await setUpDashboards()
  const own = await make(admin, 'SELECT a FROM boats')
  await admin.call(calls.refresh, { dashboardId: own.dashboardId })
  await app.dashboards.idle()
  await app.store.db
    .updateTable('dashboard_runs')
    .set({ state: 'running', ended_at: null, sql: 'SELECT a FROM boats' })
    .execute()
  await app.dashboards.recover()
  await app.dashboards.idle()
  expect(await rowsOf(admin, own)).toEqual([['1']])
})

test.each([
  ['DELETE FROM boats', 'only reads, and DELETE does not'],
  ['SELECT 1; SELECT 2', 'has 2 statements'],
  ['', 'has no statement'],
])('a tile of %j is refused', async (sql, message) => {
  const ada = await (await shared()).admin()
  const { dashboardId } = (await ada.call(calls.create, { name: 'Wrong' })).data.dashboard
  const refused = await ada.call(calls.addTile, { dashboardId, tile: { title: 'T', kind: 'table', sql } })
  expect([refused.code, refused.message]).toEqual([CODES.BadInput.code, expect.stringContaining(message)])
})

test('a schedule needs to run as the owner, roles need a role, and a place is on the grid', async () => {
  const ada = await (await shared()).admin()
  const { dashboardId, revision, name } = (await ada.call(calls.create, { name: 'Wrong' })).data.dashboard
  const schedule = { cron: '0 9 * * *', timeZone: 'UTC' }
  const viewer = { ...OPEN, runsAs: 'viewer' as const, schedule }
  expect(await codeOf(ada.call(calls.changeSettings, { dashboardId, settings: viewer }))).toBe(
    CODES.BadInput.code,
  )
  const nobody = { ...OPEN, viewers: 'roles' as const }
  expect(await codeOf(ada.call(calls.changeSettings, { dashboardId, settings: nobody }))).toBe(
    CODES.BadInput.code,
  )
  const tile = { tileId: randomUUID(), title: '', kind: 'text' as const, x: 8, y: 0, w: 6, h: 2 }
  const save = { dashboardId, revision, name, parameters: [] }
  expect(await codeOf(ada.call(calls.save, { ...save, tiles: [tile] }))).toBe(CODES.BadInput.code)
  expect(await codeOf(ada.call(calls.save, { ...save, tiles: [{ ...tile, x: 6 }] }))).toBe(CODES.Ok.code)
  // Somebody else has saved meanwhile.
  expect(await codeOf(ada.call(calls.save, { ...save, tiles: [] }))).toBe(CODES.Conflict.code)
})

test('of more dashboards than one user may have, at the same moment too, no more are made', async () => {
  const { app } = await setUpDashboards()
  const ada = await app.user()
  const made = await Promise.all(
    Array.from({ length: LIMITS.dashboardsPerUser + 5 }, () => ada.call(calls.create, { name: 'Many' })),
  )
  expect(made.filter(({ code }) => code === CODES.Ok.code)).toHaveLength(LIMITS.dashboardsPerUser)
  expect((await ada.call(calls.list, { limit: 20, offset: 40 })).data.dashboards).toHaveLength(10)
})

test('in a frozen account nothing is refreshed, and after that it is again', async () => {
  const { app, admin, make, settle, rowsOf } = await setUpDashboards()
  const own = await make(admin, 'SELECT a FROM boats')
  await settle(admin, own, { schedule: { cron: '*/5 * * * *', timeZone: 'UTC' } })
  await app.accountLife.freeze(app.accountId, OPERATOR)
  await app.accountLife.advance()
  app.clock.advance(5 * MINUTES)
  await app.dashboards.runDue()
  await app.dashboards.idle()
  await app.accountLife.resume(app.accountId, OPERATOR)
  await app.accountLife.advance()
  expect(await rowsOf(admin, own)).toBeNull()
  app.clock.advance(5 * MINUTES)
  await app.dashboards.runDue()
  await app.dashboards.idle()
  expect(await rowsOf(admin, own)).toEqual([['1']])
})

test('nothing of a user is left when they are removed', async () => {
  const { app, run, make, refresh } = await setUpDashboards()
  const ada = await app.user()
  await refresh(ada, await make(ada, 'SELECT 1 AS a'))
  await done(run, `DROP USER ${ada.name}`)
  expect(await app.store.db.selectFrom('dashboards').select('dashboard_id').execute()).toEqual([])
  expect(await app.store.db.selectFrom('dashboard_runs').select('run_id').execute()).toEqual([])
})

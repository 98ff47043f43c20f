import { CODES, dashboard as calls } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { setUpDashboards } from '../../testing/dashboard-kit.ts'
import { callByKey, makeKey } from '../../testing/key-kit.ts'
import { done } from '../../testing/view-kit.ts'

test('a tile takes no numbers of a sequence: who looks at a dashboard changes nothing', async () => {
  const { admin, run, make, settle, refresh } = await setUpDashboards()
  await done(run, 'CREATE SEQUENCE moorings', `SELECT nextval('moorings')`)
  const own = await make(admin, `SELECT nextval('moorings') AS a`)
  for (const runsAs of ['viewer', 'owner'] as const) {
    await settle(admin, own, { runsAs })
    const [result] = await refresh(admin, own)
    expect(result).toMatchObject({ runId: null, error: expect.stringContaining('read') })
  }
  expect((await run(`SELECT nextval('moorings')`)).result).toEqual([['2']])
})

test('rows of a tile that its owner has removed or changed are shown to nobody who knows their id', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const bob = await app.user()
  const own = await make(admin, 'SELECT a FROM boats')
  const { dashboardId, name, tiles } = own
  await settle(admin, own, {})
  const [before] = await refresh(admin, own)
  const look = (runId: string | null | undefined) => bob.call(calls.rows, { dashboardId, runId: runId ?? '' })
  expect((await look(before?.runId)).code).toBe(CODES.Ok.code)
  const changed = tiles.map((tile) => ({ ...tile, sql: 'SELECT 2 AS a' }))
  const save = (revision: number, next: typeof tiles) =>
    admin.call(calls.save, { dashboardId, revision, name, tiles: next, parameters: [] })
  const { revision } = (await save(own.revision, changed)).data.dashboard
  expect((await look(before?.runId)).code).toBe(CODES.NotFound.code)
  const [after] = await refresh(admin, own)
  expect((await look(after?.runId)).data.rows).toEqual([['2']])
  await save(revision, [])
  expect((await look(after?.runId)).code).toBe(CODES.NotFound.code)
})

test('a key with some of the roles of its user neither sees nor deletes what only that user sees', async () => {
  const { app, admin, make, settle, refresh } = await setUpDashboards()
  const own = await make(admin, 'SELECT a FROM boats')
  const { dashboardId } = own
  await settle(admin, own, { viewers: 'private' })
  const [result] = await refresh(admin, own)
  const { secret } = await makeKey(admin, { roles: ['db_admin'] })
  const runId = result?.runId ?? ''
  const asked = [
    { call: calls.detail, input: { dashboardId } },
    { call: calls.results, input: { dashboardId } },
    { call: calls.refresh, input: { dashboardId } },
    { call: calls.rows, input: { dashboardId, runId } },
    { call: calls.delete, input: { dashboardId } },
  ]
  for (const { call, input } of asked)
    expect([call.path, (await callByKey(app, secret, { call, input: input as never })).code]).toEqual([
      call.path,
      CODES.NotFound.code,
    ])
})

import { expect, test } from 'vitest'
import { setUpDashboards } from '../../testing/dashboard-kit.ts'
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

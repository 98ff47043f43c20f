import { schema } from '@boathouse/contract'
import { expect, test, vi } from 'vitest'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { streamed } from '../../../testing/stream-kit.ts'
import { done, PLACE, setUp } from '../../../testing/view-kit.ts'

test('a materialized view that follows a table is refreshed after loads into it, merged ones too, and not after one that failed', async () => {
  const { app, admin, run, rows } = await setUp()
  await done(run, 'CREATE MATERIALIZED VIEW fleet REFRESH AFTER CHANGES AS SELECT sum(a) AS a FROM boats')
  const load = async (body: string) =>
    (await streamed(app, body, { path: '/api/main/boats/_stream_load' })).body.Status
  const refreshed = async (sum: string) =>
    vi.waitFor(async () => {
      app.clock.advance(MINUTES)
      await app.materialized.runDue()
      await app.materialized.idle()
      expect(await rows('SELECT a FROM fleet')).toEqual([[sum]])
    })
  expect(await load('2\n')).toBe('Success')
  await refreshed('3')
  expect(await Promise.all(['3\n', '4\n', '5\n'].map(load))).toEqual(['Success', 'Success', 'Success'])
  await refreshed('15')
  const refreshes = async () =>
    (await admin.call(schema.refreshTasks, { ...PLACE, mvName: 'fleet' })).data.total
  const before = await refreshes()
  expect(await load('6\t7\n')).toBe('Fail')
  app.clock.advance(MINUTES)
  await app.materialized.runDue()
  await app.materialized.idle()
  expect(await refreshes()).toBe(before)
})

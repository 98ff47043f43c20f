import { randomUUID } from 'node:crypto'
import { CODES, metrics, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { HOURS } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const FROM = '2026-02-01T00:00:00Z'
const UNTIL = '2026-02-01T02:00:00Z'

interface Past {
  readonly userId: string
  readonly user: string
  readonly at: string
  readonly ms: number
  readonly state?: string
}

const past = (app: TestApp, { userId, user, at, ms, state = 'finished' }: Past) =>
  app.store.db
    .insertInto('statements')
    .values({
      query_id: randomUUID(),
      account_id: app.accountId,
      user_id: userId,
      user_name: user,
      request_id: randomUUID(),
      statement_index: 0,
      statement_count: 1,
      door: 'channel',
      sql: 'SELECT 1',
      kind: 'select',
      state,
      accepted_at: new Date(at),
      started_at: new Date(at),
      ended_at: new Date(Date.parse(at) + ms),
      duration_us: ms * 1_000,
      row_count: 10,
    })
    .execute()

const userIdOf = async (app: TestApp, name: string): Promise<string> => {
  const found = await app.store.db
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', app.accountId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return found.user_id
}

test('statements over time: your own, and those of all with the role account_admin', async () => {
  const app = await startApp()
  const reader = await app.user([])
  const userId = await userIdOf(app, reader.name)
  const other = { userId: randomUUID(), user: 'somebody' }
  await past(app, { userId, user: reader.name, at: '2026-02-01T00:10:00Z', ms: 20 })
  await past(app, { userId, user: reader.name, at: '2026-02-01T00:20:00Z', ms: 40 })
  await past(app, { userId, user: reader.name, at: '2026-02-01T01:20:00Z', ms: 10, state: 'failed' })
  await past(app, { ...other, at: '2026-02-01T00:30:00Z', ms: 1_000 })
  await past(app, { ...other, at: '2026-02-01T02:00:00Z', ms: 1_000 })
  const asked = { from: FROM, until: UNTIL, step: 3_600 } as const

  const own = await reader.call(metrics.series, { name: 'statements', ...asked })
  expect(own.data).toEqual({
    unit: 'statements',
    searchedTo: null,
    points: [
      { at: '2026-02-01T00:00:00.000Z', of: 'finished', value: 2 },
      { at: '2026-02-01T01:00:00.000Z', of: 'failed', value: 1 },
    ],
  })
  const slowest = await reader.call(metrics.series, { name: 'statement_duration_p95', ...asked })
  expect(slowest.data.points.map(({ value }) => value)).toEqual([40, 10])
  const rows = await reader.call(metrics.series, { name: 'rows_returned', ...asked })
  expect(rows.data.points.map(({ value }) => value)).toEqual([20, 10])

  const admin = await app.admin()
  const all = await admin.call(metrics.series, { name: 'statements', ...asked })
  expect(all.data.points[0]).toMatchObject({ of: 'finished', value: 3 })
})

test('warehouses over time, of those that you may change; storage is for administrators', async () => {
  const app = await startApp()
  const manager = await app.user(['cluster_admin'])
  const { warehouseId } = (await manager.call(warehouse.create, { name: 'oars', idleMinutes: null })).data
  const from = app.clock.now()
  app.clock.advance(1 * HOURS)
  const until = new Date(from.getTime() + 2 * HOURS).toISOString()
  const asked = { from: from.toISOString(), until, step: 3_600 } as const

  const used = (await manager.call(metrics.series, { name: 'ccu', ...asked, warehouseId })).data
  expect(used.unit).toBe('CCU')
  expect(used.points).toMatchObject([{ of: 'oars', value: 1 }])
  const reader = await app.user([])
  expect((await reader.call(metrics.series, { name: 'ccu', ...asked })).data.points).toEqual([])
  expect((await reader.call(metrics.series, { name: 'ccu', ...asked, warehouseId })).code).toBe(
    CODES.NotFound.code,
  )
  expect((await reader.call(metrics.series, { name: 'storage', ...asked })).code).toBe(
    CODES.NoPermission.code,
  )
})

test('a step that is too short, a span that is too long or ends before it begins is refused', async () => {
  const app = await startApp()
  const reader = await app.user([])
  const messageOf = async (question: object): Promise<string> => {
    const asked = { name: 'statements', from: FROM, until: UNTIL, step: 60, ...question } as never
    const { code, message } = await reader.call(metrics.series, asked)
    expect(code).toBe(CODES.BadInput.code)
    return message
  }
  expect(await messageOf({ name: 'ccu' })).toContain('The shortest step of ccu is 3600 seconds')
  expect(await messageOf({ until: '2026-04-01T00:00:00Z' })).toContain('at most 1500 steps')
  expect(await messageOf({ until: FROM })).toContain('Enter a time after')
  expect(await messageOf({ step: 7 })).toContain('step')
  const listed = await reader.call(metrics.list, {})
  expect(listed.data.metrics.map(({ name }) => name)).toContain('compute_cost')
})

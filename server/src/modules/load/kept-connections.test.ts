import { afterEach, expect, test, vi } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { identityOf } from '../../testing/client-kit.ts'
import { rowsIn } from '../../testing/load-kit.ts'
import { startApp } from '../../testing/start-app.ts'
import { basic, streamed } from '../../testing/stream-kit.ts'
import { createKeptConnections } from './kept-connections.ts'

afterEach(() => vi.useRealTimers())

const PLACE = { catalog: 'default_catalog', database: 'main', warehouseId: 'w' }

function setUp() {
  vi.useFakeTimers()
  const closed: number[] = []
  const queries = { killConnection: async (_actor: unknown, id: number) => closed.push(id) > 0 }
  const log = { warn: () => undefined } as never
  const actor = actorWith('a')
  return { actor, closed, kept: createKeptConnections({ queries, log, keptMs: 1_000 }) }
}

test('a connection is kept for the next load of the same user to the same place, for a while', async () => {
  const { actor, closed, kept } = setUp()
  expect(kept.take(actor, PLACE)).toBeNull()
  kept.give(actor, PLACE, 7)
  expect(kept.take({ ...actor, userId: 'another' }, PLACE)).toBeNull()
  expect(kept.take(actor, { ...PLACE, database: 'harbour' })).toBeNull()
  expect(kept.take(actor, PLACE)).toBe(7)
  expect(kept.take(actor, PLACE)).toBeNull()
  vi.advanceTimersByTime(2_000)
  expect(closed).toEqual([])
  kept.give(actor, PLACE, 7)
  vi.advanceTimersByTime(999)
  expect(closed).toEqual([])
  vi.advanceTimersByTime(1)
  expect(closed).toEqual([7])
  expect(kept.take(actor, PLACE)).toBeNull()
})

test('a user has few free ones, whatever the places, and none is left at the end', async () => {
  const { actor, closed, kept } = setUp()
  for (const id of [1, 2, 3, 4, 5]) kept.give(actor, { ...PLACE, database: `d${id}` }, id)
  expect(closed).toEqual([5])
  expect(kept.isOfOthers(1, null)).toBe(true)
  expect(kept.isOfOthers(5, null)).toBe(false)
  expect(kept.take(actor, { ...PLACE, database: 'd1' })).toBe(1)
  expect(kept.isOfOthers(1, 1)).toBe(false)
  kept.end(actor, 1)
  await kept.close()
  expect(closed).toEqual([5, 1, 2, 3, 4])
  kept.give(actor, PLACE, 6)
  expect(closed).toEqual([5, 1, 2, 3, 4, 6])
})

async function started() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await rowsIn(admin, 'CREATE TABLE main.t (id BIGINT, name VARCHAR)')
  const load = (body: string, headers: Record<string, string> = {}) =>
    streamed(app, body, { headers: { column_separator: ',', ...headers } })
  const connections = async () => {
    await app.endsWritten()
    const { rows } = await app.store.pool.query<{ connection_id: string; is_open: boolean }>(
      `select distinct c.connection_id, c.closed_at is null as is_open, min(s.accepted_at) as first
       from statements s join connections c using (connection_id) where s.sql like 'STREAM LOAD%' group by 1, 2 order by 3`,
    )
    return rows
  }
  return { app, admin, load, connections }
}

test('loads run on one connection after another; a failed one closes it, and one that somebody closed is replaced', async () => {
  const { app, admin, load, connections } = await started()
  expect((await load('1,a\n')).body.Status).toBe('Success')
  expect((await load('2,b\n')).body.Status).toBe('Success')
  const [first, ...others] = await connections()
  expect(others).toEqual([])
  const { known } = await identityOf(app, admin)
  await app.queries.killConnection(known, Number(first?.connection_id))
  expect((await load('3,c\n')).body.Status).toBe('Success')
  expect((await load('x,d\n', { strict_mode: 'true' })).body.Status).toBe('Fail')
  await expect.poll(async () => (await connections()).some(({ is_open }) => is_open)).toBe(false)
  expect((await load('4,e\n')).body.Status).toBe('Success')
  expect(await rowsIn(admin, 'SELECT id FROM main.t ORDER BY id')).toEqual([['1'], ['2'], ['3'], ['4']])
})

test('on a connection that is kept, a load is refused once its privilege is revoked, and nobody else gets it', async () => {
  const { app, admin, load, connections } = await started()
  const writer = await app.user([])
  await rowsIn(admin, `GRANT SELECT, INSERT ON TABLE main.t TO USER ${writer.name}`)
  const asWriter = { authorization: basic(app, writer.name) }
  expect((await load('1,a\n', asWriter)).body).toMatchObject({ Status: 'Success', Message: 'OK' })
  expect((await load('2,b\n')).body.Status).toBe('Success')
  expect(await connections()).toHaveLength(2)
  await rowsIn(admin, `REVOKE INSERT ON TABLE main.t FROM USER ${writer.name}`)
  expect((await load('3,c\n', asWriter)).body).toMatchObject({
    Status: 'Fail',
    Message: expect.stringContaining('INSERT'),
  })
  expect(await rowsIn(admin, 'SELECT id FROM main.t ORDER BY id')).toEqual([['1'], ['2']])
})

import { randomUUID } from 'node:crypto'
import { MESSAGES, type Sent, warehouse } from '@boathouse/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { startApp } from '../../testing/start-app.ts'

/** For a machine that has other things to do. */
const PATIENTLY = { timeout: 10_000 }

const DEFAULT = 'default_warehouse'

const refusal = (name: string) => ({
  code: 'NotFound',
  message: `The warehouse ${name} does not exist, or you may not use it. SHOW WAREHOUSES lists those you may use.`,
})

async function setUp() {
  const app = await startApp()
  const { warehouses } = app
  const manager = actorWith(app.accountId, ['cluster_admin'], 'manager')
  const rower = actorWith(app.accountId, ['db_admin'], 'rower')
  const abort = new AbortController()
  /** As a session holds it. */
  const chosen = async (name: string, accountId: string) => {
    if (name === DEFAULT) return { id: await warehouses.idOf(accountId, name), name }
    return { id: (await warehouses.idOf(app.accountId, name)) ?? randomUUID(), name }
  }
  return {
    app,
    warehouses,
    manager,
    rower,
    abort,
    async admit(name = DEFAULT, actor = rower, onQueued: (place: number) => void = () => undefined) {
      const warehouse = await chosen(name, actor.accountId)
      const lease = await warehouses.admit(actor, warehouse, {
        queryId: randomUUID(),
        onQueued,
        signal: abort.signal,
      })
      // Whatever a test leaves running would be waited for at its end.
      onTestFinished(() => lease.release())
      return lease
    },
    create: (name: string, more: Partial<Sent<typeof warehouse.create>> = {}) =>
      warehouses.create(manager, warehouse.create.input.parse({ name, ...more })),
    status: async (name = DEFAULT) => (await warehouses.findByName(manager, name))?.status,
    async activity(name = DEFAULT) {
      const row = await warehouses.findByName(manager, name)
      const page = { warehouseId: row?.warehouse_id ?? '', cursor: null, limit: 100 }
      return (await warehouses.activity(manager, page)).activities.map(
        ({ action, detail, result, actor }) => [action, detail, result, actor],
      )
    },
  }
}

test('a statement resumes the warehouse that it needs, once for all who need it [WH-25]', async () => {
  const { app, admit, status, activity } = await setUp()
  expect(await status()).toBe('Suspended')
  const leases = await Promise.all([admit(), admit(), admit(), admit()])
  expect(new Set(leases.map(({ engine }) => engine)).size).toBe(1)
  expect(leases[0]?.warehouse).toMatchObject({ name: DEFAULT, size: 'Small' })
  expect(await status()).toBe('Running')
  expect(await activity()).toEqual([['Auto-resume', '', 'Success', 'rower']])
  const { rows } = await app.store.pool.query('select * from warehouse_runs')
  expect(rows).toMatchObject([{ size: 'Small', started_at: app.clock.now(), ended_at: null }])
})

test('statements beyond the slots wait in a queue and get their place', async () => {
  const { admit, app, warehouses, manager } = await setUp()
  const leases = await Promise.all([admit(), admit(), admit(), admit()])
  const places: number[][] = [[], []]
  const fifth = admit(DEFAULT, undefined, (place) => places[0]?.push(place))
  await vi.waitFor(() => expect(places[0]).toEqual([1]), PATIENTLY)
  const sixth = admit(DEFAULT, undefined, (place) => places[1]?.push(place))
  await vi.waitFor(() => expect(places).toEqual([[1], [2]]), PATIENTLY)
  const { warehouse_id = '' } = (await warehouses.findByName(manager, DEFAULT)) ?? {}
  expect(await warehouses.describe(manager, warehouse_id)).toMatchObject({ running: 4, queued: 2 })
  leases[0]?.release()
  ;(await fifth).release()
  await sixth
  expect(places).toEqual([[1], [2, 1]])
  expect(app.compute.load(warehouse_id)).toEqual({ running: 4, queued: 0 })
})

test('where auto-resume is off, a statement gets the refusal, and a warehouse that was resumed runs it', async () => {
  const { app, admit, create, warehouses, manager, activity } = await setUp()
  const row = await create('manual', { autoResume: false })
  await warehouses.suspend(manager, row.warehouse_id)
  await expect(admit('manual', manager)).rejects.toMatchObject({
    code: 'NoRunningWarehouse',
    message: MESSAGES.noRunningWarehouse,
  })
  expect((await activity('manual')).map(([action]) => action)).toEqual(['Suspend', 'Create'])
  await warehouses.resume(manager, row.warehouse_id)
  expect((await admit('MANUAL', manager)).warehouse.name).toBe('manual')
  expect(app.compute.running()).toHaveLength(1)
})

test('a warehouse that is not there, or not for this user, is refused in the same words', async () => {
  const { app, admit, create, manager, rower, warehouses } = await setUp()
  await create('oars')
  await expect(admit('oars', rower)).rejects.toMatchObject(refusal('oars'))
  await expect(admit('nowhere', manager)).rejects.toMatchObject(refusal('nowhere'))
  expect((await admit('oars', manager)).warehouse.name).toBe('oars')
  const { accountId } = await app.stranger()
  const stranger = actorWith(accountId, ['account_admin'])
  await expect(admit('oars', stranger)).rejects.toMatchObject(refusal('oars'))
  await expect(admit(DEFAULT, stranger)).rejects.toMatchObject({ code: 'NoRunningWarehouse' })
  expect(await warehouses.list(stranger)).toEqual([])
})

test('suspending stops what runs and what waits, and says so [WH-24, WH-37]', async () => {
  const { admit, warehouses, manager, status } = await setUp()
  const leases = await Promise.all([admit(), admit(), admit(), admit()])
  const seen: number[] = []
  const waiting = admit(DEFAULT, undefined, (place) => seen.push(place))
  await vi.waitFor(() => expect(seen).toEqual([1]), PATIENTLY)
  const { warehouse_id = '' } = (await warehouses.findByName(manager, DEFAULT)) ?? {}
  const suspended = warehouses.suspend(manager, warehouse_id)
  const reason = { code: 'NoRunningWarehouse', message: 'The warehouse default_warehouse was suspended.' }
  await expect(waiting).rejects.toMatchObject(reason)
  expect(leases.map(({ evicted }) => evicted.reason as unknown)).toMatchObject([
    reason,
    reason,
    reason,
    reason,
  ])
  expect(await status()).toBe('Suspending')
  for (const lease of leases) lease.release()
  expect((await suspended).status).toBe('Suspended')
})

test('a statement that comes while a warehouse is suspending waits for that, then resumes it', async () => {
  const { admit, warehouses, manager, activity } = await setUp()
  const lease = await admit()
  const { warehouse_id = '' } = (await warehouses.findByName(manager, DEFAULT)) ?? {}
  const suspended = warehouses.suspend(manager, warehouse_id)
  await vi.waitFor(() => expect(lease.evicted.aborted).toBe(true), PATIENTLY)
  const next = admit()
  lease.release()
  await suspended
  expect((await next).evicted.aborted).toBe(false)
  expect((await activity()).map(([action]) => action)).toEqual(['Auto-resume', 'Suspend', 'Auto-resume'])
})

test('deleting stops what runs, and says so', async () => {
  const { admit, create, warehouses, manager } = await setUp()
  const { warehouse_id } = await create('oars')
  const lease = await admit('oars', manager)
  const deleted = warehouses.delete(manager, warehouse_id)
  await vi.waitFor(() => expect(lease.evicted.aborted).toBe(true), PATIENTLY)
  expect(lease.evicted.reason).toMatchObject({ message: 'The warehouse oars was deleted.' })
  lease.release()
  await deleted
  await expect(admit('oars', manager)).rejects.toMatchObject({ code: 'NotFound' })
})

test('deleting also refuses those who wait in its queue, and all who come after them', async () => {
  const { admit, create, warehouses, manager } = await setUp()
  const { warehouse_id } = await create('oars')
  const leases = await Promise.all([admit('oars', manager), admit('oars', manager)])
  const seen: number[] = []
  const waiting = admit('oars', manager, (place) => seen.push(place))
  await vi.waitFor(() => expect(seen).toEqual([1]), PATIENTLY)
  const deleted = warehouses.delete(manager, warehouse_id)
  await expect(waiting).rejects.toMatchObject({ message: 'The warehouse oars was deleted.' })
  const late = admit('oars', manager)
  for (const lease of leases) lease.release()
  await deleted
  await expect(late).rejects.toMatchObject({ code: 'NotFound' })
})

test('a statement can be cancelled while its warehouse resumes, and the warehouse resumes all the same', async () => {
  const { admit, abort, status } = await setUp()
  const waiting = admit()
  abort.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'Cancelled' })
  await vi.waitFor(async () => expect(await status()).toBe('Running'), PATIENTLY)
})

test('a warehouse that does not start is Failed with the reason, and the next statement tries again', async () => {
  const { app, admit, status, activity } = await setUp()
  app.engines.failNextOpen('The disk is full.')
  await expect(admit()).rejects.toMatchObject({
    code: 'Unavailable',
    message: 'The warehouse default_warehouse did not start. The disk is full.',
  })
  expect(await status()).toBe('Failed')
  expect(await activity()).toEqual([['Auto-resume', 'The disk is full.', 'Failed', 'rower']])
  app.clock.advance(MINUTES)
  await admit()
  expect(await status()).toBe('Running')
})

test('a warehouse is suspended once nothing ran for its idle minutes, not before [WH-19]', async () => {
  const { app, admit, warehouses, status, activity } = await setUp()
  const lease = await admit()
  app.clock.advance(60 * MINUTES)
  await warehouses.suspendIdle()
  expect(await status()).toBe('Running')
  lease.release()
  app.clock.advance(5 * MINUTES - 1)
  await warehouses.suspendIdle()
  expect(await status()).toBe('Running')
  app.clock.advance(1)
  await warehouses.suspendIdle()
  expect(await status()).toBe('Suspended')
  expect((await activity())[0]).toEqual(['Auto-suspend', 'Nothing ran for 5 min.', 'Success', 'service'])
  await admit()
  app.clock.advance(4 * MINUTES)
  await warehouses.suspendIdle()
  expect(await status()).toBe('Running')
})

test('a warehouse without auto-suspend runs until someone suspends it', async () => {
  const { app, create, warehouses, status } = await setUp()
  await create('always', { idleMinutes: null })
  app.clock.advance(100 * 24 * 60 * MINUTES)
  await warehouses.suspendIdle()
  expect(await status('always')).toBe('Running')
})

test('a warehouse whose engine dies is Failed with the reason, and the next statement resumes it even without auto-resume [WH-34]', async () => {
  const { app, admit, create, manager, status, activity } = await setUp()
  await create('manual', { autoResume: false })
  await admit('manual', manager)
  app.clock.advance(100_000)
  app.engines.crash('killed by a test')
  await vi.waitFor(async () => expect(await status('manual')).toBe('Failed'), PATIENTLY)
  expect((await activity('manual'))[0]).toEqual(['Crash', 'killed by a test', 'Failed', 'service'])
  const { rows } = await app.store.pool.query('select * from warehouse_runs')
  expect(rows).toMatchObject([{ end_reason: 'crashed', ended_at: app.clock.now() }])
  app.clock.advance(MINUTES)
  expect((await admit('manual', manager)).warehouse.name).toBe('manual')
  expect(await status('manual')).toBe('Running')
})

test('who is queued when the engine dies runs in the next one', async () => {
  const { app, admit } = await setUp()
  const leases = await Promise.all([admit(), admit(), admit(), admit()])
  const seen: number[] = []
  const waiting = admit(DEFAULT, undefined, (place) => seen.push(place))
  await vi.waitFor(() => expect(seen).toEqual([1]), PATIENTLY)
  app.engines.crash('killed by a test')
  app.clock.advance(MINUTES)
  const lease = await waiting
  expect(lease.engine).not.toBe(leases[0]?.engine)
})

test('a warehouse whose step was cut off by its database is put right by the next step', async () => {
  const { app, admit, create, warehouses, manager, status } = await setUp()
  const { warehouse_id } = await create('oars')
  const cutOff = (name: string, as: string) =>
    app.store.db.updateTable('warehouses').set({ status: as }).where('name', '=', name).execute()
  await cutOff('oars', 'Scaling')
  expect((await warehouses.suspend(manager, warehouse_id)).status).toBe('Suspended')
  for (const state of ['Resuming', 'Suspending', 'Releasing', 'Updating', 'Deploying']) {
    await cutOff(DEFAULT, state)
    const lease = await admit()
    expect([state, await status()]).toEqual([state, 'Running'])
    lease.release()
    await warehouses.suspend(manager, (await warehouses.findByName(manager, DEFAULT))?.warehouse_id ?? '')
  }
})

test('a warehouse whose start cannot be recorded is stopped again', async () => {
  const { app, admit, status } = await setUp()
  await app.store.pool.query(
    `create function refuse() returns trigger as 'begin raise exception ''cut off''; end' language plpgsql;
     create trigger refuse before insert on warehouse_runs for each row execute function refuse()`,
  )
  await expect(admit()).rejects.toThrow('cut off')
  expect(app.compute.running()).toEqual([])
  await app.store.pool.query('drop function refuse cascade')
  await admit()
  expect(await status()).toBe('Running')
})

test('at start whatever claims to run is Suspended, its runs are closed, and a deletion is completed', async () => {
  const { app, create, warehouses, manager, status, activity } = await setUp()
  const rows = new Map<string, string>()
  for (const name of ['one', 'two', 'gone', 'failed']) {
    const { warehouse_id } = await create(name)
    await warehouses.suspend(manager, warehouse_id)
    rows.set(name, warehouse_id)
  }
  const claim = (name: string, state: string) =>
    app.store.db.updateTable('warehouses').set({ status: state }).where('name', '=', name).execute()
  await claim('one', 'Running')
  await claim('two', 'Resuming')
  await claim('gone', 'Releasing')
  await claim('failed', 'Failed')
  const startedAt = app.clock.now()
  await app.store.db
    .insertInto('warehouse_runs')
    .values({
      run_id: randomUUID(),
      account_id: app.accountId,
      warehouse_id: rows.get('one') ?? '',
      warehouse_name: 'one',
      size: 'Small',
      started_at: startedAt,
      metered_until: startedAt,
    })
    .execute()
  app.clock.advance(MINUTES)
  await warehouses.recover()
  expect(await Promise.all(['one', 'two', 'gone', 'failed'].map(status))).toEqual([
    'Suspended',
    'Suspended',
    undefined,
    'Failed',
  ])
  const line = ['Suspend', 'The service ended without suspending it.', 'Success', 'service']
  expect([(await activity('one'))[0], (await activity('two'))[0]]).toEqual([line, line])
  expect((await activity('failed'))[0]?.[0]).toBe('Suspend')
  const open = await app.store.pool.query('select 1 from warehouse_runs where ended_at is null')
  expect(open.rows).toEqual([])
})

test('an engine that outlived the service is taken over where its warehouse should run, and ended elsewhere', async () => {
  const { app, warehouses, manager, create, status, activity } = await setUp()
  const ids = new Map<string, string>()
  for (const name of ['one', 'two']) {
    const { warehouse_id } = await create(name)
    await warehouses.suspend(manager, warehouse_id)
    ids.set(name, warehouse_id)
  }
  await app.store.db.updateTable('warehouses').set({ status: 'Running' }).where('name', '=', 'one').execute()
  vi.spyOn(app.compute, 'left').mockResolvedValue([...ids.values(), 'of a warehouse that was deleted'])
  const ended = vi.spyOn(app.compute, 'endLeft').mockResolvedValue()
  await warehouses.recover()
  await vi.waitFor(async () => expect(await status('one')).toBe('Running'), PATIENTLY)
  expect(app.compute.isRunning(ids.get('one') ?? '')).toBe(true)
  expect((await activity('one'))[0]).toEqual([
    'Resume',
    'Its engine was still running.',
    'Success',
    'service',
  ])
  expect(await status('two')).toBe('Suspended')
  expect(ended.mock.calls).toEqual([[ids.get('two')], ['of a warehouse that was deleted']])
})

test('when the service stops, everything is suspended and nobody is charged a minimum', async () => {
  const { app, admit, warehouses, status, activity } = await setUp()
  const lease = await admit()
  app.clock.advance(10_000)
  const closed = warehouses.close()
  await vi.waitFor(() => expect(lease.evicted.aborted).toBe(true), PATIENTLY)
  lease.release()
  await closed
  expect(await status()).toBe('Suspended')
  expect((await activity())[0]).toEqual(['Suspend', 'The service was stopped.', 'Success', 'service'])
  const { rows } = await app.store.pool.query('select seconds from warehouse_usage')
  expect(rows).toEqual([{ seconds: 10 }])
})

import { randomUUID } from 'node:crypto'
import { CODES, warehouse, type WarehouseState } from '@boathouse/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createEmbeddedProvider, type EmbeddedEngine } from '../../testing/embedded-engine.ts'
import type { Engine } from '../../engines/engine/engine.ts'
import type { EngineSize } from '../../engines/engine/provider.ts'
import { createScriptedProvider } from '../../engines/scripted/provider.ts'
import { actorWith } from '../../testing/actor.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'

/** For a machine that has other things to do. */
const PATIENTLY = { timeout: 10_000 }

/** Lets pass, unless it is shut. */
function aGate() {
  let opened = Promise.resolve()
  let open = (): void => undefined
  return {
    shut() {
      opened = new Promise((resolve) => (open = resolve))
    },
    open: () => open(),
    passed: () => opened,
  }
}

/** The scripted engines, whose start and change of size take as long as a test wants. */
function slowEngines() {
  const inner = createScriptedProvider()
  const starts = aGate()
  const resizes = aGate()
  return {
    ...inner,
    starts,
    resizes,
    async open(space: Parameters<typeof inner.open>[0]): Promise<Engine> {
      await starts.passed()
      const engine = await inner.open(space)
      const { resize } = engine
      return Object.assign(engine, {
        resize: async (size: EngineSize) => {
          await resizes.passed()
          await resize?.(size)
        },
      })
    },
  }
}

const slow = slowEngines()
const shared = sharedApp({}, { engines: slow })

/** What a person sees of one warehouse: the call behind its page, and the statement. */
async function looker(app: TestApp, name: string) {
  const manager = await app.user(['cluster_admin'])
  const channel = await manager.channel()
  return {
    manager,
    async seen() {
      const { warehouses } = (await manager.call(warehouse.list, {})).data
      const found = warehouses.find((one) => one.name === name)
      const shown = await channel.run(`SHOW WAREHOUSES LIKE '${name}'`)
      return { ...found, stated: shown[0]?.result[0] ?? [] }
    },
  }
}

type Look = Awaited<ReturnType<typeof looker>>['seen']

const isSeenAs = (seen: Look, status: WarehouseState) =>
  vi.waitFor(async () => {
    const found = await seen()
    expect(found.status).toBe(status)
    expect(found.stated).toContain(status)
  }, PATIENTLY)

const idOf = async (user: TestUser, name: string): Promise<string> =>
  (await user.call(warehouse.list, {})).data.warehouses.find((one) => one.name === name)?.warehouseId ?? ''

test('it is Deploying until its engine has started for the first time, then Running [WH-33, WH-35]', async () => {
  const app = await shared()
  const { manager, seen } = await looker(app, 'first')
  slow.starts.shut()
  const created = manager.call(warehouse.create, { name: 'first' })
  await isSeenAs(seen, 'Deploying')
  expect(await seen()).toMatchObject({ actions: [], resumedOn: null })
  slow.starts.open()
  expect((await created).data.status).toBe('Running')
  await isSeenAs(seen, 'Running')
  await manager.call(warehouse.delete, { warehouseId: await idOf(manager, 'first') })
})

test('it is Resuming until its engine runs again [WH-42]', async () => {
  const app = await shared()
  const { manager, seen } = await looker(app, 'again')
  const { warehouseId } = (await manager.call(warehouse.create, { name: 'again' })).data
  await manager.call(warehouse.suspend, { warehouseId })
  // The engine of the account is kept for a minute.
  app.clock.advance(61_000)
  await app.compute.endUnusedEngines()
  slow.starts.shut()
  const resumed = manager.call(warehouse.resume, { warehouseId })
  await isSeenAs(seen, 'Resuming')
  expect((await seen()).actions).toEqual([])
  slow.starts.open()
  expect((await resumed).data.status).toBe('Running')
  await manager.call(warehouse.delete, { warehouseId })
})

test('it is Releasing while what runs in it is stopped, and is gone afterwards [WH-38]', async () => {
  const app = await shared()
  const { manager, seen } = await looker(app, 'last')
  const { warehouseId } = (await manager.call(warehouse.create, { name: 'last' })).data
  const applicant = { queryId: randomUUID(), onQueued: () => undefined, signal: new AbortController().signal }
  const actor = actorWith(app.accountId, ['cluster_admin'], manager.name)
  const lease = await app.warehouses.admit(actor, { id: warehouseId, name: 'last' }, applicant)
  const deleted = manager.call(warehouse.delete, { warehouseId })
  await isSeenAs(seen, 'Releasing')
  expect(lease.evicted.reason).toMatchObject({ message: 'The warehouse last was deleted.' })
  lease.release()
  expect((await deleted).code).toBe(CODES.Ok.code)
  expect((await seen()).status).toBeUndefined()
})

test.each([
  { from: 'X-Small', to: 'Large', status: 'Expanding', slots: 2 },
  { from: 'Large', to: 'X-Small', status: 'Scaling', slots: 16 },
] as const)(
  'from $from to $to it is $status, and statements run at the old size meanwhile [WH-30, WH-40, WH-41]',
  async ({ from, to, status, slots }) => {
    const app = await shared()
    const name = `to_${status}`
    const { manager, seen } = await looker(app, name)
    const { warehouseId } = (await manager.call(warehouse.create, { name, size: from })).data
    const channel = await manager.channel()
    const [chosen] = await channel.run(`SET WAREHOUSE ${name}`)
    const connId = chosen?.connId ?? 0
    const sizeNow = () => app.compute.running().find(({ id }) => id === warehouseId)?.size
    slow.resizes.shut()
    const resized = manager.call(warehouse.update, { warehouseId, size: to })
    await isSeenAs(seen, status)
    expect(await seen()).toMatchObject({ size: from, scalingTo: to, actions: [], offer: { slots } })
    // A statement in the meantime has a slot of the old size, and does not wait for the new one.
    expect(await channel.run('SELECT 1', { connId })).toMatchObject([{ result: [['1']] }])
    const { rows } = await app.store.pool.query(
      'select size from warehouse_runs where warehouse_id = $1 and ended_at is null',
      [warehouseId],
    )
    expect(rows).toEqual([{ size: from }])
    expect(sizeNow()).toBe(from)
    slow.resizes.open()
    expect((await resized).data).toMatchObject({ status: 'Running', size: to })
    expect(sizeNow()).toBe(to)
    await manager.call(warehouse.delete, { warehouseId })
  },
)

test('it is Updating while its settings change, and then what it was, also when they are refused [WH-36]', async () => {
  const app = await shared()
  const { manager, seen } = await looker(app, 'settled')
  const { warehouseId } = (await manager.call(warehouse.create, { name: 'settled' })).data
  const other = await app.store.pool.connect()
  try {
    // The line of the activity list, which is written together with the change, has to wait.
    await other.query('begin; lock table warehouse_activity in exclusive mode')
    const updated = manager.call(warehouse.update, { warehouseId, idleMinutes: 30 })
    await isSeenAs(seen, 'Updating')
    expect(await seen()).toMatchObject({ actions: [], idleMinutes: 5 })
    await other.query('commit')
    expect((await updated).data).toMatchObject({ status: 'Running', idleMinutes: 30 })
  } finally {
    other.release()
  }
  const taken = await manager.call(warehouse.update, { warehouseId, name: 'Default_Warehouse' })
  expect(taken.code).not.toBe(CODES.Ok.code)
  await isSeenAs(seen, 'Running')
  await manager.call(warehouse.suspend, { warehouseId })
  const edited = await manager.call(warehouse.update, { warehouseId, description: 'for rowing' })
  expect(edited.data).toMatchObject({ status: 'Suspended', description: 'for rowing' })
  await manager.call(warehouse.delete, { warehouseId })
})

test('it is Unknown while the process of its engine does not answer, and Running when that answers again [WH-43]', async () => {
  const provider = await createEmbeddedProvider()
  onTestFinished(() => provider.close())
  const opened: EmbeddedEngine[] = []
  const engines = {
    ...provider,
    async open(space: Parameters<typeof provider.open>[0]) {
      const engine = await provider.open(space)
      opened.push(engine)
      return engine
    },
  }
  const app = await startApp({}, { engines, silentAfterMs: 200 })
  const { manager, seen } = await looker(app, 'default_warehouse')
  const warehouseId = await idOf(manager, 'default_warehouse')
  await manager.call(warehouse.resume, { warehouseId })
  await app.compute.measureCpu()
  await isSeenAs(seen, 'Running')
  const { pid = 0 } = opened.at(-1) ?? {}
  process.kill(pid, 'SIGSTOP')
  try {
    await app.compute.measureCpu()
    await isSeenAs(seen, 'Unknown')
    expect((await seen()).actions).toEqual(['suspend', 'delete'])
    expect((await manager.call(warehouse.resume, { warehouseId })).message).toContain(
      'Its engine does not answer. Suspend it, then resume it.',
    )
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await isSeenAs(seen, 'Running')
  process.kill(pid, 'SIGSTOP')
  await app.compute.measureCpu()
  await isSeenAs(seen, 'Unknown')
  process.kill(pid, 'SIGKILL')
  await isSeenAs(seen, 'Failed')
})

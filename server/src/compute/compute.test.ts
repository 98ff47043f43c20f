import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fakeClock, MINUTES } from '../testing/fake-clock.ts'
import { createScriptedProvider } from '../engines/scripted/provider.ts'
import { startCompute } from '../testing/recorded-engines.ts'
import type { Loss } from './compute.ts'
import { createWarehousePool } from './warehouse-pool.ts'

/** For a machine that has other things to do. */
const PATIENTLY = { timeout: 10_000 }

const GIB = 1024 ** 3
const pool = (accountId: string, id: string, size: 'X-Small' | 'Small' | 'Medium' = 'X-Small') => ({
  accountId,
  id,
  name: id,
  size,
  runId: `run of ${id}`,
})
const patient = () => ({ onQueued: vi.fn<(place: number) => void>(), signal: new AbortController().signal })

test('warehouses of an account share one engine, as large as all of them together', async () => {
  const { compute, engines } = await startCompute()
  await Promise.all([compute.start(pool('A', 'a1', 'Small')), compute.start(pool('A', 'a2', 'Medium'))])
  expect(engines.opened).toHaveLength(1)
  expect(engines.opened[0]?.sizes.at(-1)).toEqual({ threads: 6, memoryBytes: 6 * GIB })
  await compute.stop('a2', new Error('over'))
  expect(engines.opened[0]?.sizes.at(-1)).toEqual({ threads: 2, memoryBytes: 2 * GIB })
  expect(engines.opened[0]?.isClosed).toBe(false)
  await compute.stop('a1', new Error('over'))
  expect(engines.opened[0]?.isClosed).toBe(true)
})

test('another size holds as soon as the engine has it, for slots too', async () => {
  const { compute, engines } = await startCompute()
  await compute.start(pool('A', 'a'))
  const leases = await Promise.all([compute.admit('a', patient()), compute.admit('a', patient())])
  const third = patient()
  const waiting = compute.admit('a', third)
  await vi.waitFor(() => expect(third.onQueued).toHaveBeenCalledWith(1), PATIENTLY)
  await compute.resize('a', { size: 'Small', runId: 'next' })
  expect(engines.opened[0]?.sizes.at(-1)).toEqual({ threads: 2, memoryBytes: 2 * GIB })
  expect((await waiting)?.warehouse.size).toBe('Small')
  expect(leases[0]?.warehouse.size).toBe('X-Small')
  expect(compute.running()).toEqual([{ ...pool('A', 'a', 'Small'), runId: 'next' }])
})

test('an engine that dies takes the warehouses of its account along, and no others', async () => {
  const { compute, engines, clock } = await startCompute()
  const losses: Loss[] = []
  compute.onLoss((loss) => losses.push(loss))
  await compute.start(pool('A', 'a'))
  await compute.start(pool('B', 'b'))
  const held = await Promise.all([compute.admit('a', patient()), compute.admit('a', patient())])
  const waiting = compute.admit('a', patient())
  engines.opened[0]?.crash('killed by a test')
  // A waiting statement has not run yet, so it does not fail: null means that it applies again.
  expect(await waiting).toBeNull()
  expect(losses).toEqual([{ pools: [pool('A', 'a')], reason: 'killed by a test', at: clock.now() }])
  expect([compute.isRunning('a'), compute.isRunning('b')]).toEqual([false, true])
  expect(held[0]?.evicted.aborted).toBe(false)
  expect(await compute.admit('b', patient())).toMatchObject({ warehouse: { id: 'b' } })
  await compute.start(pool('A', 'a'))
  expect(await compute.admit('a', patient())).toMatchObject({ warehouse: { id: 'a' } })
})

test('a warehouse may run in another engine of its account, and the loss of one leaves the other running', async () => {
  const other = createScriptedProvider()
  const { compute, engines, clock } = await startCompute([other])
  const losses: Loss[] = []
  compute.onLoss((loss) => losses.push(loss))
  const elsewhere = { ...pool('A', 'x'), engine: other.id }
  await compute.start(pool('A', 'a'))
  await compute.start(elsewhere)
  const [own, further] = [await compute.admit('a', patient()), await compute.admit('x', patient())]
  expect(own?.engine).not.toBe(further?.engine)
  expect(engines.opened).toHaveLength(1)
  other.crash('killed by a test')
  await vi.waitFor(() => expect(compute.isRunning('x')).toBe(false), PATIENTLY)
  expect(losses).toEqual([{ pools: [elsewhere], reason: 'killed by a test', at: clock.now() }])
  expect(compute.isRunning('a')).toBe(true)
  const unknown = compute.start({ ...pool('A', 'y'), engine: 'no such engine' })
  await expect(unknown).rejects.toThrow('There is no engine no such engine here.')
  await compute.removeAccount('A')
  await expect(compute.start(elsewhere)).rejects.toThrow('The service is shutting down.')
})

test('an engine that dies of another size takes the warehouse along and leaves no share behind', async () => {
  const { compute, engines, clock } = await startCompute()
  await compute.start(pool('A', 'a'))
  for (const engine of engines.opened) engine.isBrittle = true
  await expect(compute.resize('a', { size: 'Medium', runId: 'next' })).rejects.toThrow(
    'The engine has ended.',
  )
  expect(compute.running()).toEqual([])
  clock.advance(MINUTES)
  await compute.start(pool('A', 'b'))
  expect(engines.opened[1]?.sizes).toEqual([{ threads: 1, memoryBytes: GIB }])
})

test('an engine that does not start leaves no warehouse behind, and may start later', async () => {
  const { compute, engines, clock } = await startCompute()
  engines.refuse('no room on the disk')
  await expect(compute.start(pool('A', 'a', 'Medium'))).rejects.toThrow('no room on the disk')
  expect(compute.isRunning('a')).toBe(false)
  expect(await compute.admit('a', patient())).toBeNull()
  clock.advance(MINUTES)
  await compute.start(pool('A', 'b'))
  expect(engines.opened[0]?.sizes).toEqual([{ threads: 1, memoryBytes: GIB }])
})

test('stopping cancels running and queued statements, waits until they have ended, then ends the engine', async () => {
  const { compute, engines } = await startCompute()
  await compute.start(pool('A', 'a'))
  const leases = await Promise.all([compute.admit('a', patient()), compute.admit('a', patient())])
  const waiting = compute.admit('a', patient())
  const reason = new Error('The warehouse a was suspended.')
  const stopped = compute.stop('a', reason)
  await expect(waiting).rejects.toBe(reason)
  expect(leases.map((lease) => lease?.evicted.reason as unknown)).toEqual([reason, reason])
  expect(compute.find('A', 'a')).toBeUndefined()
  expect(engines.opened[0]?.isClosed).toBe(false)
  for (const lease of leases) lease?.release()
  await stopped
  expect(engines.opened[0]?.isClosed).toBe(true)
})

test('an eviction waits for slots that are not released no longer than its deadline', async () => {
  const { compute } = await startCompute()
  const engine = await compute.useServiceEngine('A', async (engine) => engine)
  const stubborn = createWarehousePool(pool('A', 'a'), { engine, engineId: 'embedded' }, fakeClock())
  await stubborn.admit(patient())
  await stubborn.evict(new Error('over'), 10)
  expect(stubborn.counts()).toEqual({ running: 1, queued: 0 })
  expect(compute.evictionMs).toBe(5000)
})

test('idle begins when the last statement ends, and only an idle warehouse is shut', async () => {
  const { compute, clock } = await startCompute()
  await compute.start(pool('A', 'a'))
  const startedAt = clock.now()
  expect(compute.shutIfIdle('a', new Date(startedAt.getTime() - 1))).toBe(false)
  const lease = await compute.admit('a', patient())
  clock.advance(MINUTES)
  expect(compute.shutIfIdle('a', clock.now())).toBe(false)
  lease?.release()
  const released = clock.now()
  clock.advance(MINUTES)
  expect(compute.shutIfIdle('a', new Date(released.getTime() - 1))).toBe(false)
  expect(compute.find('A', 'a')).toMatchObject({ id: 'a' })
  expect(compute.find('B', 'a')).toBeUndefined()
  expect(compute.shutIfIdle('a', released)).toBe(true)
  expect(compute.find('A', 'a')).toBeUndefined()
  expect(await compute.admit('a', patient())).toBeNull()
})

test('the service has an engine without a warehouse, and it ends a minute after the last use', async () => {
  const { compute, engines, clock } = await startCompute()
  await compute.useServiceEngine('A', async (engine) => engine)
  let finish: (() => void) | undefined
  const work = compute.useServiceEngine('A', () => new Promise<void>((resolve) => (finish = resolve)))
  await vi.waitFor(() => expect(finish).toBeDefined(), PATIENTLY)
  clock.advance(5 * MINUTES)
  await compute.endUnusedEngines()
  expect(engines.opened.map(({ isClosed }) => isClosed)).toEqual([false])
  finish?.()
  await work
  clock.advance(MINUTES - 1)
  await compute.endUnusedEngines()
  expect(engines.opened[0]?.isClosed).toBe(false)
  clock.advance(1)
  await compute.endUnusedEngines()
  expect(engines.opened[0]?.isClosed).toBe(true)
  await compute.useServiceEngine('A', async (engine) => engine)
  expect(engines.opened).toHaveLength(2)
})

test('an engine that the service uses outlives the last warehouse, at the smallest size', async () => {
  const { compute, engines } = await startCompute()
  await compute.start(pool('A', 'a', 'Medium'))
  await compute.useServiceEngine('A', async (engine) => engine)
  await compute.stop('a', new Error('over'))
  expect(engines.opened[0]).toMatchObject({ isClosed: false })
  expect(engines.opened[0]?.sizes.at(-1)).toEqual({ threads: 1, memoryBytes: GIB })
})

test('nothing starts once compute is closed', async () => {
  const { compute } = await startCompute()
  await compute.start(pool('A', 'a'))
  await compute.close()
  await expect(compute.useServiceEngine('A', async (engine) => engine)).rejects.toThrow('shutting down')
})

test('the last sign of life of an engine is the time of its file', async () => {
  const { compute, dataDir } = await startCompute()
  expect(await compute.lastAlive('A')).toBeNull()
  const at = new Date('2026-03-01T08:59:58.500Z')
  await mkdir(join(dataDir, 'accounts', 'A'), { recursive: true })
  await writeFile(join(dataDir, 'accounts', 'A', 'alive'), '')
  await utimes(join(dataDir, 'accounts', 'A', 'alive'), at, at)
  expect(await compute.lastAlive('A')).toEqual(at)
})

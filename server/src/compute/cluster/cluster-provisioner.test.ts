import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { ClusterSpace } from '../../engines/engine/cluster-space.ts'
import { NO_NAME_RULES } from '../../engines/engine/name-rules.ts'
import { createScriptedProvider } from '../../engines/scripted/provider.ts'
import { createLog } from '../../kernel/log.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createCompute, type Loss } from '../compute.ts'
import {
  type ClusterOrder,
  type ClusterProvisionerOptions,
  type Clusters,
  createClusterProvisioner,
} from './cluster-provisioner.ts'

const GIB = 1024 ** 3

/** Clusters that only record what they were asked for. */
function recordedClusters() {
  const orders: (ClusterOrder & { resized: number[]; isStopped: boolean; lose(reason: string): void })[] = []
  let refusal: string | null = null
  const clusters: Clusters = {
    async start(order) {
      if (refusal !== null) throw new Error(refusal)
      let lose: (reason: string) => void = () => undefined
      const lost = new Promise<string>((resolve) => (lose = resolve))
      const one = { ...order, resized: [] as number[], isStopped: false, lose }
      orders.push(one)
      return {
        url: 'http://127.0.0.1:1',
        catalogs: [],
        whyNoCatalog: () => null,
        lost,
        headersFor: () => ({}),
        addressOf: (link) => link,
        requireWorkers: async () => undefined,
        resize: async (workers) => void one.resized.push(workers),
        nodes: () => [],
        cpuMs: async () => 0,
        stop: async () => void (one.isStopped = true),
      }
    },
    left: async () => ['left over'],
    endLeft: async () => undefined,
    lastAlive: async () => null,
    storedBytes: async () => 0,
    remove: async () => undefined,
    close: async () => undefined,
  }
  return { orders, clusters, refuse: (reason: string) => (refusal = reason) }
}

function startClusters(workers: ClusterProvisionerOptions['workers'] = { bytes: GIB, most: 4 }) {
  const recorded = recordedClusters()
  const scripted = createScriptedProvider()
  const provider = {
    id: 'remote',
    label: 'Remote',
    nameRules: NO_NAME_RULES,
    async open({ accountId, resultsDirectory, cluster, threads, memoryBytes }: ClusterSpace) {
      const place = { directory: resultsDirectory, tempBytes: 0, osUser: null }
      const engine = await scripted.open({ accountId, threads, memoryBytes, ...place })
      const { resize, lost, cpuMs } = cluster
      return Object.assign(engine, { resize, lost, cpuMs, close: () => cluster.stop() })
    },
    close: async () => undefined,
  }
  const directory = mkdtempSync(join(tmpdir(), 'boathouse-clusters-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const folders = { directoryOf: () => directory }
  const options = {
    provider,
    clusters: recorded.clusters,
    folders,
    workers,
    catalog: 'lake',
  }
  const provisioner = createClusterProvisioner(options)
  const compute = createCompute({ provisioners: [provisioner], clock: fakeClock(), log: createLog('silent') })
  return { compute, provisioner, ...recorded }
}

const pool = (id: string, size: 'X-Small' | 'Small' | 'Medium') => ({
  accountId: 'A',
  id,
  name: id,
  size,
  runId: `run of ${id}`,
})

test('each warehouse is a cluster of its own, with a worker for each unit of its size', async () => {
  const { compute, orders } = startClusters()
  await Promise.all([compute.start(pool('one', 'X-Small')), compute.start(pool('two', 'Small'))])
  expect(orders).toMatchObject([
    { warehouseId: 'one', workers: 1 },
    { warehouseId: 'two', workers: 2 },
  ])
  await compute.resize('one', { size: 'Medium', runId: 'another' })
  expect(orders[0]?.resized).toEqual([4])
  expect(orders[1]?.resized).toEqual([])
  await compute.stop('one', new Error('over'))
  expect(orders.map(({ isStopped }) => isStopped)).toEqual([true, false])
  expect(compute.isRunning('two')).toBe(true)
})

test('nobody gets more workers than there is room for', () => {
  const { provisioner } = startClusters()
  expect(provisioner.capacityOf(['2X-Large'])).toEqual({ threads: 4, memoryBytes: 4 * GIB })
})

test('in a cluster that exists already, a size is how many statements run at once, and nothing is resized', async () => {
  const { compute, provisioner, orders } = startClusters(null)
  expect(provisioner).toMatchObject({ isCluster: true, isExisting: true })
  expect(provisioner.capacityOf(['2X-Large'])).toEqual({ threads: 0, memoryBytes: 0 })
  await compute.start(pool('one', 'X-Small'))
  await compute.resize('one', { size: 'Medium', runId: 'another' })
  expect(orders[0]?.resized).toEqual([])
  expect(compute.running()).toMatchObject([{ id: 'one', size: 'Medium' }])
})

test('the loss of one takes its warehouse along, and no other', async () => {
  const { compute, orders } = startClusters()
  const losses: Loss[] = []
  compute.onLoss((loss) => losses.push(loss))
  await Promise.all([compute.start(pool('one', 'X-Small')), compute.start(pool('two', 'Small'))])
  orders[0]?.lose('The coordinator ended.')
  await vi.waitFor(() => expect(losses).toHaveLength(1))
  expect(losses[0]).toMatchObject({ pools: [{ id: 'one' }], reason: 'The coordinator ended.' })
  expect(compute.isRunning('two')).toBe(true)
})

test('work of the service goes to any that runs, and starts none', async () => {
  const { compute, orders } = startClusters()
  await expect(compute.useServiceEngine('A', async () => 1)).rejects.toThrow(
    'No Remote warehouse of this account runs.',
  )
  await compute.start(pool('one', 'X-Small'))
  expect(await compute.useServiceEngine('A', async ({ kind }) => kind)).toBe('scripted')
  expect(orders).toHaveLength(1)
})

test('why a cluster did not start is reported as it is', async () => {
  const { compute, refuse } = startClusters()
  refuse('The worker of the cluster ended at its start. It said nothing.')
  await expect(compute.start(pool('one', 'X-Small'))).rejects.toThrow(
    'The worker of the cluster ended at its start.',
  )
})

import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/warehouse-routes.tsx'
import './shell/shell-layout.tsx'
import { aWarehouse } from '../testing/a-warehouse.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const LIST = '/local-1/ABC12345/admin/warehouse'
const MANAGER = { ...ADA, perms: ['*:*'], activeRoles: ['account_admin', 'cluster_admin', 'public'] }
const engine = { id: 'sea', label: 'Sea', isCluster: true, isExisting: true }
const NOTHING = { ccu: '0', usd: '0.00' }

function open(address: string, over: StubHandlers) {
  signedIn(MANAGER)
  return renderApp(address, {
    'user.info': () => MANAGER,
    'warehouse.sizes': () => ({ sizes: [aWarehouse().offer], engines: [engine] }),
    'warehouse.usage': () => ({
      monthToDate: { ...NOTHING, chargedSeconds: 0, activeSeconds: 0, idle: NOTHING },
      days: [],
    }),
    'warehouse.activity': () => ({ activities: [], nextCursor: null }),
    ...over,
  })
}

test('one that uses a cluster which exists already says what its size, its nodes and its suspension are', async () => {
  const offer = { ...aWarehouse().offer, threads: 0, memoryBytes: 0, slots: 4 }
  const found = aWarehouse({ name: 'fleet', engine, offer })
  const node = { name: 'one', role: 'coordinator', state: 'running' } as const
  const unknown = { since: null, threads: null, memoryBytes: null, cpuPercent: null }
  const app = open(`${LIST}/${found.warehouseId}`, {
    'warehouse.describe': () => found,
    'cluster.describe': () => ({
      warehouseId: found.warehouseId,
      warehouse: 'fleet',
      status: 'Running',
      engine,
      sharedWith: [],
      nodes: [{ ...node, ...unknown }],
    }),
  })
  const properties = within(await screen.findByRole('complementary', { name: 'Properties' }))
  expect(properties.getByText('In a cluster that exists already')).toBeTruthy()
  const nodes = within(await screen.findByRole('table', { name: 'Nodes' }))
  expect(nodes.getAllByRole('cell').map((cell) => cell.textContent)).toEqual([
    'one',
    'Plans',
    'Up',
    '–',
    '–',
    '–',
    '–',
  ])
  await app.user.click(screen.getByRole('button', { name: 'Suspend' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/^This warehouse stops using the cluster\./)).toBeTruthy()
})

test('the start of one that uses such a cluster is a look at it', async () => {
  const since = new Date(Date.now() - 2_000).toISOString()
  const starting = { step: 'coordinator', ready: 0, of: 0, since, lastTookMs: null } as const
  const found = aWarehouse({ status: 'Resuming', starting, engine })
  open(`${LIST}/${found.warehouseId}`, { 'warehouse.describe': () => found })
  const panel = within(await screen.findByRole('region', { name: 'Starting' }))
  expect(panel.getAllByRole('listitem').map((one) => one.textContent)).toEqual(['Wait for the coordinator'])
  expect(panel.getByText(/^Checking the cluster for \d+ /)).toBeTruthy()
})

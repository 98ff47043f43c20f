import type { Dashboard, Tile, TileResult } from '@boathouse/contract/dashboard'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import '../features/dashboard/dashboard-editing.tsx'
import './pages/dashboard-routes.tsx'
import './shell/shell-layout.tsx'
import { session } from '../lib/session.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const ID = '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f60'
const TILE: Tile = {
  tileId: '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f61',
  title: 'Tides',
  kind: 'table',
  x: 0,
  y: 0,
  w: 6,
  h: 6,
  text: '',
  sql: 'select 1',
  catalog: '',
  database: '',
  warehouseId: null,
  tabId: null,
  chart: null,
}
const DASHBOARD: Dashboard = {
  dashboardId: ID,
  name: 'Harbour',
  owner: ADA.user,
  isOwn: true,
  viewers: 'private',
  runsAs: 'viewer',
  tileCount: 1,
  updatedAt: '2026-03-02T08:00:00.000Z',
  revision: 3,
  roles: [],
  schedule: null,
  nextRunAt: null,
  tiles: [TILE],
  parameters: [],
}
const RESULT: TileResult = {
  tileId: TILE.tileId,
  runId: '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f62',
  refreshedAt: '2026-03-02T08:00:00.000Z',
  error: '',
  isRunning: false,
}
const ROWS = {
  fields: [{ name: 'height', type: 'INTEGER', family: 'number' as const }],
  rows: [['7']],
  totalRows: 1,
  complete: true,
}

beforeEach(() => session.end())

function open(handlers: StubHandlers = {}, path = `/${ID}`) {
  signedIn(ADA)
  return renderApp(`/local-1/ABC12345/dashboards${path}`, {
    'user.info': () => ADA,
    'dashboard.detail': () => ({ dashboard: DASHBOARD }),
    'dashboard.results': () => ({ results: [RESULT], refreshableAt: null }),
    'dashboard.refresh': () => ({ results: [RESULT], refreshableAt: null }),
    'dashboard.rows': () => ROWS,
    ...handlers,
  })
}

test('without dashboards, the list says how one is made; what cannot be loaded is asked for again', async () => {
  let asked = 0
  const app = open(
    {
      'dashboard.list': () =>
        asked++ === 0 ? refuse('Unavailable', 'The database is away.') : { dashboards: [], total: 0 },
    },
    '',
  )
  expect(await screen.findByText('The dashboards could not be loaded')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No dashboards yet')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Create dashboard' }))
  const form = within(await screen.findByRole('dialog', { name: 'Create dashboard' }))
  await app.user.click(form.getByRole('button', { name: 'Create dashboard' }))
  expect(form.getByText('Enter the dashboard name')).toBeTruthy()
})

test('a dashboard of somebody else says as whom it runs, and is not changed', async () => {
  open({
    'dashboard.detail': () => ({
      dashboard: { ...DASHBOARD, owner: 'grace', isOwn: false, runsAs: 'owner' },
    }),
  })
  expect(await screen.findByText('Runs as grace: you see what grace can read')).toBeTruthy()
  expect(await screen.findByRole('cell', { name: '7' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
})

test('what nobody has run yet is run when it is opened, once', async () => {
  const app = open({
    'dashboard.results': () => ({
      results: [{ ...RESULT, runId: null, refreshedAt: null }],
      refreshableAt: null,
    }),
  })
  await screen.findByRole('heading', { level: 1, name: 'Harbour' })
  await expect
    .poll(() => app.server.callsOf('dashboard.refresh'))
    .toEqual([{ dashboardId: ID, values: {}, tileIds: null, onlyMissing: true }])
})

test('a tile that failed says why and is run again', async () => {
  const app = open({
    'dashboard.results': () => ({
      results: [{ ...RESULT, runId: null, error: 'There is no table tides.' }],
      refreshableAt: null,
    }),
  })
  const tile = within(await screen.findByRole('region', { name: 'Tides' }))
  expect(await tile.findByText('There is no table tides.')).toBeTruthy()
  await app.user.click(tile.getByRole('button', { name: 'Refresh tile' }))
  expect(app.server.callsOf('dashboard.refresh')).toMatchObject([{ tileIds: [TILE.tileId] }])
})

test('changes are undone one by one, and a refused save keeps them', async () => {
  const app = open({ 'dashboard.save': () => refuse('Conflict', 'This dashboard was changed elsewhere.') })
  await app.user.click(await screen.findByRole('button', { name: 'Edit' }))
  const corner = await screen.findByRole('button', { name: 'Resize Tides' })
  corner.focus()
  await app.user.keyboard('{ArrowRight}{ArrowDown}')
  await app.user.click(screen.getByRole('button', { name: 'Undo' }))
  await app.user.click(screen.getByRole('button', { name: 'Save dashboard' }))
  expect(await screen.findByText('This dashboard was changed elsewhere.')).toBeTruthy()
  expect(app.server.callsOf('dashboard.save')).toMatchObject([
    { revision: 3, tiles: [{ tileId: TILE.tileId, w: 7, h: 6 }] },
  ])
  await app.user.click(screen.getByRole('button', { name: 'Cancel' }))
  await app.user.click(await screen.findByRole('button', { name: 'Discard changes' }))
  expect(await screen.findByRole('button', { name: 'Edit' })).toBeTruthy()
})

test('the page says from when on it can be refreshed again', async () => {
  const waits = { results: [RESULT], refreshableAt: '2999-01-01T10:05:00.000Z' }
  open({ 'dashboard.results': () => waits })
  expect(await screen.findByText(/^You can refresh it again at 2999-01-01/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Refresh' }).disabled).toBe(true)
})

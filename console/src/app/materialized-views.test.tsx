import type { MaterializedViewDetail, TaskRun } from '@boathouse/contract/materialized-views'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/catalog-routes.tsx'
import type { StubHandlers } from '../testing/stub-server.ts'
import { addressOf, renderApp, signedIn } from './testing/render-app.tsx'

const PLACE = '/local-1/ABC12345'
const VIEW = `${PLACE}/catalog/catalog-default_catalog-type-Internal/database-shop/mv-daily`
const AT = '2026-03-01T09:00:00.000Z'

const run = (over: Partial<TaskRun> = {}): TaskRun => ({
  runId: 'r1',
  queryId: null,
  reason: 'schedule',
  state: 'success',
  startedBy: null,
  createdAt: AT,
  endedAt: '2026-03-01T09:00:02.000Z',
  rows: 12,
  error: '',
  ...over,
})

const detail = (over: Partial<MaterializedViewDetail> = {}): MaterializedViewDetail => ({
  mvName: 'daily',
  query: 'SELECT * FROM orders',
  refresh: 'REFRESH AFTER CHANGES',
  trigger: 'changes',
  paused: false,
  owner: 'ada',
  warehouse: '',
  createdAt: AT,
  refreshedAt: AT,
  changedAt: null,
  nextRefreshAt: null,
  lastRun: run(),
  ...over,
})

const handlers = (over: StubHandlers = {}): StubHandlers => ({
  'schema.catalogs': () => ({ list: [{ name: 'default_catalog', type: 'Internal' }], total: 1 }),
  'schema.databases': () => ({ list: [{ name: 'shop', databaseId: 'shop', tables: 3 }], total: 1 }),
  'schema.actions': () => ({}),
  'schema.tables': () => ({ list: [{ tableName: 'orders', type: 'table' }], total: 1 }),
  'schema.views': () => ({ list: [{ name: 'late', type: 'view' }], total: 1 }),
  'schema.materializedViews': () => ({
    list: [
      {
        mvName: 'daily',
        type: 'materialized_view',
        trigger: 'changes',
        paused: true,
        lastRefreshState: 'failed',
        lastRefreshAt: AT,
      },
    ],
    total: 1,
  }),
  'schema.describe': () => ({
    name: 'daily',
    type: 'materialized_view',
    comment: '',
    columnCount: 0,
    fixed: '',
    size: null,
    rows: { count: 12, exact: true },
    actions: ['read', 'refresh', 'alter', 'drop'],
  }),
  'schema.columns': () => ({ tableName: 'daily', type: 'materialized_view', columns: [], total: 0 }),
  'schema.materializedView': () => detail(),
  'schema.refreshTasks': () => ({
    list: [run({ runId: 'r2', state: 'failed', error: 'There is no table orders.' }), run()],
    total: 2,
  }),
  'schema.refreshMaterializedView': () => ({ runId: 'r3' }),
  'schema.pauseMaterializedView': () => ({}),
  'schema.dropMaterializedView': () => ({}),
  'schema.dependencies': () => ({ uses: [], usedBy: [], hidden: 0, broken: '' }),
  ...over,
})

function open(address: string, over: StubHandlers = {}) {
  signedIn()
  return renderApp(address, handlers(over))
}

test('from all catalogs over a database to its tables, views and materialized views [CATALOG-01, CATALOG-05]', async () => {
  const app = open(`${PLACE}/catalog`)
  await app.user.click(await screen.findByRole('link', { name: 'default_catalog' }))
  await app.user.click(await screen.findByRole('link', { name: 'shop' }))
  expect(await screen.findByRole('link', { name: 'orders' })).toBeTruthy()
  await app.user.click(screen.getByRole('radio', { name: /^Views/ }))
  expect(await screen.findByRole('link', { name: 'late' })).toBeTruthy()
  await app.user.click(screen.getByRole('radio', { name: /^Materialized views/ }))
  const row = (await screen.findByRole('link', { name: 'daily' })).closest('tr')
  expect(row?.textContent).toContain('After changes')
  expect(row?.textContent).toContain('Paused')
  expect(row?.textContent).toContain('Failed')
  await app.user.click(screen.getByRole('link', { name: 'daily' }))
  expect(await screen.findByRole('heading', { name: 'daily', level: 1 })).toBeTruthy()
  expect(addressOf(app)).toContain('/database-shop/mv-daily')
})

test('the page of a materialized view shows how it is refreshed and how that went [SHELL-15]', async () => {
  const app = open(`${VIEW}?tab=refresh`)
  const state = within(await screen.findByRole('region', { name: 'Refresh state' }))
  expect(state.getByText('REFRESH AFTER CHANGES')).toBeTruthy()
  expect(state.getByText('ada')).toBeTruthy()
  expect(
    await screen.findByText(
      (_, element) => element?.tagName === 'PRE' && element.textContent === 'SELECT * FROM orders',
    ),
  ).toBeTruthy()
  const runs = await screen.findByRole('table', { name: 'Refreshes' })
  expect(within(runs).getByText('There is no table orders.')).toBeTruthy()
  expect(within(runs).getAllByText('Schedule')).toHaveLength(2)

  await app.user.click(screen.getByRole('button', { name: 'Refresh now' }))
  expect(await screen.findByText('Refresh started.')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Pause refreshes' }))
  const asked = { catalog: 'default_catalog', databaseName: 'shop', mvName: 'daily' }
  expect(app.server.callsOf('schema.refreshMaterializedView')).toMatchObject([asked])
  expect(app.server.callsOf('schema.pauseMaterializedView')).toMatchObject([{ ...asked, paused: true }])
})

test('a user without the privilege sees why, and a view that is being refreshed is not refreshed again', async () => {
  open(VIEW, {
    'schema.describe': () => ({
      name: 'daily',
      type: 'materialized_view',
      comment: '',
      columnCount: 0,
      fixed: '',
      size: null,
      rows: null,
      actions: ['read'],
    }),
    'schema.materializedView': () => detail({ lastRun: run({ state: 'running', endedAt: null }) }),
  })
  const refresh = await screen.findByRole<HTMLButtonElement>('button', { name: 'Refresh now' })
  const pause = screen.getByRole<HTMLButtonElement>('button', { name: 'Pause refreshes' })
  expect([refresh.disabled, pause.disabled]).toEqual([true, true])
  expect(refresh.title).toBe('This requires the privilege REFRESH on the view.')
})

test('it is renamed from its page, which then has the new name in its address', async () => {
  const app = open(VIEW, { 'schema.rename': () => ({}) })
  await app.user.click(await screen.findByRole('button', { name: 'Actions of daily' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const dialog = within(await screen.findByRole('dialog'))
  await app.user.clear(dialog.getByLabelText('New name'))
  await app.user.type(dialog.getByLabelText('New name'), 'weekly')
  await app.user.click(dialog.getByRole('button', { name: 'Rename' }))
  await expect.poll(() => addressOf(app)).toContain('/database-shop/mv-weekly')
  expect(app.server.callsOf('schema.rename')).toMatchObject([{ mvName: 'daily', newName: 'weekly' }])
})

test('a drop has the name typed, and asks for the view by its own name', async () => {
  const app = open(VIEW)
  await app.user.click(await screen.findByRole('button', { name: 'Actions of daily' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Drop' }))
  const dialog = within(await screen.findByRole('dialog'))
  await app.user.type(dialog.getByRole('textbox'), 'daily')
  await app.user.click(dialog.getByRole('button', { name: 'Drop materialized view' }))
  await screen.findByRole('link', { name: 'orders' })
  expect(app.server.callsOf('schema.dropMaterializedView')).toMatchObject([
    { mvName: 'daily', evenIfUsed: true },
  ])
})

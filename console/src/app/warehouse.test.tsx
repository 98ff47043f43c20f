import { WAREHOUSE_STATES } from '@boathouse/contract/warehouse'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/warehouse-routes.tsx'
import './shell/shell-layout.tsx'
import { aWarehouse } from '../testing/a-warehouse.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp, signedIn } from './testing/render-app.tsx'

const LIST = '/local-1/ABC12345/admin/warehouse'
const MANAGER = { ...ADA, perms: ['*:*'], activeRoles: ['account_admin', 'cluster_admin', 'public'] }

const ETL = aWarehouse({
  warehouseId: '00000000-0000-4000-8000-0000000000a2',
  name: 'etl_wh',
  description: 'Nightly loads',
  size: 'Medium',
  running: 2,
  queued: 1,
  resumedOn: '2026-01-01T00:00:00Z',
})
const IDLE = aWarehouse({
  warehouseId: '00000000-0000-4000-8000-0000000000a3',
  name: 'finance',
  status: 'Suspended',
  idleMinutes: null,
})
const EMBEDDED = aWarehouse().engine
const SIZES = (['X-Small', 'Medium'] as const).map((size) => ({ ...aWarehouse().offer, size }))
const DAYS = ['09', '10', '11', '12', '13', '14', '15'].map((day, index) => ({
  date: `2026-11-${day}`,
  ccu: String(index),
  usd: (index * 1.58).toFixed(2),
  chargedSeconds: 3600 * index,
  idle: { ccu: String(index / 2), usd: (index * 0.79).toFixed(2) },
}))

const handlers = (over: StubHandlers = {}): StubHandlers => ({
  'user.info': () => MANAGER,
  'warehouse.list': () => ({ warehouses: [ETL, IDLE, aWarehouse()] }),
  'warehouse.describe': () => ETL,
  'warehouse.sizes': () => ({ sizes: SIZES, engines: [EMBEDDED] }),
  'warehouse.usage': () => ({
    monthToDate: {
      ccu: '86.4',
      usd: '136.51',
      chargedSeconds: 77_760,
      activeSeconds: 77_760,
      idle: { ccu: '6.4', usd: '10.11' },
    },
    days: DAYS,
  }),
  'warehouse.activity': () => ({
    activities: [
      {
        activityId: 7,
        warehouseId: ETL.warehouseId,
        warehouseName: 'etl_wh',
        action: 'Resize',
        detail: 'from Small to Medium',
        result: 'Failed',
        actor: 'chen',
        at: '2026-01-01T00:00:00Z',
      },
    ],
    nextCursor: null,
  }),
  ...over,
})

function open(address: string, over: StubHandlers = {}) {
  signedIn(MANAGER)
  return renderApp(address, handlers(over))
}

const rowNames = async () => {
  const table = await screen.findByRole('table', { name: 'Warehouses' })
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => within(row).getByRole('link').textContent)
}

async function choose(app: ReturnType<typeof open>, name: string, action: string) {
  await app.user.click(await screen.findByRole('button', { name: `Actions of ${name}` }))
  await app.user.click(await screen.findByRole('menuitem', { name: action }))
}

test('the list says what there is, what runs and what that costs [SHELL-21]', async () => {
  open(LIST)
  expect(await rowNames()).toEqual(['default_warehouse', 'etl_wh', 'finance'])
  expect(screen.getByText('3 of 10 warehouses')).toBeTruthy()
  expect(screen.getByText('2 running')).toBeTruthy()
  expect(screen.getByText('3.16 USD per hour right now')).toBeTruthy()
})

test('search and state are in the address, and others can be shown the same list', async () => {
  const app = open(`${LIST}?search=NIGHT`)
  expect(await rowNames()).toEqual(['etl_wh'])
  await app.user.clear(screen.getByRole('searchbox'))
  await app.user.click(screen.getByRole('radio', { name: /Suspended/ }))
  await expect.poll(rowNames).toEqual(['finance'])
  expect(addressOf(app)).toBe(`${LIST}?state=suspended`)
  await app.user.click(screen.getByRole('radio', { name: /Abnormal/ }))
  await app.user.click(await screen.findByRole('button', { name: 'Show all' }))
  expect(await rowNames()).toHaveLength(3)
})

test('a column sorts the list, and sorts it the other way round', async () => {
  const app = open(LIST)
  await rowNames()
  await app.user.click(screen.getByRole('button', { name: 'Running / queued' }))
  expect((await rowNames()).at(-1)).toBe('etl_wh')
  await app.user.click(screen.getByRole('button', { name: 'Running / queued' }))
  expect((await rowNames())[0]).toBe('etl_wh')
})

test('without the role the page is the no-permission page, and the menu has no entry [ROLE-06]', async () => {
  const somebody = { ...ADA, creator: 'somebody else' }
  signedIn(somebody)
  const app = renderApp(LIST, handlers({ 'user.info': () => somebody }))
  expect(await screen.findByText(/This page requires the role cluster_admin/)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Warehouses' })).toBeNull()
  expect(app.server.callsOf('warehouse.list')).toEqual([])
})

test('the form asks for name, description, size and idle time, by the rules of the service [WH-13, WH-18, WH-21]', async () => {
  const created = aWarehouse({ warehouseId: ETL.warehouseId, name: 'loads' })
  const app = open(LIST, { 'warehouse.create': () => created })
  await app.user.click(await screen.findByRole('button', { name: 'Create warehouse' }))
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText(/Medium is recommended for production/)).toBeTruthy()
  await app.user.type(within(dialog).getByLabelText('Name'), '1st')
  await app.user.clear(within(dialog).getByLabelText('Idle time in minutes'))
  await app.user.click(within(dialog).getByRole('button', { name: 'Create warehouse' }))
  expect(
    within(dialog).getByText('Start with a letter; use letters, digits and underscores only'),
  ).toBeTruthy()
  expect(within(dialog).getByText('Enter the idle time')).toBeTruthy()
  expect(document.activeElement).toBe(within(dialog).getByLabelText('Name'))
  expect(app.server.callsOf('warehouse.create')).toEqual([])

  await app.user.clear(within(dialog).getByLabelText('Name'))
  await app.user.type(within(dialog).getByLabelText('Name'), 'loads')
  await app.user.click(within(dialog).getByRole('switch', { name: 'Auto-suspend' }))
  await app.user.click(within(dialog).getByRole('button', { name: 'Create warehouse' }))
  await expect.poll(() => addressOf(app)).toBe(`${LIST}/${ETL.warehouseId}`)
  expect(app.server.callsOf('warehouse.create')).toEqual([
    { name: 'loads', description: '', size: 'X-Small', idleMinutes: null, autoResume: true },
  ])
})

test('the engine of a new warehouse is chosen where there are several, and shown on its page', async () => {
  const created = aWarehouse({ warehouseId: ETL.warehouseId, name: 'loads' })
  const engines = [EMBEDDED, { id: 'other', label: 'Other engine' }]
  const app = open(LIST, {
    'warehouse.create': () => created,
    'warehouse.sizes': () => ({ sizes: SIZES, engines }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create warehouse' }))
  const dialog = await screen.findByRole('dialog')
  await app.user.type(within(dialog).getByLabelText('Name'), 'loads')
  await app.user.click(await within(dialog).findByRole('combobox', { name: 'Engine' }))
  await app.user.click(await screen.findByRole('option', { name: 'Other engine', hidden: true }))
  await app.user.click(within(dialog).getByRole('button', { name: 'Create warehouse' }))
  await expect.poll(() => addressOf(app)).toBe(`${LIST}/${ETL.warehouseId}`)
  expect(app.server.callsOf('warehouse.create')).toMatchObject([{ name: 'loads', engine: 'other' }])
  expect(app.server.callsOf('warehouse.sizes')).toContainEqual({ engine: 'other' })
  expect(await screen.findByText('Embedded')).toBeTruthy()
})

test('where there is one engine, there is nothing to choose', async () => {
  const app = open(LIST)
  await app.user.click(await screen.findByRole('button', { name: 'Create warehouse' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText(/1 thread/)).toBeTruthy()
  expect(within(dialog).queryByRole('combobox', { name: 'Engine' })).toBeNull()
})

test('a refusal stays beside what was typed', async () => {
  const app = open(LIST, { 'warehouse.create': () => refuse('NameTaken', 'There is a warehouse etl_wh.') })
  await app.user.click(await screen.findByRole('button', { name: 'Create warehouse' }))
  await app.user.type(await screen.findByLabelText('Name'), 'etl_wh')
  await app.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Create warehouse' }))
  expect(await screen.findByText('There is a warehouse etl_wh.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('etl_wh')
})

test('an edit sends only what was changed, and says that a resize takes its time [WH-29]', async () => {
  const app = open(LIST, { 'warehouse.update': () => ETL })
  await choose(app, 'etl_wh', 'Edit')
  const dialog = await screen.findByRole('dialog')
  await app.user.type(within(dialog).getByLabelText('Description'), ' and marts')
  await app.user.click(within(dialog).getByRole('combobox', { name: 'Size' }))
  await app.user.click(await screen.findByRole('option', { name: /^Large/, hidden: true }))
  expect(within(dialog).getByText(/about 2 minutes/)).toBeTruthy()
  await app.user.click(within(dialog).getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(app.server.callsOf('warehouse.update')).toEqual([
    { warehouseId: ETL.warehouseId, description: 'Nightly loads and marts', size: 'Large' },
  ])
})

test('suspending warns with the number of jobs that will fail, and a refusal is shown in place [WH-27]', async () => {
  const app = open(LIST, { 'warehouse.suspend': () => refuse('Conflict', 'It is being resized.') })
  await choose(app, 'etl_wh', 'Suspend')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('Running jobs will fail: 2 running and 1 queued.')).toBeTruthy()
  await app.user.click(within(dialog).getByRole('button', { name: 'Suspend warehouse' }))
  expect(await within(dialog).findByText('It is being resized.')).toBeTruthy()
})

test('deleting warns, and needs the name typed [WH-27]', async () => {
  const app = open(LIST, { 'warehouse.delete': () => ({}) })
  await choose(app, 'etl_wh', 'Delete')
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByText('Running jobs will fail: 2 running and 1 queued.')).toBeTruthy()
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete warehouse' }).disabled).toBe(
    true,
  )
  await app.user.type(within(dialog).getByRole('textbox'), 'ETL_WH')
  await app.user.click(within(dialog).getByRole('button', { name: 'Delete warehouse' }))
  expect(within(dialog).getByText('Type the name exactly as shown')).toBeTruthy()
  expect(app.server.callsOf('warehouse.delete')).toEqual([])
  await app.user.clear(within(dialog).getByRole('textbox'))
  await app.user.type(within(dialog).getByRole('textbox'), 'etl_wh')
  await app.user.click(within(dialog).getByRole('button', { name: 'Delete warehouse' }))
  await expect.poll(() => app.server.callsOf('warehouse.delete')).toEqual([{ warehouseId: ETL.warehouseId }])
})

test('what a warehouse of the service cannot lose is not offered', async () => {
  const app = open(LIST)
  await app.user.click(await screen.findByRole('button', { name: 'Actions of default_warehouse' }))
  const entry = await screen.findByRole('menuitem', { name: 'Delete' })
  expect(entry.getAttribute('aria-disabled')).toBe('true')
})

test('a change that the channel reports is shown without a reload', async () => {
  let status: 'Running' | 'Suspended' = 'Suspended'
  const app = open(LIST, { 'warehouse.list': () => ({ warehouses: [aWarehouse({ status })] }) })
  expect(await screen.findByRole('cell', { name: 'Suspended' })).toBeTruthy()
  status = 'Running'
  app.sockets.latest().accept()
  app.sockets.latest().deliver({ cmd: 3, seq: 1, type: 'GlobalEventTypeWarehouseChanged', data: null })
  expect(await screen.findByRole('cell', { name: 'Running' })).toBeTruthy()
})

test('the load follows the channel, and nothing is loaded in between', async () => {
  let running = 0
  const app = open(LIST, { 'warehouse.list': () => ({ warehouses: [aWarehouse({ running })] }) })
  expect(await screen.findByRole('cell', { name: '0 / 0' })).toBeTruthy()
  app.sockets.latest().accept()
  running = 2
  app.sockets.latest().deliver({ cmd: 3, seq: 0, type: 'GlobalEventTypeActivityChanged', data: {} })
  expect(await screen.findByRole('cell', { name: '2 / 0' })).toBeTruthy()
  running = 1
  app.sockets.latest().deliver({ cmd: 3, seq: 0, type: 'GlobalEventTypeLoadChanged', data: {} })
  expect(await screen.findByRole('cell', { name: '1 / 0' })).toBeTruthy()
})

test('every state is shown as it is, with the buttons that it allows', async () => {
  const all = WAREHOUSE_STATES.map((status, index) =>
    aWarehouse({
      status,
      name: `in_${status}`,
      warehouseId: `00000000-0000-4000-8000-0000000000${index + 10}`,
    }),
  )
  const app = open(LIST, { 'warehouse.list': () => ({ warehouses: all }) })
  const offered: Record<string, string[]> = {}
  for (const { status, name } of all) {
    expect(await screen.findByRole('cell', { name: status })).toBeTruthy()
    if (status !== 'Updating' && status !== 'Unknown') continue
    await app.user.click(screen.getByRole('button', { name: `Actions of ${name}` }))
    const items = await screen.findAllByRole('menuitem')
    const open = items.filter((item) => item.getAttribute('aria-disabled') !== 'true')
    offered[status] = open.map(({ textContent }) => textContent ?? '')
    await app.user.keyboard('{Escape}')
  }
  expect(offered).toEqual({
    Updating: ['Diagnostics'],
    Unknown: ['Suspend', 'Diagnostics', 'Delete'],
  })
})

test('one that grows says to what', async () => {
  const growing = aWarehouse({ status: 'Expanding', size: 'Small', scalingTo: 'Medium' })
  open(LIST, { 'warehouse.list': () => ({ warehouses: [growing] }) })
  expect(await screen.findByRole('cell', { name: 'Expanding to Medium' })).toBeTruthy()
})

test('one that is resized shows its size and the one that it is given, and the trend of its processors', async () => {
  const cpu = { percent: 91, hourPercent: 71, trend: [null, 20, 95, 91] }
  const scaling = aWarehouse({ status: 'Scaling', size: 'Small', scalingTo: 'Medium', cpu })
  open(LIST, { 'warehouse.list': () => ({ warehouses: [scaling] }) })
  expect(await screen.findByRole('cell', { name: 'Scaling to Medium' })).toBeTruthy()
  expect(screen.getByRole('cell', { name: 'Small, changing to Medium · 4 CCU' })).toBeTruthy()
  const said = 'CPU 91 %. Last hour: 71 % on average, 95 % maximum'
  expect(screen.getByRole('img', { name: said })).toBeTruthy()
})

test('the page of one that starts shows the steps, and how long the last start took [REAL-10]', async () => {
  const starting = {
    step: 'workers',
    ready: 1,
    of: 2,
    since: new Date(Date.now() - 12_000).toISOString(),
    lastTookMs: 24_000,
  } as const
  const engine = { id: 'lake', label: 'Lake', isCluster: true }
  const found = aWarehouse({ status: 'Resuming', starting, engine })
  open(`${LIST}/${found.warehouseId}`, { 'warehouse.describe': () => found })
  const panel = within(await screen.findByRole('region', { name: 'Starting' }))
  expect(panel.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'Start the processes of the cluster',
    'Wait for the coordinator',
    'Wait for the workers: 1 of 2 ready',
    'Open the catalog',
  ])
  expect(panel.getByText('Wait for the workers: 1 of 2 ready').getAttribute('aria-current')).toBe('step')
  expect(panel.getByText(/^Starting for \d+ .*The last start took 24 s\.$/)).toBeTruthy()
  const properties = screen.getByRole('complementary', { name: 'Properties' })
  expect(within(properties).getByText(/^\d+ workers?, /)).toBeTruthy()
})

const figure = async (name: string) => (await screen.findByRole('group', { name })).textContent

test('the detail shows price, usage, active time, properties and what was done [SHELL-22, WH-05, WH-06, WH-07, WH-09, WH-12]', async () => {
  open(`${LIST}/${ETL.warehouseId}`)
  expect(await figure('Price per hour')).toContain('1.58 USD')
  await expect.poll(() => figure('Month to date')).toContain('136.51 USD')
  expect(await figure('Active time')).toContain('21 h 36 min')
  const properties = screen.getByRole('complementary', { name: 'Properties' })
  for (const fact of ['Medium · 4 CCU', 'Standard', 'After 5 min idle', 'admin'])
    expect(within(properties).getByText(fact)).toBeTruthy()
  const activity = await screen.findByRole('table', { name: 'Activity' })
  const cells = within(activity)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
  expect(cells.slice(0, 3)).toEqual(['Resize', 'from Small to Medium', 'chen'])
  expect(cells.at(-1)).toBe('Failed')
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  await expect
    .poll(() => crumbs.getAllByRole('listitem').map((one) => one.textContent))
    .toEqual(['Demo', 'Warehouses', 'etl_wh'])
})

test('its page grants its use to a user, shows to whom, and takes it back [WH-23]', async () => {
  const granted = new Set<string>()
  const app = open(`${LIST}/${ETL.warehouseId}`, {
    'warehouse.grants': () => ({
      grants: [...granted].map((name) => ({ kind: 'user', name, privileges: ['USAGE'], grantable: [] })),
    }),
    'perms.grantPrivToUser': ({ user }) => {
      if (user === 'nobody') return refuse('NotFound', 'There is no user nobody.')
      granted.add(user)
      return {}
    },
    'perms.revokePrivFromUser': ({ user }) => {
      granted.delete(user)
      return {}
    },
  })
  const who = async () => within(await screen.findByRole('complementary', { name: 'Properties' }))
  await app.user.click(await screen.findByRole('button', { name: 'Grant' }))
  const dialog = within(await screen.findByRole('dialog'))
  const confirm = dialog.getByRole('button', { name: 'Grant usage' })
  await app.user.click(confirm)
  expect(app.server.callsOf('perms.grantPrivToUser')).toEqual([])
  await app.user.type(dialog.getByRole('textbox'), 'nobody')
  await app.user.click(confirm)
  expect(await dialog.findByText('There is no user nobody.')).toBeTruthy()
  await app.user.clear(dialog.getByRole('textbox'))
  await app.user.type(dialog.getByRole('textbox'), 'grace')
  await app.user.click(confirm)
  const revoke = await (await who()).findByRole('button', { name: 'Revoke usage from grace' })
  expect(app.server.callsOf('perms.grantPrivToUser').at(-1)).toEqual({
    user: 'grace',
    object: { type: 'warehouse', catalog: '', database: '', name: 'etl_wh' },
    privileges: ['USAGE'],
    withGrantOption: false,
  })
  await app.user.click(revoke)
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke usage from grace' })).toBeNull())
})

test('the name of a warehouse does not go along to the next page', async () => {
  const app = open(`${LIST}/${ETL.warehouseId}`)
  await screen.findByRole('heading', { name: 'etl_wh', level: 1 })
  await app.user.click(screen.getByRole('link', { name: 'Home' }))
  await screen.findByRole('heading', { name: /^Welcome/ })
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  expect(crumbs.getAllByRole('listitem').map((one) => one.textContent)).toEqual(['Demo', 'Home'])
})

test('the usage of seven days is drawn, read out and listed [WH-10]', async () => {
  const app = open(`${LIST}/${ETL.warehouseId}`)
  const bars = await screen.findByRole('list', { name: 'Usage, last 7 days' })
  expect(within(bars).getAllByRole('button')).toHaveLength(7)
  expect(
    within(bars).getByRole('button', {
      name: 'Thursday, November 12: 3 CCU, 4.74 USD including 2.37 idle, 3 h',
    }),
  ).toBeTruthy()
  const views = within(screen.getByRole('radiogroup', { name: 'Usage, last 7 days: show as' }))
  await app.user.click(views.getByRole('radio', { name: 'Table' }))
  const table = await screen.findByRole('table', { name: 'Usage, last 7 days' })
  expect(within(table).getAllByRole('row')).toHaveLength(8)
})

test('one that has nothing to do says since when', async () => {
  const idleSince = new Date(2026, 0, 1, 9, 5, 7).toISOString()
  open(`${LIST}/${ETL.warehouseId}`, { 'warehouse.describe': () => ({ ...ETL, idleSince }) })
  const properties = await screen.findByRole('complementary', { name: 'Properties' })
  expect(within(properties).getByText(/^2026-01-01 09:05:07 UTC/)).toBeTruthy()
})

test('how busy the processors were is drawn, read by arrow keys and listed [WH-08]', async () => {
  const cpu = { percent: 91, hourPercent: 71, trend: [null, 20, 95, 91] }
  const app = open(`${LIST}/${ETL.warehouseId}`, { 'warehouse.describe': () => ({ ...ETL, cpu }) })
  const title = 'CPU, last hour'
  const bars = within(await screen.findByRole('list', { name: title })).getAllByRole('button')
  expect(bars.map((bar) => bar.getAttribute('aria-label')?.replace(/.*: /, ''))).toEqual([
    'not running',
    '20 %',
    '95 %',
    '91 %',
  ])
  // One of them is reached by the tab key.
  expect(bars.map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1])
  bars[0]?.focus()
  await app.user.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(bars[1])
  await app.user.keyboard('{End}{ArrowRight}')
  expect(document.activeElement).toBe(bars[3])
  const views = within(screen.getByRole('radiogroup', { name: `${title}: show as` }))
  await app.user.click(views.getByRole('radio', { name: 'Table' }))
  const cells = within(await screen.findByRole('table', { name: title })).getAllByRole('cell')
  expect(cells.map(({ textContent }) => textContent).filter((_, index) => index % 2 === 1)).toEqual([
    '91 %',
    '95 %',
    '20 %',
    'not running',
  ])
})

const step = () => screen.getByRole('list', { name: 'Steps' }).querySelector('[aria-current]')?.textContent

test('/add-cluster asks for one thing after the other, without the left menu [SHELL-30]', async () => {
  const created = aWarehouse({ warehouseId: ETL.warehouseId, name: 'loads' })
  const app = open('/local-1/ABC12345/add-cluster', { 'warehouse.create': () => created })
  expect(await screen.findByRole('heading', { name: 'Create warehouse' })).toBeTruthy()
  expect(screen.queryByRole('navigation', { name: 'Main menu' })).toBeNull()
  const next = () => app.user.click(screen.getByRole('button', { name: 'Next' }))
  await next()
  expect(step()).toBe('1. Name')
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  await app.user.type(screen.getByLabelText('Name'), 'loads')
  await next()
  expect(step()).toBe('2. Size')
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Size' }))
  await app.user.click(screen.getByRole('radio', { name: /^Medium/ }))
  await next()
  await app.user.clear(screen.getByLabelText('Idle time in minutes'))
  await next()
  expect(screen.getByText('Enter the idle time')).toBeTruthy()
  await app.user.type(screen.getByLabelText('Idle time in minutes'), '7')
  await next()
  const facts = within(screen.getByRole('complementary', { name: 'New warehouse' }))
  for (const fact of ['loads', 'Medium · 4 CCU', 'After 7 min idle'])
    expect(facts.getByText(fact)).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: '1. Name' }))
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('loads')
  for (let n = 0; n < 3; n++) await next()
  await app.user.click(screen.getByRole('button', { name: 'Create warehouse' }))
  await expect
    .poll(() => app.server.callsOf('warehouse.create'))
    .toEqual([{ name: 'loads', description: '', size: 'Medium', idleMinutes: 7, autoResume: true }])
  await expect.poll(() => addressOf(app)).toBe(`${LIST}/${ETL.warehouseId}`)
  expect(await screen.findByRole('navigation', { name: 'Main menu' })).toBeTruthy()
})

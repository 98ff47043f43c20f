import type { SavedTab } from '@boathouse/contract/editor'
import type { Found } from '@boathouse/contract/schema-search'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/catalog-routes.tsx'
import './shell/search/search-box.tsx'
import { session } from '../lib/session.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { addressOf, renderApp, signedIn, TAB } from './testing/render-app.tsx'

const PLACE = '/local-1/ABC12345'
const saved = (bizId: string, tabName: string, parentFolderName = ''): SavedTab => ({
  bizId,
  tabName,
  parentFolderName,
  parentId: '',
  hidden: false,
  active: false,
  sample: false,
  position: 1,
  closedAt: '',
  isShared: false,
})

const internal = { catalog: 'default_catalog', catalogType: 'Internal' } as const
const FOUND: readonly Found[] = [
  { type: 'catalog', name: 'default_catalog', ...internal },
  { type: 'catalog', name: 'Lake', catalog: 'Lake', catalogType: 'External' },
  { type: 'table', name: 'orders', ...internal, database: 'sample' },
  {
    type: 'column',
    name: 'o_orderkey',
    ...internal,
    database: 'sample',
    object: { type: 'table', name: 'orders' },
  },
]

const handlers = (over: StubHandlers = {}): StubHandlers => ({
  'schema.catalogs': () => ({
    list: [
      { name: 'default_catalog', type: 'Internal' },
      { name: 'Lake', type: 'External' },
    ],
    total: 2,
  }),
  'schema.databases': () => ({ list: [{ name: 'sample', databaseId: '1' }], total: 1 }),
  'schema.tables': () => ({ list: [{ tableName: 'orders', type: 'table' }], total: 1 }),
  'schema.views': () => ({ list: [{ name: 'late_orders', type: 'view' }], total: 1 }),
  'schema.search': ({ search }) => ({
    list: FOUND.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase())),
    more: false,
  }),
  'editor.listTabTree': () => ({
    shared: [],
    folders: [
      {
        bizId: '00000000-0000-4000-8000-0000000000f1',
        folder: 'Reports',
        parentId: '',
        parentFolderName: '',
        isShared: false,
        tabs: [saved(TAB.tabId, 'Monthly revenue', 'Reports')],
        children: [],
      },
    ],
    tabs: [saved('00000000-0000-4000-8000-000000000002', 'scratch')],
  }),
  ...over,
})

async function open(address = `${PLACE}/home`) {
  signedIn()
  const app = renderApp(address, handlers())
  return { app, box: await screen.findByRole('combobox', { name: 'Search catalogs' }) }
}
const optionNames = () => screen.queryAllByRole('option').map((option) => option.firstChild?.textContent)

test('the search box is 520 px wide, finds nothing without a text, and makes no difference by letter case [SHELL-57, SHELL-59]', async () => {
  const { app, box } = await open()
  expect(box.closest<HTMLElement>('search')?.style.getPropertyValue('--box')).toBe('520px')
  await app.user.type(box, '  ')
  expect(optionNames()).toEqual([])
  expect(app.server.callsOf('schema.search')).toEqual([])
  await app.user.type(box, 'lAKE')
  await waitFor(() => expect(optionNames()).toEqual(['Lake']))
  await app.user.type(box, 'x')
  expect(await screen.findByText('No matches')).toBeTruthy()
})

test('a catalog hit goes to the page of that catalog [SHELL-12, SHELL-60]', async () => {
  const { app, box } = await open()
  await app.user.type(box, 'la')
  await waitFor(() => expect(optionNames()).toEqual(['Lake']))
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(addressOf(app)).toBe(`${PLACE}/catalog/catalog-Lake-type-External`))
  expect(await screen.findByRole('heading', { name: 'Lake' })).toBeTruthy()
  expect(await screen.findByRole('link', { name: 'sample' })).toBeTruthy()
})

test('tables and columns of any database are found, with where they are, and lead to the page of the table', async () => {
  const { app, box } = await open()
  await app.user.type(box, 'order')
  await waitFor(() => expect(optionNames()).toEqual(['orders', 'o_orderkey']))
  expect(screen.getByRole('option', { name: /Table in default_catalog.sample$/ })).toBeTruthy()
  await app.user.click(screen.getByRole('option', { name: /Column in default_catalog.sample.orders$/ }))
  await waitFor(() =>
    expect(addressOf(app)).toBe(
      `${PLACE}/catalog/catalog-default_catalog-type-Internal/database-sample/table-orders`,
    ),
  )
})

test('the toggle searches saved queries in all folders, and a hit opens the editor on that tab [SHELL-58, SHELL-61]', async () => {
  const { app, box } = await open()
  await app.user.click(screen.getByRole('radio', { name: 'Queries' }))
  expect(screen.queryByRole('combobox', { name: 'Search catalogs' })).toBeNull()
  await app.user.type(box, 'REVENUE')
  const hit = await screen.findByRole('option', { name: /Monthly revenue/ })
  expect(within(hit).getByText('Reports')).toBeTruthy()
  await app.user.click(hit)
  await waitFor(() => expect(addressOf(app)).toContain(`${PLACE}/editor?activeTab=${TAB.tabId}`))
})

test('a slash goes to the search, unless it is written somewhere', async () => {
  const { app, box } = await open()
  await app.user.keyboard('/')
  expect(document.activeElement).toBe(box)
  await app.user.keyboard('/')
  expect((box as HTMLInputElement).value).toBe('/')
})

test('catalogs, their databases and what is in these are listed; the breadcrumb names all of them [SHELL-11]', async () => {
  const { app } = await open(`${PLACE}/catalog`)
  expect(await screen.findByRole('heading', { name: 'All Catalogs' })).toBeTruthy()
  expect(document.title).toBe('All Catalogs · Boathouse')
  await app.user.click(await screen.findByRole('link', { name: 'default_catalog' }))
  await app.user.click(await screen.findByRole('link', { name: 'sample' }))
  const table = await screen.findByRole('table', { name: 'Tables and views' })
  expect(within(table).getByRole('link', { name: 'orders' })).toBeTruthy()
  expect(addressOf(app)).toBe(`${PLACE}/catalog/catalog-default_catalog-type-Internal/database-sample`)
  const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
  await waitFor(() =>
    expect(crumbs.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Demo',
      'All Catalogs',
      'default_catalog',
      'sample',
    ]),
  )
  expect(document.title).toBe('sample · Boathouse')
})

test('an address that names no catalog is not found', async () => {
  signedIn()
  const app = renderApp(`${PLACE}/catalog/nonsense`, handlers())
  await waitFor(() => expect(addressOf(app)).toBe('/404'))
})

test('the menu opens 400 ms after the pointer came, not before [SHELL-47]', async () => {
  session.setMenuMode('Auto')
  await open()
  const panel = screen.getByRole('navigation', { name: 'Main menu' }).firstElementChild as HTMLElement
  vi.useFakeTimers()
  try {
    fireEvent.mouseEnter(panel)
    act(() => void vi.advanceTimersByTime(399))
    expect(panel.dataset['open']).toBeUndefined()
    act(() => void vi.advanceTimersByTime(1))
    expect(panel.dataset['open']).toBe('true')
    fireEvent.mouseLeave(panel)
    expect(panel.dataset['open']).toBeUndefined()
  } finally {
    vi.useRealTimers()
  }
})

test('Enter never goes to what was found for other letters', async () => {
  const { app, box } = await open()
  await app.user.type(box, 'lake')
  await waitFor(() => expect(optionNames()).toEqual(['Lake']))
  const before = addressOf(app)
  await app.user.clear(box)
  await app.user.type(box, 'orders{Enter}')
  expect(addressOf(app)).toBe(before)
  await waitFor(() => expect(optionNames()).toContain('orders'))
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(addressOf(app)).toContain('orders'))
})

import type { Found } from '@boathouse/contract/schema-search'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './shell/palette/palette.tsx'
import './shell/palette/shortcut-sheet.tsx'
import './shell/user-dialogs.tsx'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp, signedIn, TAB } from './testing/render-app.tsx'

const PLACE = '/local-1/ABC12345'

const place = { catalog: 'lake', catalogType: 'External', database: 'sales' } as const
const FOUND: readonly Found[] = [
  { type: 'table', name: 'orders', ...place },
  { type: 'view', name: 'late_orders', ...place },
  { type: 'column', name: 'order_id', ...place, object: { type: 'view', name: 'late_orders' } },
]

const handlers: StubHandlers = {
  'schema.search': ({ search }) => ({
    list: FOUND.filter(({ name }) => name.includes(search)),
    more: false,
  }),
  'editor.listTabTree': () => ({
    folders: [],
    shared: [],
    tabs: [
      {
        bizId: TAB.tabId,
        tabName: 'Order report',
        parentFolderName: '',
        parentId: '',
        hidden: false,
        active: false,
        sample: false,
        position: 0,
        closedAt: '',
        isShared: false,
      },
    ],
  }),
}

async function openPalette(over: StubHandlers = {}) {
  const app = renderApp(`${PLACE}/home`, { ...handlers, ...over })
  await screen.findByRole('heading', { name: /^Welcome/ })
  await app.user.keyboard('{Control>}k{/Control}')
  const dialog = await screen.findByRole('dialog', { name: 'Command palette' })
  return { app, field: within(dialog).getByRole('combobox'), dialog }
}
const names = () => screen.queryAllByRole('option').map((option) => option.firstChild?.textContent)

test('Mod+K finds pages, objects, saved queries and actions, and goes there by keys', async () => {
  signedIn()
  const { app, field } = await openPalette()
  expect(document.activeElement).toBe(field)
  expect(names()).toEqual(expect.arrayContaining(['Home', 'SQL editor', 'Create query', 'Log out']))
  expect(app.server.callsOf('schema.search')).toEqual([])
  await app.user.keyboard('order')
  await waitFor(() => expect(names()).toEqual(['Order report', 'orders', 'order_id', 'late_orders']))
  expect(app.server.callsOf('perms.listUsers'), 'not asked for by who may not').toEqual([])
  await app.user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() =>
    expect(addressOf(app)).toBe(`${PLACE}/catalog/catalog-lake-type-External/database-sales/table-orders`),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('users and roles are found by who may see them', async () => {
  const admin = { ...ADA, activeRoles: ['user_admin', 'public'] }
  signedIn(admin)
  const { app } = await openPalette({
    'user.info': () => admin,
    'perms.listUsers': () => ({ list: [], total: 0 }),
    'perms.listRoles': ({ search }) => ({
      list: [
        {
          role: search === 'read' ? 'readers' : 'others',
          comment: '',
          isBuiltIn: false,
          users: 0,
          roles: [],
          grants: 0,
          createdBy: null,
          createdAt: null,
        },
      ],
      total: 1,
    }),
  })
  await app.user.keyboard('read')
  await waitFor(() => expect(names()).toEqual(['readers']))
  await app.user.keyboard('{Enter}')
  await waitFor(() => expect(addressOf(app)).toBe(`${PLACE}/admin/access/role/readers`))
})

test('an action is done, and what it opens takes the place of the palette', async () => {
  signedIn()
  const { app } = await openPalette()
  await app.user.keyboard('log out{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Log out?' })).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: /^Command palette/ })).toBeNull()
})

test('? shows the shortcuts, but not to who is writing', async () => {
  signedIn()
  const app = renderApp(`${PLACE}/home`)
  await screen.findByRole('heading', { name: /^Welcome/ })
  await app.user.click(await screen.findByRole('combobox', { name: 'Search catalogs' }))
  await app.user.keyboard('?')
  expect(screen.queryByRole('dialog')).toBeNull()
  act(() => (document.activeElement as HTMLElement).blur())
  await app.user.keyboard('?')
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(within(sheet).getByText('Run all statements')).toBeTruthy()
  await app.user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a new query is made and shown though the palette is gone by then', async () => {
  signedIn()
  const { app } = await openPalette()
  await app.user.keyboard('create query{Enter}')
  await waitFor(() => expect(addressOf(app)).toContain(`/editor?activeTab=${TAB.tabId}`))
})

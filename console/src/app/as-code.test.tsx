import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/access-routes.tsx'
import '../features/as-code/as-code-drawer.tsx'
import './shell/notifications/notifications.tsx'
import { notify } from '../ui/index.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const PLACE = '/local-1/ABC12345'
const ADMIN = { ...ADA, activeRoles: ['user_admin', 'public'], perms: ['role:create'] }

test('what was just changed is shown as SQL and as an HTTP call; a dot says that it is new', async () => {
  signedIn(ADMIN)
  const app = renderApp(`${PLACE}/admin/access?tab=roles`, {
    'user.info': () => ADMIN,
    'perms.listRoles': () => ({ list: [], total: 0 }),
    'perms.createRole': () => ({}),
  })
  await app.user.click(await screen.findByRole('button', { name: 'As code' }))
  let drawer = await screen.findByRole('dialog', { name: 'As code' })
  expect(within(drawer).getByText('No changes yet')).toBeTruthy()
  await app.user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()

  await app.user.click((await screen.findAllByRole('button', { name: 'Create role' }))[0] as HTMLElement)
  const dialog = await screen.findByRole('dialog')
  await app.user.type(within(dialog).getByLabelText(/name/i), 'analysts')
  await app.user.click(within(dialog).getByRole('button', { name: 'Create role' }))
  await app.user.click(await screen.findByRole('button', { name: 'As code: your last change' }))
  drawer = await screen.findByRole('dialog', { name: 'As code' })
  expect(
    within(drawer).getByText(
      (_, element) => element?.tagName === 'PRE' && element.textContent === 'CREATE ROLE "analysts";',
    ),
  ).toBeTruthy()
  await app.user.click(within(drawer).getByRole('radio', { name: 'HTTP call' }))
  expect(within(drawer).getByText(/\/api\/perms\/create-role/)).toBeTruthy()
})

test('the bell has the messages of the service, page by page, and the notifications of this window', async () => {
  signedIn()
  const message = (id: number, read: boolean) => ({
    messageId: `00000000-0000-4000-8000-00000000000${id}`,
    type: id === 1 ? 1 : 2,
    about: '',
    read,
    createdAt: '2026-01-01T10:00:00Z',
  })
  let isRead = false
  const app = renderApp(`${PLACE}/home`, {
    'user.listMessages': ({ cursor }) =>
      cursor === null
        ? { messages: [message(2, isRead)], nextCursor: message(2, isRead).messageId }
        : { messages: [message(1, true)], nextCursor: null },
    'user.markMessageRead': () => {
      isRead = true
      return {}
    },
  })
  await screen.findByRole('heading', { name: /^Welcome/ })
  act(() => void notify({ tone: 'err', message: 'The engine is gone.' }))
  await app.user.click(screen.getByRole('button', { name: 'Notifications, some unread' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Notifications' }))
  expect(await drawer.findByText('Your free trial ends soon.')).toBeTruthy()
  expect(drawer.getByText(/The engine is gone\./)).toBeTruthy()
  await app.user.click(drawer.getByRole('button', { name: 'Mark as read' }))
  await waitFor(() => expect(drawer.queryByRole('button', { name: 'Mark as read' })).toBeNull())
  await app.user.click(drawer.getByRole('button', { name: 'Older' }))
  expect(await drawer.findByText('Your free trial has started.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Notifications' })).toBeTruthy()
})

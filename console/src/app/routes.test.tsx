import type { UserInfo } from '@boathouse/contract/user'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/guide-route.tsx'
import { menuFor, PAGES } from './menu.ts'
import { ADA, addressOf, renderApp, signedIn } from './testing/render-app.tsx'

const PLACE = '/local-1/ABC12345'

function open(address: string, user: UserInfo = ADA) {
  signedIn(user)
  return renderApp(address, { 'user.info': () => user })
}

const somebody = (activeRoles: string[], over: Partial<UserInfo> = {}): UserInfo => ({
  ...ADA,
  user: 'grace',
  activeRoles: [...activeRoles, 'public'],
  ...over,
})

const crumbs = () =>
  within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('usage and billing is for account_admin [SHELL-26, ROLE-08]', async () => {
  const refused = open(`${PLACE}/admin/usage-and-billing`, somebody(['cluster_admin', 'user_admin']))
  expect(await screen.findByText('This page requires the role account_admin.')).toBeTruthy()
  refused.screen.unmount()
  open(`${PLACE}/admin/usage-and-billing`, somebody(['account_admin']))
  await waitFor(() => expect(crumbs()).toEqual(['Demo', 'Usage & billing']))
  expect(screen.queryByText('This page requires the role account_admin.')).toBeNull()
})

const pagesFor = (user: UserInfo) =>
  menuFor(user).map(({ title, items }) => [title, items.map(({ page }) => page)])

describe('the menu', () => {
  const everything = somebody(
    ['account_admin', 'cluster_admin', 'user_admin', 'security_admin', 'org_admin'],
    {
      isOrgAdmin: true,
    },
  )

  test('has a group of data analytics and one of administration, each page at its place [SHELL-37, SHELL-39]', () => {
    const [analytics, admin] = pagesFor(everything)
    expect(analytics?.[0]).toBe('shell.menu.analytics')
    expect(analytics?.[1]).toEqual(expect.arrayContaining(['home', 'editor', 'catalog']))
    expect(admin?.[0]).toBe('shell.menu.admin')
    expect(admin?.[1]).toEqual(['warehouse', 'billing', 'access', 'security', 'account'])
  })

  test('has no item of a page that is hidden, which still has its address [SHELL-50]', async () => {
    const hidden = Object.entries(PAGES).flatMap(([key, page]) => ('hidden' in page ? [key] : []))
    expect(hidden).toContain('guide')
    const shown = menuFor(everything).flatMap(({ items }) => items.map(({ page }) => page))
    expect(shown.filter((page) => hidden.includes(page))).toEqual([])
    open(`${PLACE}/guide`, everything)
    const menu = await screen.findByRole('navigation', { name: 'Main menu' })
    expect(within(menu).queryByRole('link', { name: 'Guide' })).toBeNull()
  })

  test.each([
    ['an organisation administrator', everything, ['warehouse', 'billing', 'access', 'security', 'account']],
    [
      'an account administrator',
      somebody(['account_admin', 'cluster_admin', 'user_admin', 'security_admin', 'db_admin']),
      ['warehouse', 'billing', 'access', 'security'],
    ],
    ['a data analyst', somebody([]), undefined],
    ['a developer', somebody(['db_admin', 'cluster_admin']), ['warehouse']],
  ])('serves %s with what is theirs [ROLE-01]', (_, user, admin) => {
    const [analytics, administration] = pagesFor(user)
    expect(analytics?.[1]).toEqual(expect.arrayContaining(['home', 'editor', 'catalog']))
    expect(administration?.[1]).toEqual(admin)
  })
})

describe('the guide', () => {
  test('is read in the console, page by page, without another host [HOME-05]', async () => {
    const app = open(`${PLACE}/home`)
    await app.user.click(await screen.findByRole('link', { name: 'Users and roles' }))
    expect(await screen.findByRole('heading', { name: 'Users and roles', level: 1 })).toBeTruthy()
    expect(addressOf(app)).toBe(`${PLACE}/guide/users-and-roles`)
    await waitFor(() => expect(crumbs()).toEqual(['Demo', 'Guide', 'Users and roles']))
    const pages = screen.getByRole('navigation', { name: 'Guide pages' })
    await app.user.click(within(pages).getByRole('link', { name: 'SQL editor' }))
    expect(await screen.findByRole('heading', { name: 'SQL editor', level: 1 })).toBeTruthy()
  })

  test('says so where there is no such page', async () => {
    open(`${PLACE}/guide/nonsense`)
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy()
  })
})

import type { BuiltInRole } from '@boathouse/contract/roles'
import type { UserInfo } from '@boathouse/contract/user'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../lib/api.ts'
import { ADA } from '../testing/render-app.tsx'
import { PageArea } from './page-area.tsx'

/** One page that requires roles, in front of one user. */
function openPage(user: UserInfo, roles: readonly BuiltInRole[]): void {
  const root = createRootRoute({ component: () => <PageArea user={user} /> })
  const page = createRoute({
    getParentRoute: () => root,
    path: '/page',
    staticData: { roles },
    component: () => <h1>The page</h1>,
  })
  const history = createMemoryHistory({ initialEntries: ['/page'] })
  const router = createRouter({ routeTree: root.addChildren([page]), history })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

const REFUSAL = 'It seems you do not have permission to use this function, please contact the account admin.'

test('a page whose roles are not all active becomes the no-permission page in place [SHELL-36, SHELL-82, ROLE-12]', async () => {
  openPage({ ...ADA, activeRoles: ['db_admin'] }, ['db_admin', 'cluster_admin'])
  expect(await screen.findByText(REFUSAL)).toBeTruthy()
  expect(screen.getByText(/cluster_admin/)).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'The page' })).toBeNull()
})

test('a page whose roles are all active is shown', async () => {
  openPage({ ...ADA, activeRoles: ['cluster_admin'] }, ['cluster_admin'])
  expect(await screen.findByRole('heading', { name: 'The page' })).toBeTruthy()
})

test('an organisation admin who is the creator has access without the roles', async () => {
  openPage({ ...ADA, isOrgAdmin: true, activeRoles: [] }, ['security_admin'])
  expect(await screen.findByRole('heading', { name: 'The page' })).toBeTruthy()
})

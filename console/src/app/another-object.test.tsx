import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './shell/shell-layout.tsx'
import { CREW, GRACE, LIST, open, SELECT_ON_BOATS } from './testing/access-page.tsx'

const never = () => new Promise<never>(() => undefined)

test('the page of another role shows nothing of the one before while its own is on its way', async () => {
  const app = open(`${LIST}/role/officers?tab=users`, {
    'perms.describeRole': ({ role }) => ({ ...CREW, role }),
    'perms.rolesUser': () => ({ list: [GRACE], total: 1 }),
    'perms.roleGrants': ({ role }) => (role === 'crew' ? { list: [SELECT_ON_BOATS], total: 1 } : never()),
  })
  expect(await screen.findByRole('heading', { name: 'officers', level: 1 })).toBeTruthy()
  const go = (role: string) => act(() => app.router.navigate({ href: `${LIST}/role/${role}` }))
  await go('crew')
  expect(await screen.findByText(SELECT_ON_BOATS.objectText)).toBeTruthy()
  await app.user.type(screen.getByRole('searchbox', { name: /^Search/ }), 'boats')
  await go('officers')
  expect(await screen.findByRole('heading', { name: 'officers', level: 1 })).toBeTruthy()
  expect(screen.queryByText(SELECT_ON_BOATS.objectText)).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('searchbox', { name: /^Search/ }).value).toBe('')
})

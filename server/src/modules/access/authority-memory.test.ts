import { objectOf } from '@boathouse/contract'
import { expect, test, vi } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { createAuthority } from './authority.ts'
import type { AccessStore } from './store.ts'

type Asked = Parameters<typeof createAuthority>[0]['store']

function counted() {
  const store = {
    granted: vi.fn<AccessStore['granted']>(async () => []),
    grantedNames: vi.fn<AccessStore['grantedNames']>(async () => ['Boats']),
    grantedData: vi.fn<AccessStore['grantedData']>(async () => []),
    below: vi.fn<AccessStore['below']>(async () => []),
  } satisfies Asked
  return { store, authority: createAuthority({ store }) }
}

const tables = { type: 'table', catalog: 'default_catalog', database: 'main' } as const
const boats = objectOf('table', { catalog: 'default_catalog', database: 'main', name: 'boats' })

test('what somebody holds is looked up once, however often their login is read', async () => {
  const { store, authority } = counted()
  const actor = actorWith('ABC12345')
  const login = () => ({ ...actor, activeRoles: ['crew', 'harbour'] })
  for (let call = 0; call < 3; call++) {
    expect(await authority.visible(login(), tables)).toEqual(new Set(['boats']))
    await authority.listed(login())
    await authority.may(login(), 'SELECT', boats)
  }
  expect([store.grantedNames, store.grantedData, store.granted].map(({ mock }) => mock.calls.length)).toEqual(
    [1, 1, 1],
  )
})

test('it is looked up again for other roles, and after a change', async () => {
  const { store, authority } = counted()
  const login = { ...actorWith('ABC12345'), activeRoles: ['crew'] }
  for (const actor of [login, { ...login, activeRoles: ['crew', 'harbour'] }, { ...login, activeRoles: [] }])
    await authority.visible(actor, tables)
  await authority.visible({ ...login, identityVersion: login.identityVersion + 1 }, tables)
  expect(store.grantedNames).toHaveBeenCalledTimes(4)
})

import { describe, expect, test } from 'vitest'
import { BUILT_IN_ROLES, hasPermission, holdsRoles, permissionsOf, type RoleHolder } from './roles.ts'

const grace: RoleHolder = { user: 'grace', creator: 'ada', isOrgAdmin: false, activeRoles: ['db_admin'] }

test('these are the built-in roles [ROLE-04]', () => {
  expect([...BUILT_IN_ROLES].sort()).toEqual([
    'account_admin',
    'cluster_admin',
    'db_admin',
    'org_admin',
    'public',
    'security_admin',
    'user_admin',
  ])
})

describe('holding what is required', () => {
  test('means that every required role is active, not just one of them', () => {
    expect(holdsRoles(grace, ['db_admin'])).toBe(true)
    expect(holdsRoles(grace, ['db_admin', 'user_admin'])).toBe(false)
    expect(
      holdsRoles({ ...grace, activeRoles: ['db_admin', 'user_admin'] }, ['db_admin', 'user_admin']),
    ).toBe(true)
  })

  test('needs nothing where nothing is required, and public is always active', () => {
    expect(holdsRoles({ ...grace, activeRoles: [] }, [])).toBe(true)
    expect(holdsRoles({ ...grace, activeRoles: [] }, ['public'])).toBe(true)
  })

  test.each([
    { isOrgAdmin: true, user: 'ada', holds: true },
    { isOrgAdmin: true, user: 'grace', holds: false },
    { isOrgAdmin: false, user: 'ada', holds: false },
    { isOrgAdmin: false, user: 'grace', holds: false },
  ])(
    'without the role: organisation admin $isOrgAdmin, creator ada, user $user: $holds',
    ({ holds, ...who }) => {
      expect(holdsRoles({ ...grace, activeRoles: ['public'], ...who }, ['account_admin'])).toBe(holds)
    },
  )

  test('is not helped by a role of a similar name', () => {
    expect(holdsRoles({ ...grace, activeRoles: ['user_admin2', 'USER_ADMIN'] }, ['user_admin'])).toBe(false)
  })
})

describe('permissions', () => {
  test('follow from the active roles, each once and in order', () => {
    expect(permissionsOf(['security_admin', 'security_admin', 'public'])).toEqual([
      'audit:view',
      'firewall:alter',
      'privatelink:alter',
    ])
    expect(permissionsOf(['public', 'a_role_of_my_own', 'constructor', 'toString'])).toEqual([])
  })

  test('of an account admin are all of them', () => {
    expect(permissionsOf(['account_admin'])).toEqual(['*:*'])
    expect(hasPermission(['*:*'], 'warehouse:create')).toBe(true)
    expect(hasPermission(permissionsOf(['cluster_admin']), 'warehouse:create')).toBe(true)
    expect(hasPermission(permissionsOf(['cluster_admin']), 'user:create')).toBe(false)
    expect(hasPermission([], 'user:create')).toBe(false)
  })
})

import { expect, test } from 'vitest'
import { perms } from './perms.ts'

const CHANGES = /\/(create|delete|grant|revoke|set-user)-/

test('role calls that ask, and the choice of roles, answer within 5 s or are given up [ROLE-47, ROLE-63]', () => {
  const asked = Object.values(perms).filter(({ path }) => !CHANGES.test(path))
  expect(asked).toContain(perms.allRoles)
  expect(asked).toContain(perms.setRoles)
  expect(asked.filter(({ timeoutMs }) => timeoutMs !== 5_000)).toEqual([])
})

test('a change is not given up while it may still be made', () => {
  const changes = Object.values(perms).filter(({ path }) => CHANGES.test(path))
  expect(changes).toHaveLength(13)
  expect(changes.filter(({ timeoutMs }) => timeoutMs !== 60_000)).toEqual([])
})

test('calls that the console makes automatically fail in silence [ROLE-47]', () => {
  const asked = [perms.allRoles, perms.getDefaultRoles, perms.getActiveRecursionRoles]
  expect(asked.map(({ silent }) => silent)).toEqual([true, true, true])
  expect(perms.setRoles.silent).toBe(false)
})

import { expect, test } from 'vitest'
import { perms } from './perms.ts'

test('every role call answers within 5 s, or is given up [ROLE-47, ROLE-63]', () => {
  expect(Object.values(perms).filter(({ timeoutMs }) => timeoutMs !== 5_000)).toEqual([])
})

test('calls that the console makes automatically fail in silence [ROLE-47]', () => {
  const asked = [perms.allRoles, perms.getDefaultRoles, perms.getActiveRecursionRoles]
  expect(asked.map(({ silent }) => silent)).toEqual([true, true, true])
  expect(perms.setRoles.silent).toBe(false)
})

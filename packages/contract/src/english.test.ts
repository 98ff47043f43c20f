import { expect, test } from 'vitest'
import { QueryReq, user } from './index.ts'

const complaints = (found: { error?: { issues: readonly { message: string }[] } | undefined }) =>
  found.error?.issues.map((issue) => issue.message)

test('the whole contract says in words what is wrong, also where a rule has no message of its own', () => {
  expect(complaints(QueryReq.safeParse({ connId: 'one' }))).toContain(
    'Invalid input: expected number, received string',
  )
  expect(complaints(user.login.input.safeParse({}))).toContain(
    'Invalid input: expected string, received undefined',
  )
})

import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { SignIn } from './sign-ins.ts'

export const LoginEntry = z.object({
  loginId: z.string(),
  method: z.enum(['password', 'sso']),
  createdAt: z.string(),
  lastUsedAt: z.string(),
  expiresAt: z.string(),
  clientIp: z.string(),
  userAgent: z.string(),
  /** The one that asks. */
  isCurrent: z.boolean(),
})
export type LoginEntry = z.infer<typeof LoginEntry>

/** Everyone's own. An ended login is refused by every door at once, and its channels are closed. */
export const loginCalls = {
  listLogins: defineCall({
    path: '/user/list-logins',
    summary: 'List where you are signed in, last used first',
    needs: 'login',
    whileFrozen: true,
    render: true,
    input: z.object({}),
    output: z.object({ logins: z.array(LoginEntry) }),
  }),
  endLogin: defineCall({
    path: '/user/end-login',
    summary: 'Log out one of your sign-ins',
    needs: 'login',
    refusesKeys: true,
    whileFrozen: true,
    input: z.object({ loginId: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
  endOtherLogins: defineCall({
    path: '/user/end-other-logins',
    summary: 'Log out all your other sign-ins',
    needs: 'login',
    refusesKeys: true,
    whileFrozen: true,
    input: z.object({}),
    output: z.object({ ended: z.int() }),
  }),
  listSignIns: defineCall({
    path: '/user/list-sign-ins',
    summary: 'List your recent sign-ins, logouts and failed attempts, newest first',
    needs: 'login',
    whileFrozen: true,
    render: true,
    input: z.object({ limit: z._default(z.int().check(z.gte(1), z.lte(50)), 10) }),
    output: z.object({ signIns: z.array(SignIn) }),
  }),
}

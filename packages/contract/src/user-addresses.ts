import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { Email } from './mail-address.ts'
import { EncodedPassword, LinkToken } from './rules.ts'

/** Whose address it becomes. */
const NewAddress = z.object({
  accountId: z.string(),
  region: z.string(),
  user: z.string(),
  email: z.string(),
})

/**
 * Users choose their own mail address. It counts once the link that is mailed to it was used: who can read an address can
 * reset the password of its user.
 */
export const addressCalls = {
  requestEmailChange: defineCall({
    path: '/user/request-email-change',
    summary: 'Ask for another mail address of your own: a link to confirm it goes to the new address',
    needs: 'login',
    refusesKeys: true,
    whileFrozen: true,
    input: z.object({
      email: Email,
      /** The current one. Only a user without a password leaves it out, in the first 15 minutes of a login. */
      password: z.optional(EncodedPassword),
    }),
    output: z.object({ mailedTo: z.string() }),
    fails: ['LoginFailed', 'TooManyAttempts', 'NotBusinessEmail', 'Conflict'],
  }),
  emailChangeLink: defineCall({
    path: '/user/email-change-link',
    summary: 'Which mail address of whom a mailed link confirms',
    needs: 'nothing',
    input: z.object({ token: LinkToken }),
    output: NewAddress,
    fails: ['LinkUnusable', 'TooManyAttempts'],
  }),
  confirmEmail: defineCall({
    path: '/user/confirm-email',
    summary: 'Confirm a mail address by the link that was mailed to it; the address before it is notified',
    needs: 'nothing',
    input: z.object({ token: LinkToken }),
    output: NewAddress,
    fails: ['LinkUnusable', 'TooManyAttempts', 'NameTaken'],
  }),
}

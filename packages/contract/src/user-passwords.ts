import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { Email } from './mail-address.ts'
import { AccountId, EncodedPassword, LinkToken, UserName } from './rules.ts'

/** Where somebody can sign in now. */
const SignInPlace = z.object({ accountId: z.string(), region: z.string(), user: z.string() })

/**
 * Passwords are changed by who is signed in, or by who holds a mailed link. Either ends all logins of the user. A new one
 * must fit the rule `Password`, unless the operator has switched that off.
 */
export const passwordCalls = {
  changePassword: defineCall({
    path: '/user/change-password',
    summary: 'Change your password; you are logged out everywhere, here too',
    needs: 'login',
    refusesKeys: true,
    whileFrozen: true,
    input: z.object({
      /** One's own. */
      username: UserName,
      password: EncodedPassword,
      /** May be left out in the first 15 minutes of a login. */
      currentPassword: z.optional(EncodedPassword),
    }),
    output: z.object({}),
    fails: ['LoginFailed', 'NoPermission', 'TooManyAttempts', 'Conflict'],
  }),
  requestPasswordReset: defineCall({
    path: '/user/request-password-reset',
    summary: 'Send a link to reset the password; the response is the same if the user does not exist',
    needs: 'nothing',
    input: z.object({ accountId: AccountId, email: Email }),
    output: z.object({}),
    fails: ['TooManyAttempts'],
  }),
  passwordResetLink: defineCall({
    path: '/user/password-reset-link',
    summary: 'Get the user whose password a mailed link resets',
    needs: 'nothing',
    input: z.object({ token: LinkToken }),
    output: SignInPlace,
    fails: ['LinkUnusable', 'TooManyAttempts'],
  }),
  resetPassword: defineCall({
    path: '/user/reset-password',
    summary: 'Choose a new password with a mailed link',
    needs: 'nothing',
    input: z.object({ token: LinkToken, email: Email, password: EncodedPassword }),
    output: SignInPlace,
    fails: ['LinkUnusable', 'EmailDiffers', 'TooManyAttempts', 'Conflict'],
  }),
  invitationLink: defineCall({
    path: '/user/invitation-link',
    summary: 'Get the account and user of an invitation',
    needs: 'nothing',
    input: z.object({ token: LinkToken }),
    output: z.extend(SignInPlace, { accountName: z.string(), email: z.string() }),
    fails: ['LinkUnusable', 'TooManyAttempts'],
  }),
  setUpPassword: defineCall({
    path: '/user/set-up-password',
    summary: 'Accept an invitation by choosing a password',
    needs: 'nothing',
    input: z.object({ token: LinkToken, password: EncodedPassword }),
    output: SignInPlace,
    fails: ['LinkUnusable', 'TooManyAttempts', 'Conflict'],
  }),
}

import { decodePassword, MESSAGES } from '@boathouse/contract'
import type { Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'
import { signingIn, verifyPassword } from '../user/passwords.ts'
import { reserveActivation, reserveToken } from './sign-up-rate-limit.ts'
import { openSignedUp, userNameOf } from './open-signed-up.ts'
import type { SignUpParts } from './service.ts'

const UNIQUE_VIOLATION = '23505'

/** Opens the account of a sign-up, with the link that was mailed. */
export function createActivation({
  store,
  transaction,
  links,
  mails,
  rateLimit,
  config,
  clock,
}: SignUpParts) {
  async function waiting(from: Caller, token: string) {
    const attempt = await reserveToken(rateLimit, from.clientIp)
    const row = await store.byId(await links.look('activation', token))
    if (!row) throw new AppError('LinkUnusable', MESSAGES.linkUnknown)
    await attempt.giveBack()
    return row
  }

  return {
    async activationLink(from: Caller, token: string) {
      const row = await waiting(from, token)
      return { firstName: row.first_name, email: row.email }
    },

    /** Opens the account; answers the token by which its set-up can be followed. */
    async activate(from: Caller, { token, password }: { token: string; password: string }) {
      const row = await waiting(from, token)
      const attempt = await reserveActivation(rateLimit, from.clientIp, row.sign_up_id)
      const priority = signingIn({ clientIp: from.clientIp, accountId: '', user: row.email })
      if (!(await verifyPassword(decodePassword(password), row.password_hash, priority)))
        throw new AppError('LoginFailed', 'This is not the password that you chose at sign-up.')
      await attempt.giveBack()
      try {
        return await transaction(async (trx) => {
          await links.take(trx, 'activation', token)
          const accountId = await openSignedUp(trx, row, {
            csp: config.regions.own.cspId,
            region: config.region,
            from,
            at: clock.now(),
          })
          await store.setAccount(trx, row.sign_up_id, accountId)
          await mails.write(trx, {
            to: row.email,
            accountId,
            kind: 'accountOpened',
            details: {
              firstName: row.first_name,
              accountId,
              region: config.region,
              user: userNameOf(row.email),
            },
          })
          return { setUpToken: await links.create(trx, { purpose: 'setUp', subject: accountId, accountId }) }
        })
      } catch (error) {
        if (errorCode(error) !== UNIQUE_VIOLATION) throw error
        throw new AppError('Conflict', 'An account for this address already exists. Sign in to it.', {
          cause: error,
        })
      }
    },
  }
}

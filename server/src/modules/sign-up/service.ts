import { randomUUID } from 'node:crypto'
import {
  decodePassword,
  LIFE_CYCLE_STATES,
  IDENTITY_MESSAGES,
  MESSAGES,
  type SET_UP_STEPS,
  type SignUpForm,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Marketplace, Purchase } from '../../providers/marketplace/marketplace.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { Links } from '../link/service.ts'
import type { RequireAcceptedAddress } from '../mail/accepted-address.ts'
import type { Mails } from '../mail/service.ts'
import type { RequireGoodPassword } from '../user/password-rule.ts'
import { hashPassword, signingIn } from '../user/passwords.ts'
import { reserveSignUp, reserveToken } from './sign-up-rate-limit.ts'
import type { SignUpStore } from './store.ts'
import { createActivation } from './activation.ts'

/** Longer than its link is valid. */
const KEPT_MS = 7 * 24 * 3_600_000

/** Nobody will sign in to such an account, so the page that waits for its set-up can stop. */
const { Failed, Deleting, Deleted, Rejected } = LIFE_CYCLE_STATES
const GIVEN_UP: readonly number[] = [Failed, Deleting, Deleted, Rejected]

export interface SignUpParts {
  readonly store: SignUpStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly links: Links
  readonly mails: Mails
  readonly marketplace: Marketplace
  readonly rateLimit: RateLimit
  readonly requireGoodPassword: RequireGoodPassword
  readonly requireAccepted: RequireAcceptedAddress
  readonly config: {
    readonly signUp: boolean
    readonly region: string
    readonly regions: {
      readonly own: { readonly cspId: string }
      readonly central: { readonly url: string } | null
    }
  }
  readonly clock: Clock
  readonly log: Log
}

type SetUpStep = (typeof SET_UP_STEPS)[number]

export function createSignUps(parts: SignUpParts) {
  const { store, transaction, links, mails, marketplace, rateLimit, config, clock, log } = parts
  const { requireGoodPassword, requireAccepted } = parts

  async function resolve(token: string): Promise<Purchase> {
    const resolved = await marketplace.resolve(token).catch((error: unknown) => {
      log.warn({ err: error }, 'the marketplace gave an error')
      throw new AppError('MarketplaceFailed', IDENTITY_MESSAGES.marketplaceFailed, { cause: error })
    })
    if (resolved.state === 'found') return resolved.purchase
    if (resolved.state === 'expired')
      throw new AppError('SignUpTokenExpired', IDENTITY_MESSAGES.signUpTokenExpired)
    throw new AppError('SignUpTokenInvalid', IDENTITY_MESSAGES.signUpTokenInvalid)
  }

  /** The answer does not reveal whether the address has an account: the mail does. */
  async function receive(from: Caller, form: SignUpForm, purchase: Purchase | null): Promise<void> {
    requireGoodPassword(form.password)
    requireAccepted(form.email)
    await reserveSignUp(rateLimit, from.clientIp, form.email)
    const priority = signingIn({ clientIp: from.clientIp, accountId: '', user: form.email })
    const passwordHash = await hashPassword(decodePassword(form.password), priority)
    const accountIds = await store.accountsOf(form.email)
    await transaction(async (trx) => {
      const to = { to: form.email, accountId: null }
      // The same is written either way, so that the time reveals nothing; this link is sent to nobody.
      const signUpId = randomUUID()
      await store.insert(trx, {
        sign_up_id: signUpId,
        email: form.email,
        first_name: form.firstName,
        last_name: form.lastName,
        company: form.company,
        country: form.country,
        password_hash: passwordHash,
        marketplace: purchase ? marketplace.id : null,
        marketplace_customer: purchase?.customer ?? null,
        marketplace_product: purchase?.product ?? null,
        created_at: clock.now(),
      })
      const token = await links.create(trx, { purpose: 'activation', subject: signUpId, accountId: null })
      if (accountIds.length > 0)
        await mails.write(trx, { ...to, kind: 'alreadySignedUp', details: { accountIds } })
      else
        await mails.write(trx, { ...to, kind: 'activation', details: { firstName: form.firstName, token } })
    })
  }

  /** An organisation and its root account are on the central server. */
  function requireCentral(): void {
    const { central } = config.regions
    if (central) throw new AppError('Conflict', `This server is that of a region. Sign up at ${central.url}.`)
  }

  return {
    ...createActivation(parts),

    async startFreeTrial(from: Caller, form: SignUpForm): Promise<void> {
      requireCentral()
      if (!config.signUp)
        throw new AppError(
          'NoPermission',
          'Sign-up is closed. Ask the operator of the service for an account.',
        )
      await receive(from, form, null)
    },

    async resolveMarketplace(from: Caller, token: string) {
      const attempt = await reserveToken(rateLimit, from.clientIp)
      const { marketplace: name, product } = await resolve(token)
      await attempt.giveBack()
      return { marketplace: name, product }
    },

    async signUpFromMarketplace(
      from: Caller,
      { token, ...form }: SignUpForm & { token: string },
    ): Promise<void> {
      requireCentral()
      const attempt = await reserveToken(rateLimit, from.clientIp)
      const purchase = await resolve(token)
      await attempt.giveBack()
      await receive(from, form, purchase)
    },

    async progress(from: Caller, setUpToken: string) {
      const attempt = await reserveToken(rateLimit, from.clientIp)
      const row = await store.progress(await links.look('setUp', setUpToken))
      if (!row) throw new AppError('LinkUnusable', MESSAGES.linkUnknown)
      await attempt.giveBack()
      return {
        accountId: row.account_id,
        region: row.region,
        user: row.creator,
        step: row.set_up as SetUpStep,
        failed: GIVEN_UP.includes(row.state),
      }
    },

    forgetWaiting: () => store.forgetWaiting(new Date(clock.now().getTime() - KEPT_MS)),
  }
}

export type SignUps = ReturnType<typeof createSignUps>

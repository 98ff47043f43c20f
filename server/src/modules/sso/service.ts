import { IDENTITY_MESSAGES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Client, Issuers } from '../../providers/sso/issuer.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import type { Links } from '../link/service.ts'
import type { Mails } from '../mail/service.ts'
import type { Users } from '../user/service.ts'
import type { SignIns } from '../user/sign-ins.ts'
import { createAsking } from './asking.ts'
import { hashOf } from './confirmations.ts'
import { createConnections } from './connections.ts'
import { createSsoSettings, placeOfSecret } from './settings.ts'
import type { SsoRow, SsoStore } from './store.ts'
import { createIssuerTrips } from './issuer-trips.ts'

const ATTEMPTS = { free: 30, longestWaitMs: 30_000, pauseMs: 15 * 60_000 }

export interface SsoParts {
  readonly store: SsoStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly issuers: Issuers
  readonly sealer: Sealer
  readonly users: Users
  readonly signIns: Pick<SignIns, 'watched'>
  readonly passwords: { prove(actor: Actor, password: string): Promise<void> }
  readonly links: Links
  readonly mails: Pick<Mails, 'write'>
  readonly rateLimit: RateLimit
  readonly requireLetIn: RequireLetIn
  readonly publicUrl: () => string
  /** Origins that the operator has opened. */
  readonly openEndpoints: readonly string[]
  /** When a failure is answered. */
  readonly failsAfterMs: number
  readonly clock: Clock
  readonly log: Log
}

/** Single sign-on: an issuer says who somebody is, and only they themselves say which user that is. */
export function createSso(parts: SsoParts) {
  const { store, sealer, users, signIns, passwords, rateLimit, publicUrl, clock } = parts
  const ask = createAsking(parts)
  const connections = createConnections(parts)
  const redirectUri = (): string => new URL('/sso-redirect', publicUrl()).href

  const clientOf = (row: SsoRow): Client => ({
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: sealer.open(row.client_secret, placeOfSecret(row.account_id)),
    redirectUri: redirectUri(),
  })

  const { enabledSettings, send, claimsOf } = createIssuerTrips({ ...parts, ask, clientOf })
  const settings = createSsoSettings({ ...parts, ask, redirectUri, clientOf })

  const reserve = (clientIp: string) =>
    rateLimit.reserve({
      address: clientIp,
      refusal: 'Too many sign-ins.',
      own: rateLimit.fromAddress('single sign-on from', clientIp, ATTEMPTS),
    })

  return {
    settings: settings.settings,
    save: settings.save,
    remove: settings.remove,
    reseal: settings.reseal,
    confirmationLink: connections.confirmationLink,
    connection: connections.connection,
    disconnect: connections.disconnect,

    async offer(from: Caller, accountId: string): Promise<boolean> {
      const attempt = await reserve(from.clientIp)
      const row = await store.settings(accountId)
      if (row?.enabled) await attempt.giveBack()
      return row?.enabled ?? false
    },

    async begin(from: Caller, accountId: string) {
      await reserve(from.clientIp)
      return signIns.watched({ accountId, from, method: 'sso' }, () => send(accountId, null))
    },

    /** Users are made by their administrator; who is not connected yet must show that they are one of them. */
    async finish(from: Caller, { secret, answer }: { secret: string; answer: string }) {
      const attempt = await reserve(from.clientIp)
      const request = await store.takeRequest({ secretHash: hashOf(secret), userId: null }, clock.now())
      if (!request) throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOver)
      const { account_id: accountId } = request
      const finished = await signIns.watched({ accountId, from, method: 'sso' }, async () => {
        const row = await enabledSettings(accountId)
        const { subject, email, isEmailVerified } = await claimsOf(row, request, answer)
        const bound = await store.findBound(row, subject)
        if (!bound && (email === undefined || !isEmailVerified))
          throw new AppError('LoginFailed', IDENTITY_MESSAGES.ssoUnknownUser)
        if (bound) return users.loginAs(from, bound.user_id, 'sso')
        const secretHash = request.secret_hash
        return connections.askToConfirm(from, row, { subject, email: email ?? '', secretHash })
      })
      await attempt.giveBack()
      return finished
    },

    async confirm(from: Caller, input: { token: string; secret: string }) {
      return users.loginAs(from, await connections.confirm(from, input), 'sso')
    },

    /** A stolen login must not become another user's way to sign in, so it needs the password. */
    async connect(from: Caller & { readonly actor: Actor }, password: string) {
      await passwords.prove(from.actor, password)
      await reserve(from.clientIp)
      return send(from.actor.accountId, from.actor.userId)
    },

    async finishConnect(
      from: Caller & { readonly actor: Actor },
      { secret, answer }: { secret: string; answer: string },
    ): Promise<void> {
      const attempt = await reserve(from.clientIp)
      const { userId } = from.actor
      const request = await store.takeRequest({ secretHash: hashOf(secret), userId }, clock.now())
      if (!request) throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOver)
      const row = await enabledSettings(request.account_id)
      const { subject } = await claimsOf(row, request, answer)
      await connections.finishOwn(from, row, subject)
      await attempt.giveBack()
    },

    forgetRequests: () => store.forgetRequests(clock.now()),
  }
}

export type Sso = ReturnType<typeof createSso>

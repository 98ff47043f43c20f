import { createHash, randomBytes } from 'node:crypto'
import { IDENTITY_MESSAGES, MESSAGES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Claims, Client, Issuers } from '../../providers/sso/issuer.ts'
import type { Schema } from '../../store/schema.ts'
import type { Brake } from '../attempt/brake.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { Users } from '../user/service.ts'
import type { SignIns } from '../user/sign-ins.ts'
import type { SsoRow, SsoStore } from './store.ts'

/** People look for their telephone. */
const REQUEST_MS = 10 * 60_000
const RESEALED_AT_ONCE = 500
const ATTEMPTS = { free: 30, longestWaitMs: 30_000, pauseMs: 15 * 60_000 }

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const placeOfSecret = (accountId: string): string => `client secret of ${accountId}`
const placeOfVerifier = (hash: Buffer): string => `code verifier of ${hash.toString('hex')}`

interface SettingsDraft {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  readonly enabled: boolean
}

export interface SsoParts {
  readonly store: SsoStore
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly issuers: Issuers
  readonly sealer: Sealer
  readonly users: Users
  readonly signIns: Pick<SignIns, 'watched'>
  readonly brake: Brake
  readonly publicUrl: () => string
  readonly plainHttp: boolean
  readonly clock: Clock
  readonly log: Log
}

export function createSso(parts: SsoParts) {
  const { store, transaction, issuers, sealer, users, signIns, brake, publicUrl, plainHttp, clock, log } =
    parts
  const redirectUri = (): string => new URL('/sso-redirect', publicUrl()).href

  const clientOf = (row: SsoRow): Client => ({
    issuer: row.issuer,
    clientId: row.client_id,
    clientSecret: sealer.open(row.client_secret, placeOfSecret(row.account_id)),
    redirectUri: redirectUri(),
  })

  /** What an issuer says in detail is for the log: it may be anything. */
  async function ask<T>(accountId: string, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      log.warn({ err: error, accountId }, 'an issuer of single sign-on did not answer as it should')
      throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoFailed, { cause: error })
    }
  }

  async function enabledSettings(accountId: string): Promise<SsoRow> {
    const row = await store.settings(accountId)
    if (!row?.enabled) throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOff)
    return row
  }

  const reserve = (clientIp: string) =>
    brake.reserve({
      address: clientIp,
      refusal: 'Too many sign-ins.',
      own: brake.fromAddress('single sign-on from', clientIp, ATTEMPTS),
    })

  /** Users are made by their administrator; an issuer says only which of them somebody is. */
  async function userOf(row: SsoRow, claims: Claims): Promise<string> {
    const subject = `${row.issuer} ${claims.subject}`
    const email = claims.email && claims.isEmailVerified ? claims.email : null
    const userId = await users.idOfSsoSubject(row.account_id, subject, email)
    if (userId === undefined) throw new AppError('LoginFailed', IDENTITY_MESSAGES.ssoUnknownUser)
    return userId
  }

  async function secretOf(accountId: string, draft: SettingsDraft): Promise<string> {
    if (draft.clientSecret !== undefined) return sealer.seal(draft.clientSecret, placeOfSecret(accountId))
    const before = await store.settings(accountId)
    // A secret goes to the issuer it was given for, and to no other.
    if (before?.issuer === draft.issuer) return before.client_secret
    throw new AppError('BadInput', `clientSecret: ${MESSAGES.enter('client secret')}`)
  }

  return {
    async settings({ accountId }: Actor) {
      const row = await store.settings(accountId)
      const settings = row ? { issuer: row.issuer, clientId: row.client_id, enabled: row.enabled } : null
      return { settings, redirectUri: redirectUri() }
    },

    async save(from: Caller & { readonly actor: Actor }, draft: SettingsDraft): Promise<void> {
      const { accountId } = from.actor
      const { issuer, clientId, enabled } = draft
      if (!plainHttp && !issuer.startsWith('https:'))
        throw new AppError('BadInput', 'issuer: The address of an issuer begins with https://.')
      const row = {
        account_id: accountId,
        issuer,
        client_id: clientId,
        client_secret: await secretOf(accountId, draft),
        enabled,
        updated_at: clock.now(),
      }
      if (enabled) await ask(accountId, issuers.addressOf(clientOf(row), issuers.newChallenge()))
      await transaction(async (trx) => {
        await store.save(trx, row)
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'sso.save',
          object: { type: 'account', id: accountId },
          before: null,
          after: { issuer, clientId, enabled, secretReplaced: draft.clientSecret !== undefined },
        })
      })
    },

    async remove(from: Caller & { readonly actor: Actor }): Promise<void> {
      const { accountId } = from.actor
      await transaction(async (trx) => {
        const { numDeletedRows } = await store.remove(trx, accountId)
        if (numDeletedRows === 0n) return
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'sso.delete',
          object: { type: 'account', id: accountId },
          before: { enabled: true },
          after: null,
        })
      })
    },

    async offer(from: Caller, accountId: string): Promise<boolean> {
      const attempt = await reserve(from.clientIp)
      const row = await store.settings(accountId)
      if (row?.enabled) await attempt.giveBack()
      return row?.enabled ?? false
    },

    async begin(from: Caller, accountId: string) {
      await reserve(from.clientIp)
      const challenge = issuers.newChallenge()
      const address = await signIns.watched({ accountId, from, method: 'sso' }, async () =>
        ask(accountId, issuers.addressOf(clientOf(await enabledSettings(accountId)), challenge)),
      )
      const secret = randomBytes(32).toString('base64url')
      const secretHash = hashOf(secret)
      await store.insertRequest({
        secret_hash: secretHash,
        account_id: accountId,
        state: challenge.state,
        nonce: challenge.nonce,
        code_verifier: sealer.seal(challenge.codeVerifier, placeOfVerifier(secretHash)),
        expires_at: new Date(clock.now().getTime() + REQUEST_MS),
      })
      return { address, secret }
    },

    async finish(from: Caller, { secret, answer }: { secret: string; answer: string }) {
      const attempt = await reserve(from.clientIp)
      const request = await store.takeRequest(hashOf(secret), clock.now())
      if (!request) throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOver)
      const { account_id: accountId, state, nonce } = request
      const login = await signIns.watched({ accountId, from, method: 'sso' }, async () => {
        const row = await enabledSettings(accountId)
        const codeVerifier = sealer.open(request.code_verifier, placeOfVerifier(request.secret_hash))
        const claims = await ask(
          accountId,
          issuers.claims(clientOf(row), { state, nonce, codeVerifier }, answer),
        )
        return users.loginAs(from, await userOf(row, claims), 'sso')
      })
      await attempt.giveBack()
      return login
    },

    /** With the newest key, all that another one has sealed. */
    async reseal(): Promise<void> {
      for (;;) {
        const stale = await store.sealedByOthers(sealer.newestPrefix, RESEALED_AT_ONCE)
        for (const { account_id: accountId, client_secret: sealed } of stale) {
          const place = placeOfSecret(accountId)
          await store.reseal(accountId, sealed, sealer.seal(sealer.open(sealed, place), place))
        }
        if (stale.length < RESEALED_AT_ONCE) return
      }
    },

    forgetRequests: () => store.forgetRequests(clock.now()),
  }
}

export type Sso = ReturnType<typeof createSso>

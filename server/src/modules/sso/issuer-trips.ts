import { randomBytes } from 'node:crypto'
import { IDENTITY_MESSAGES } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { Claims, Client } from '../../providers/sso/issuer.ts'
import { hashOf } from './confirmations.ts'
import type { SsoRequest, SsoRow } from './store.ts'
import type { SsoParts } from './service.ts'
import type { Ask } from './asking.ts'

/** People look for their telephone. */
const REQUEST_MS = 10 * 60_000

const placeOfVerifier = (hash: Buffer): string => `code verifier of ${hash.toString('hex')}`

/** Sends a browser to the issuer, and reads what it brings back. */
export function createIssuerTrips({
  store,
  issuers,
  sealer,
  clock,
  ask,
  clientOf,
}: Pick<SsoParts, 'store' | 'issuers' | 'sealer' | 'clock'> & {
  readonly ask: Ask
  readonly clientOf: (row: SsoRow) => Client
}) {
  async function enabledSettings(accountId: string): Promise<SsoRow> {
    const row = await store.settings(accountId)
    if (!row?.enabled) throw new AppError('SsoFailed', IDENTITY_MESSAGES.ssoOff)
    return row
  }

  /** Sends a browser to the issuer: to sign in, or to connect the user who is signed in. */
  async function send(accountId: string, userId: string | null) {
    const row = await enabledSettings(accountId)
    const challenge = issuers.newChallenge()
    const address = await ask(accountId, () => issuers.addressOf(clientOf(row), challenge))
    const secret = randomBytes(32).toString('base64url')
    const secretHash = hashOf(secret)
    await store.insertRequest({
      secret_hash: secretHash,
      account_id: accountId,
      user_id: userId,
      state: challenge.state,
      nonce: challenge.nonce,
      code_verifier: sealer.seal(challenge.codeVerifier, placeOfVerifier(secretHash)),
      expires_at: new Date(clock.now().getTime() + REQUEST_MS),
    })
    return { address, secret }
  }

  async function claimsOf(row: SsoRow, request: SsoRequest, answer: string): Promise<Claims> {
    const codeVerifier = sealer.open(request.code_verifier, placeOfVerifier(request.secret_hash))
    const { state, nonce } = request
    return ask(row.account_id, () => issuers.claims(clientOf(row), { state, nonce, codeVerifier }, answer))
  }

  return { enabledSettings, send, claimsOf }
}

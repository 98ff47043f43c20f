import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { LIMITS, NONCE_PATTERN, type SignedParts, textToSign } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { LoginQueue } from './login-queue.ts'
import { createNonceStore } from './nonce-store.ts'

/** What a signed request claims, before any of it is believed; absent parts are undefined. */
export type Claimed = { readonly [K in Exclude<keyof SignedParts, 'body'>]: string | undefined } & {
  readonly signature: string | undefined
  readonly body: Uint8Array
  /** Its right signature, where another thread has read the body. */
  readonly computed?: string
}

/** What is signed of a request, before its body. */
export const signedBefore = ({ nonce = '', timestamp = '' }: Pick<Claimed, 'nonce' | 'timestamp'>): string =>
  textToSign({ nonce, timestamp, body: '' })

function fits(signature: string, token: string, claimed: Claimed): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(
    claimed.computed ??
      createHmac('sha256', token).update(signedBefore(claimed)).update(claimed.body).digest('hex'),
  )
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Remembers nonces for as long as their requests could be fresh; shared by all servers through the database. */
export function createNonces({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  const store = createNonceStore(db)
  return {
    /** False when the same login sent the same nonce before. */
    claim: (loginId: string, nonce: string): Promise<boolean> =>
      store.insert(
        createHash('sha256').update(`${loginId}\n${nonce}`).digest(),
        new Date(clock.now().getTime() + 2 * LIMITS.requestAgeMs),
      ),

    forgetExpired: () => store.deleteExpired(clock.now()),
  }
}

type Nonces = ReturnType<typeof createNonces>

/** Checks the signature, then the age. The token may be empty or unknown. */
export function verifySigned(claimed: Claimed, clock: Clock): { token: string; nonce: string } {
  const { token = '', nonce, timestamp, signature } = claimed
  if (!nonce || !timestamp || !signature)
    throw new AppError(
      'BadSignature',
      'A request carries nonce, timestamp and signature; see the API description.',
    )
  if (!NONCE_PATTERN.test(nonce) || !/^\d{1,16}$/.test(timestamp))
    throw new AppError(
      'BadSignature',
      'The nonce is 16 to 64 letters, digits, - or _; the timestamp is in milliseconds.',
    )
  if (!fits(signature, token, claimed))
    throw new AppError('BadSignature', 'The signature does not match this request.')
  if (Math.abs(clock.now().getTime() - Number(timestamp)) > LIMITS.requestAgeMs)
    throw new AppError(
      'StaleRequest',
      "The request's timestamp is more than five minutes off. Check the clock of this device.",
    )
  return { token, nonce }
}

export interface LoginDoor {
  readonly authenticate: (token: string, clientIp: string) => Promise<Actor>
  readonly nonces: Nonces
  readonly loginQueue: LoginQueue
  readonly clock: Clock
}

/** Who sent it. Nothing is written for a login that does not exist, and its request is no other's to repeat. */
export async function admitLogin(claimed: Claimed, clientIp: string, door: LoginDoor): Promise<Actor> {
  const { token, nonce } = verifySigned(claimed, door.clock)
  return door.loginQueue({ clientIp, token }, async () => {
    const actor = await door.authenticate(token, clientIp)
    if (!(await door.nonces.claim(actor.loginId, nonce)))
      throw new AppError('StaleRequest', 'This request was received before. Send a new one.')
    return actor
  })
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { LIMITS, NONCE_PATTERN, type SignedParts, sign } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'

/** What a signed request claims, before any of it is believed; absent parts are undefined. */
export type Claimed = { readonly [K in Exclude<keyof SignedParts, 'body'>]: string | undefined } & {
  readonly signature: string | undefined
  readonly body: string
}

const equals = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Remembers nonces for as long as their requests could be fresh; shared by all servers through the database. */
export function createNonces({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  return {
    /** False when the same token sent the same nonce before. */
    async claim(token: string, nonce: string): Promise<boolean> {
      const written = await db
        .insertInto('request_nonces')
        .values({
          nonce_hash: createHash('sha256').update(`${token}\n${nonce}`).digest(),
          expires_at: new Date(clock.now().getTime() + 2 * LIMITS.requestAgeMs),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('nonce_hash')
        .executeTakeFirst()
      return written !== undefined
    },

    forgetExpired: () => db.deleteFrom('request_nonces').where('expires_at', '<', clock.now()).execute(),
  }
}

export type Nonces = ReturnType<typeof createNonces>

/** API-07 to API-11: signature, then freshness, then replay. Answers the token, which may be empty or unknown. */
export async function verifySigned(
  claimed: Claimed,
  { nonces, clock }: { nonces: Nonces; clock: Clock },
): Promise<string> {
  const { token = '', nonce, timestamp, signature, body } = claimed
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
  if (!equals(sign({ token, nonce, timestamp, body }), signature))
    throw new AppError('BadSignature', 'The signature does not fit this request.')
  if (Math.abs(clock.now().getTime() - Number(timestamp)) > LIMITS.requestAgeMs)
    throw new AppError(
      'StaleRequest',
      "The request's timestamp is more than five minutes off. Check the clock of this device.",
    )
  if (!(await nonces.claim(token, nonce)))
    throw new AppError('StaleRequest', 'This request was received before. Send a new one.')
  return token
}

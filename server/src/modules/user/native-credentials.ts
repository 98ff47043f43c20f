import { createHash, timingSafeEqual } from 'node:crypto'
import { MESSAGES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { type Actor, refuseKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Sealer } from '../../kernel/sealing.ts'
import type { Schema } from '../../store/schema.ts'
import { recordAudit } from '../audit/record.ts'
import {
  endNativeCredential,
  nativeCredentialOf,
  nativeCredentialsNotSealedBy,
  resealNativeCredential,
  setNativeCredential,
} from './native-credential-store.ts'
import type { createPasswordProof } from './prove-password.ts'
import type { Scramble } from './proven-passwords.ts'

export interface NativeCredentialParts {
  readonly db: Kysely<Schema>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly sealer: Sealer
  readonly provePassword: ReturnType<typeof createPasswordProof>
  readonly clock: Clock
}

interface From {
  readonly actor: Actor
  readonly clientIp: string
}

const SCRAMBLE_BYTES = 20
const RESEALED_AT_ONCE = 500

const sha1 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha1')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** SHA1(password) XOR SHA1(nonce + SHA1(SHA1(password))) */
function fits({ scramble, nonce }: Scramble, twiceHashed: Buffer): boolean {
  if (scramble.length !== SCRAMBLE_BYTES) return false
  const mask = sha1(nonce, twiceHashed)
  const once = Uint8Array.from(scramble, (byte, at) => byte ^ (mask[at] ?? 0))
  return timingSafeEqual(sha1(once), twiceHashed)
}

const placeOf = (userId: string): string => `native credential of ${userId}`

/**
 * For clients that know no other way than mysql_native_password. Checking it takes a weak hash of the password at rest, so
 * that each user decides for themself, and proves it with that very password.
 */
export function createNativeCredentials(parts: NativeCredentialParts) {
  const { db, transaction, sealer, provePassword, clock } = parts

  const record = (trx: Transaction<Schema>, { actor, clientIp }: From, verb: 'allow' | 'end') =>
    recordAudit(trx, {
      accountId: actor.accountId,
      at: clock.now(),
      by: {
        kind: 'user',
        name: actor.user,
        userId: actor.userId,
        accountId: actor.accountId,
        clientIp,
      },
      action: `user.${verb}-native-password`,
      object: { type: 'user', id: actor.userId, name: actor.user },
      before: null,
      after: null,
    })

  return {
    /** From now on until the password changes. Wrong passwords are counted as those of sign-ins. */
    async allow(from: From, password: string): Promise<void> {
      refuseKey(from.actor)
      const { accountId, user: username, userId } = from.actor
      const row = await provePassword({ clientIp: from.clientIp, accountId, username, password })
      const passwordHash = row.password_hash
      if (row.user_id !== userId || passwordHash === null)
        throw new AppError('LoginFailed', MESSAGES.loginFailed)
      const twiceHashed = sha1(sha1(Buffer.from(password))).toString('base64')
      const sealed = sealer.seal(twiceHashed, placeOf(userId))
      await transaction(async (trx) => {
        if (!(await setNativeCredential(trx, { userId, passwordHash }, sealed)))
          throw new AppError('Conflict', 'Your password has changed meanwhile. Try again with the new one.')
        await record(trx, from, 'allow')
      })
    },

    async end(from: From): Promise<void> {
      refuseKey(from.actor)
      await transaction(async (trx) => {
        if (await endNativeCredential(trx, from.actor.userId)) await record(trx, from, 'end')
      })
    },

    /** Says whether a scramble fits; null for who has not allowed it. */
    async checkOf(userId: string): Promise<((scramble: Scramble) => boolean) | null> {
      const sealed = await nativeCredentialOf(db, userId)
      if (sealed === null) return null
      const twiceHashed = Buffer.from(sealer.open(sealed, placeOf(userId)), 'base64')
      return (scramble) => fits(scramble, twiceHashed)
    },

    /** What an older key has sealed is sealed by the newest. */
    async reseal(): Promise<void> {
      for (;;) {
        const rows = await nativeCredentialsNotSealedBy(db, sealer.newestPrefix, RESEALED_AT_ONCE)
        for (const { user_id: userId, native_credential: sealed } of rows) {
          const place = placeOf(userId)
          if (sealed !== null)
            await resealNativeCredential(db, userId, sealer.seal(sealer.open(sealed, place), place))
        }
        if (rows.length < RESEALED_AT_ONCE) return
      }
    },
  }
}

export type NativeCredentials = ReturnType<typeof createNativeCredentials>

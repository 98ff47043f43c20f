import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export function createNonceStore(db: Kysely<Schema>) {
  return {
    /** False when it is there already. */
    async insert(nonceHash: Buffer, expiresAt: Date): Promise<boolean> {
      const written = await db
        .insertInto('request_nonces')
        .values({ nonce_hash: nonceHash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .returning('nonce_hash')
        .executeTakeFirst()
      return written !== undefined
    },

    deleteExpired: (now: Date) => db.deleteFrom('request_nonces').where('expires_at', '<', now).execute(),
  }
}

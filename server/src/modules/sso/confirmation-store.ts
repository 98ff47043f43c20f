import { randomUUID } from 'node:crypto'
import type { Insertable, Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Connections that wait for their user to confirm them. */
export function createConfirmationStore(db: Kysely<Schema>) {
  return {
    /** In place of the one before: of each user one waits. */
    async putConfirmation(
      trx: Transaction<Schema>,
      row: Omit<Insertable<Schema['sso_confirmations']>, 'confirmation_id'>,
    ): Promise<void> {
      await trx
        .insertInto('sso_confirmations')
        .values({ confirmation_id: randomUUID(), ...row })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute()
    },

    confirmation: (userId: string, now: Date) =>
      db
        .selectFrom('sso_confirmations')
        .selectAll()
        .where('user_id', '=', userId)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    async takeConfirmation(trx: Transaction<Schema>, userId: string, secretHash: Buffer): Promise<boolean> {
      const taken = await trx
        .deleteFrom('sso_confirmations')
        .where('user_id', '=', userId)
        .where('secret_hash', '=', secretHash)
        .returning('user_id')
        .executeTakeFirst()
      return taken !== undefined
    },
  }
}

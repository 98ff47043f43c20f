import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export const nativeCredentialOf = async (db: Kysely<Schema>, userId: string): Promise<string | null> => {
  const row = await db
    .selectFrom('users')
    .select('native_credential')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.native_credential ?? null
}

/** False when the user has another password by now, or had no other credential. */
export async function setNativeCredential(
  trx: Transaction<Schema>,
  { userId, passwordHash }: { readonly userId: string; readonly passwordHash: string },
  sealed: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ native_credential: sealed })
    .where('user_id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** False when there was none. */
export async function endNativeCredential(trx: Transaction<Schema>, userId: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ native_credential: null })
    .where('user_id', '=', userId)
    .where('native_credential', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Some that an older key has sealed. */
export const nativeCredentialsNotSealedBy = (db: Kysely<Schema>, newestPrefix: string, most: number) =>
  db
    .selectFrom('users')
    .select(['user_id', 'native_credential'])
    .where('native_credential', 'is not', null)
    .where('native_credential', 'not like', `${newestPrefix}%`)
    .limit(most)
    .execute()

export const resealNativeCredential = (db: Kysely<Schema>, userId: string, sealed: string) =>
  db.updateTable('users').set({ native_credential: sealed }).where('user_id', '=', userId).execute()

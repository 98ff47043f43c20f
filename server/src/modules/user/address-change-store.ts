import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** The one before it is forgotten: a user asks for one address at a time. */
export const putAddressChange = (
  trx: Transaction<Schema>,
  row: { readonly user_id: string; readonly email: string; readonly asked_at: Date },
) =>
  trx
    .insertInto('address_changes')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ email: row.email, asked_at: row.asked_at }),
    )
    .execute()

/** Undefined when no change is pending. */
export const askedAddress = async (db: Kysely<Schema>, userId: string): Promise<string | undefined> =>
  (await db.selectFrom('address_changes').select('email').where('user_id', '=', userId).executeTakeFirst())
    ?.email

export const forgetAddressChange = (db: Kysely<Schema>, userId: string) =>
  db.deleteFrom('address_changes').where('user_id', '=', userId).execute()

export const setAddress = (trx: Transaction<Schema>, userId: string, email: string) =>
  trx.updateTable('users').set({ email }).where('user_id', '=', userId).execute()

import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface ResetRequest {
  readonly account_id: string
  readonly email: string
}

export const insertResetRequest = (
  db: Kysely<Schema>,
  row: ResetRequest & { readonly request_id: string; readonly created_at: Date },
) => db.insertInto('password_reset_requests').values(row).execute()

/** The oldest request, locked until the transaction ends; undefined when none is left. */
export async function takeResetRequest(trx: Transaction<Schema>): Promise<ResetRequest | undefined> {
  const { rows } = await sql<ResetRequest>`
    delete from password_reset_requests where request_id = (
      select request_id from password_reset_requests order by created_at limit 1 for update skip locked
    ) returning account_id, email`.execute(trx)
  return rows[0]
}

import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type RequestRow = Selectable<Schema['integration_requests']>

/** Locks the account's row, so that requests of the same moment are counted one after the other. */
export async function openRequests(trx: Transaction<Schema>, accountId: string): Promise<number> {
  await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute()
  const { count } = await trx
    .selectFrom('integration_requests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('answered_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

export const insertRequest = (
  trx: Transaction<Schema>,
  row: Insertable<Schema['integration_requests']>,
): Promise<RequestRow> =>
  trx.insertInto('integration_requests').values(row).returningAll().executeTakeFirstOrThrow()

export const requestsOfUser = (db: Kysely<Schema>, userId: string, limit: number): Promise<RequestRow[]> =>
  db
    .selectFrom('integration_requests')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('request_id', 'desc')
    .limit(limit)
    .execute()

interface Asked {
  readonly isAnswered: boolean
  readonly limit: number
}

/** Of all accounts: those that wait, the oldest first, or those that were answered, the newest first. */
export const allRequests = (db: Kysely<Schema>, { isAnswered, limit }: Asked): Promise<RequestRow[]> =>
  db
    .selectFrom('integration_requests')
    .selectAll()
    .where('answered_at', isAnswered ? 'is not' : 'is', null)
    .orderBy('request_id', isAnswered ? 'desc' : 'asc')
    .limit(limit)
    .execute()

export const findRequest = (db: Kysely<Schema>, requestId: number): Promise<RequestRow | undefined> =>
  db.selectFrom('integration_requests').selectAll().where('request_id', '=', requestId).executeTakeFirst()

/** Undefined: there is none that still waits. */
export const answerRequest = (
  trx: Transaction<Schema>,
  requestId: number,
  answered: { readonly answer: string; readonly answered_at: Date },
): Promise<RequestRow | undefined> =>
  trx
    .updateTable('integration_requests')
    .set(answered)
    .where('request_id', '=', requestId)
    .where('answered_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const addressOf = async (trx: Transaction<Schema>, userId: string): Promise<string | null> =>
  (await trx.selectFrom('users').select('email').where('user_id', '=', userId).executeTakeFirst())?.email ??
  null

import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** The number of the next entry and the hash of the last; the row is locked until the transaction ends. */
export const nextInChain = (trx: Transaction<Schema>, accountId: string, headOfNone: string) =>
  trx
    .insertInto('audit_chains')
    .values({ account_id: accountId, entries: 1, head: headOfNone })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((eb) => ({ entries: eb('audit_chains.entries', '+', 1) })),
    )
    .returning(['entries', 'head'])
    .executeTakeFirstOrThrow()

export async function addToChain(
  trx: Transaction<Schema>,
  accountId: string,
  { number, entry, head }: { number: number; entry: string; head: string },
): Promise<void> {
  await trx.insertInto('audit_entries').values({ account_id: accountId, number, entry }).execute()
  await trx.updateTable('audit_chains').set({ head }).where('account_id', '=', accountId).execute()
}

/** Of one account, or of all that ever were. */
export const chainsOf = (db: Kysely<Schema>, accountId?: string) =>
  db
    .selectFrom('audit_chains')
    .selectAll()
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId ?? ''))
    .orderBy('account_id')
    .execute()

export const newestEntries = (db: Kysely<Schema>, accountId: string, limit: number) =>
  db
    .selectFrom('audit_entries')
    .select(['number', 'entry'])
    .where('account_id', '=', accountId)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()

export const pageOfEntries = (
  db: Kysely<Schema>,
  accountId: string,
  { after, until, limit }: Record<'after' | 'until' | 'limit', number>,
) =>
  db
    .selectFrom('audit_entries')
    .select(['number', 'entry'])
    .where('account_id', '=', accountId)
    .where('number', '>', after)
    .where('number', '<=', until)
    .orderBy('number')
    .limit(limit)
    .execute()

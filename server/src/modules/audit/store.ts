import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** The number of the last of the next entries and the hash of the last before them; the row is locked until the transaction ends. */
export const nextInChain = (
  trx: Transaction<Schema>,
  accountId: string,
  { headOfNone, count }: { headOfNone: string; count: number },
) =>
  trx
    .insertInto('audit_chains')
    .values({ account_id: accountId, entries: count, head: headOfNone })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({ entries: eb('audit_chains.entries', '+', count) })),
    )
    .returning(['entries', 'head'])
    .executeTakeFirstOrThrow()

/** In one INSERT. */
const ENTRIES_AT_ONCE = 1_000

export async function addToChain(
  trx: Transaction<Schema>,
  accountId: string,
  { entries, head }: { entries: readonly { number: number; entry: string }[]; head: string },
): Promise<void> {
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    const part = entries.slice(from, from + ENTRIES_AT_ONCE)
    await trx
      .insertInto('audit_entries')
      .values(part.map((one) => ({ account_id: accountId, ...one })))
      .execute()
  }
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

const PAGE = { entries: 500, bytes: 256 * 1024 }

/** Oldest first, behind one number up to another: as many as a page holds, and at least one. */
export async function pageOfEntries(
  db: Kysely<Schema>,
  accountId: string,
  { after, until }: Record<'after' | 'until', number>,
): Promise<{ number: number; entry: string }[]> {
  const { rows } = await sql<{ number: number; entry: string }>`
    select number, entry from (
      select number, entry, sum(octet_length(entry)) over (order by number) - octet_length(entry) as bytes_before
      from audit_entries where account_id = ${accountId} and number > ${after} and number <= ${until}
      order by number limit ${PAGE.entries}
    ) page where bytes_before < ${PAGE.bytes} order by number`.execute(db)
  return rows
}

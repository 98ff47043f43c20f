import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface NewMail {
  readonly mail_id: string
  readonly account_id: string | null
  readonly recipient: string
  readonly kind: string
  readonly details: string
  readonly created_at: Date
}

export interface Attempt {
  readonly now: Date
  readonly nextAt: Date
  readonly limit: number
}

/**
 * What is due, the accounts in turn: the first of each, then the second of each. Accounts that have any are found by
 * steps through an index, so that it takes no longer when one of them has very many. A row that is locked is read again
 * as it is by then, so that what somebody else took meanwhile is due for them alone.
 */
const dueInTurn = (now: Date, limit: number) => sql`
  with recursive holders (id) as (
    (select min(coalesce(account_id, '')) from mails where state = 'waiting')
    union all
    select (select min(coalesce(account_id, '')) from mails
      where state = 'waiting' and coalesce(account_id, '') > holders.id)
    from holders where holders.id is not null
  ), ranked as (
    select due.mail_id, due.next_attempt_at, due.position from holders cross join lateral (
      select mail_id, next_attempt_at, row_number() over (order by next_attempt_at) as position from mails
      where state = 'waiting' and coalesce(account_id, '') = holders.id and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit}
    ) due
  )
  select mails.mail_id from mails join ranked using (mail_id)
  where mails.state = 'waiting' and mails.next_attempt_at <= ${now}
  order by ranked.position, ranked.next_attempt_at limit ${limit} for update of mails skip locked`

export function createMailStore(db: Kysely<Schema>) {
  return {
    insert: (trx: Transaction<Schema>, mail: NewMail) =>
      trx
        .insertInto('mails')
        .values({ ...mail, state: 'waiting', next_attempt_at: mail.created_at })
        .execute(),

    /** Counted before they are tried: a server that dies in the middle has used the attempt up. */
    takeDue: ({ now, nextAt, limit }: Attempt) =>
      db
        .updateTable('mails')
        .set({ attempts: sql<number>`attempts + 1`, next_attempt_at: nextAt })
        .where(sql<boolean>`mail_id in (${dueInTurn(now, limit)})`)
        .returning(['mail_id', 'recipient', 'kind', 'details', 'attempts'])
        .execute(),

    setSent: (mailId: string, at: Date) =>
      db
        .updateTable('mails')
        .set({ state: 'sent', details: null, ended_at: at, error: null })
        .where('mail_id', '=', mailId)
        .execute(),

    /** The details stay: the operator reads them. */
    setKept: (mailId: string, at: Date) =>
      db.updateTable('mails').set({ state: 'kept', ended_at: at }).where('mail_id', '=', mailId).execute(),

    setRetry: (mailId: string, error: string, nextAt: Date) =>
      db.updateTable('mails').set({ error, next_attempt_at: nextAt }).where('mail_id', '=', mailId).execute(),

    setFailed: (mailId: string, error: string, at: Date) =>
      db
        .updateTable('mails')
        .set({ state: 'failed', error, details: null, ended_at: at })
        .where('mail_id', '=', mailId)
        .execute(),

    newest: (limit: number) =>
      db
        .selectFrom('mails')
        .select(['mail_id', 'recipient', 'kind', 'details', 'state', 'attempts', 'created_at', 'error'])
        .orderBy('created_at', 'desc')
        .orderBy('mail_id', 'desc')
        .limit(limit)
        .execute(),

    /** By another key than the one with this prefix. */
    sealedByOthers: (newestPrefix: string, limit: number) =>
      db
        .selectFrom('mails')
        .select(['mail_id', 'details'])
        .where('details', 'is not', null)
        .where('details', 'not like', `${newestPrefix}%`)
        .limit(limit)
        .execute(),

    /** Only if it has not changed since. */
    reseal: (mailId: string, before: string, details: string) =>
      db
        .updateTable('mails')
        .set({ details })
        .where('mail_id', '=', mailId)
        .where('details', '=', before)
        .execute(),

    deleteBefore: (createdAt: Date) =>
      db.deleteFrom('mails').where('created_at', '<', createdAt).where('state', '!=', 'waiting').execute(),
  }
}

export type MailStore = ReturnType<typeof createMailStore>

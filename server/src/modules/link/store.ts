import type { Insertable, Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

interface Link {
  readonly purpose: string
  readonly tokenHash: Buffer
}

export const insertLink = (db: Kysely<Schema>, row: Insertable<Schema['links']>) =>
  db.insertInto('links').values(row).execute()

/** All for the subject that are still good. */
export const expireLinks = (
  db: Kysely<Schema>,
  { purposes, subject, at }: { purposes: readonly string[]; subject: string; at: Date },
) =>
  db
    .updateTable('links')
    .set({ expires_at: at })
    .where('purpose', 'in', purposes)
    .where('subject', '=', subject)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .execute()

/** Of two at once one finds nothing. */
export const useLink = (db: Kysely<Schema>, { purpose, tokenHash }: Link, at: Date) =>
  db
    .updateTable('links')
    .set({ used_at: at })
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('subject')
    .executeTakeFirst()

export const findLink = (db: Kysely<Schema>, { purpose, tokenHash }: Link) =>
  db
    .selectFrom('links')
    .select(['subject', 'used_at', 'expires_at'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .executeTakeFirst()

export const deleteLinksExpiredBefore = (db: Kysely<Schema>, at: Date) =>
  db.deleteFrom('links').where('expires_at', '<', at).execute()

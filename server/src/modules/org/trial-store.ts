import type { Insertable, Kysely, Transaction, Updateable } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export const insertTrial = (trx: Transaction<Schema>, row: Insertable<Schema['trials']>) =>
  trx.insertInto('trials').values(row).execute()

export const updateTrial = (
  trx: Transaction<Schema>,
  organisationId: string,
  change: Pick<Updateable<Schema['trials']>, 'end_told_at' | 'ended_at'>,
) => trx.updateTable('trials').set(change).where('organisation_id', '=', organisationId).execute()

export const hasOpenTrial = async (db: Kysely<Schema>, organisationId: string): Promise<boolean> =>
  (await db
    .selectFrom('trials')
    .select('organisation_id')
    .where('organisation_id', '=', organisationId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()) !== undefined

const due = (trx: Transaction<Schema>, endsBefore: Date) =>
  trx
    .selectFrom('trials')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('ends_at', '<=', endsBefore)
    .orderBy('ends_at')
    .limit(1)
    .forUpdate()
    .skipLocked()

/** One that is due, locked, so that nobody is notified twice. */
export const takeDue = (trx: Transaction<Schema>, endsBefore: Date) => due(trx, endsBefore).executeTakeFirst()

/** Undefined when it has ended, or somebody else is about to end it. */
export const lockOpenTrial = (trx: Transaction<Schema>, organisationId: string) =>
  trx
    .selectFrom('trials')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/** One that ends soon and whose users have not been notified. */
export const takeEndingSoon = (trx: Transaction<Schema>, endsBefore: Date) =>
  due(trx, endsBefore).where('end_told_at', 'is', null).executeTakeFirst()

export const trialOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('trials', 'trials.organisation_id', 'accounts.organisation_id')
    .select(['trials.started_at', 'trials.ends_at', 'trials.ended_at', 'accounts.delete_at'])
    .where('accounts.account_id', '=', accountId)
    .executeTakeFirst()

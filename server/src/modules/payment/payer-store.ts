import { type Kysely, sql, type Transaction } from 'kysely'
import { SHELL_STATES } from '@boathouse/contract'
import type { Schema } from '../../store/schema.ts'

/** The organisation that pays for an account. */
export const payerOf = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('accounts')
    .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
    .select([
      'organisations.organisation_id as organisationId',
      'organisations.name',
      'organisations.root_account_id as rootAccountId',
      'organisations.source',
      'organisations.identity',
    ])
    .where('accounts.account_id', '=', accountId)
    .executeTakeFirstOrThrow()

/** What decides how an organisation pays. */
export const originOf = (db: Kysely<Schema>, organisationId: string) =>
  db
    .selectFrom('organisations')
    .select(['source', 'identity'])
    .where('organisation_id', '=', organisationId)
    .executeTakeFirstOrThrow()

export type Payer = Awaited<ReturnType<typeof payerOf>>

export const rootAccountOf = async (db: Kysely<Schema>, organisationId: string): Promise<string | null> =>
  (
    await db
      .selectFrom('organisations')
      .select('root_account_id')
      .where('organisation_id', '=', organisationId)
      .executeTakeFirst()
  )?.root_account_id ?? null

/** Accounts with their names; also those that are not open, as they may have been. */
export const accountsOf = (db: Kysely<Schema>, organisationId: string) =>
  db
    .selectFrom('accounts')
    .select(['account_id', 'name'])
    .where('organisation_id', '=', organisationId)
    .orderBy('account_id')
    .execute()

export const trialOf = (db: Kysely<Schema>, organisationId: string) =>
  db
    .selectFrom('trials')
    .select(['started_at', 'ends_at', 'ended_at'])
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst()

/** Locked: one with a month that is over and not billed. */
export async function takeUnbilledOrganisation(trx: Transaction<Schema>, month: string) {
  const next = sql<string>`coalesce(periods.billed_until, date_trunc('month', organisations.created_at at time zone 'UTC')::date)`
  return trx
    .selectFrom('organisations')
    .leftJoin('billing_periods as periods', 'periods.organisation_id', 'organisations.organisation_id')
    .select([
      'organisations.organisation_id as organisationId',
      'organisations.name',
      'organisations.root_account_id as rootAccountId',
      'organisations.source',
      'organisations.identity',
      next.as('month'),
    ])
    .where('organisations.held_by_central', '=', false)
    .where(next, '<', sql<string>`${month}::date`)
    .orderBy('organisations.organisation_id')
    .limit(1)
    .forUpdate('organisations')
    .skipLocked()
    .executeTakeFirst()
}

export const setBilledUntil = (trx: Transaction<Schema>, organisationId: string, billed_until: string) =>
  trx
    .insertInto('billing_periods')
    .values({ organisation_id: organisationId, billed_until })
    .onConflict((conflict) => conflict.column('organisation_id').doUpdateSet({ billed_until }))
    .execute()

const FOR_MONEY = ['trial ended', 'unpaid']

/** Frozen without payment, with a card that has paid everything: they can be resumed. */
export const paidButFrozen = async (db: Kysely<Schema>, provider: string, limit: number): Promise<string[]> =>
  (
    await db
      .selectFrom('accounts')
      .innerJoin('payment_cards', 'payment_cards.organisation_id', 'accounts.organisation_id')
      .select('accounts.organisation_id')
      .distinct()
      .where('payment_cards.provider', '=', provider)
      .where('accounts.shell_state', 'in', [SHELL_STATES.Frozen, SHELL_STATES.FrozenForDeletion])
      .where('accounts.freeze_reason', 'in', FOR_MONEY)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('invoices')
              .select('invoice_id')
              .whereRef('invoices.organisation_id', '=', 'accounts.organisation_id')
              .where('state', 'in', ['open', 'charging', 'retrying', 'unpaid']),
          ),
        ),
      )
      .limit(limit)
      .execute()
  ).map((row) => row.organisation_id)

import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export interface NewSubscription {
  readonly organisationId: string
  readonly marketplace: string
  readonly customer: string
  readonly product: string
  readonly at: Date
}

/** From now on the marketplace bills what the organisation uses. */
export const beginSubscription = (trx: Transaction<Schema>, draft: NewSubscription) =>
  trx
    .insertInto('marketplace_subscriptions')
    .values({
      organisation_id: draft.organisationId,
      marketplace: draft.marketplace,
      customer: draft.customer,
      product: draft.product,
      began_at: draft.at,
    })
    .execute()

/** Organisations that pay there, in the order of their ids. */
export const subscribersOf = async (
  db: Kysely<Schema>,
  { marketplace, after, limit }: { marketplace: string; after: string | null; limit: number },
): Promise<string[]> =>
  (
    await db
      .selectFrom('marketplace_subscriptions')
      .select('organisation_id')
      .where('marketplace', '=', marketplace)
      .$if(after !== null, (query) => query.where('organisation_id', '>', after ?? ''))
      .orderBy('organisation_id')
      .limit(limit)
      .execute()
  ).map((row) => row.organisation_id)

/** Locked: one record of an organisation is made at a time. */
export const lockSubscription = (trx: Transaction<Schema>, organisationId: string) =>
  trx
    .selectFrom('marketplace_subscriptions')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .forUpdate()
    .executeTakeFirst()

export const setMeteredUnits = (trx: Transaction<Schema>, organisationId: string, units: bigint) =>
  trx
    .updateTable('marketplace_subscriptions')
    .set({ metered_units: String(units) })
    .where('organisation_id', '=', organisationId)
    .execute()

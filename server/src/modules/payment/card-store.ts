import type { Insertable, Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export const customerOf = (db: Kysely<Schema>, organisationId: string, provider: string) =>
  db
    .selectFrom('payment_customers')
    .select('customer_ref')
    .where('organisation_id', '=', organisationId)
    .where('provider', '=', provider)
    .executeTakeFirst()

/** The first one stays: cards are bound to it. */
export const keepCustomer = (db: Kysely<Schema>, row: Insertable<Schema['payment_customers']>) =>
  db
    .insertInto('payment_customers')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organisation_id', 'provider']).doNothing())
    .execute()

export const insertSetup = (db: Kysely<Schema>, row: Insertable<Schema['card_setups']>) =>
  db.insertInto('card_setups').values(row).execute()

export const setupBySecret = (db: Kysely<Schema>, organisationId: string, secretHash: Buffer) =>
  db
    .selectFrom('card_setups')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst()

export const setupByRef = (db: Kysely<Schema>, provider: string, setupRef: string) =>
  db
    .selectFrom('card_setups')
    .selectAll()
    .where('setup_ref', '=', setupRef)
    .where('provider', '=', provider)
    .executeTakeFirst()

export const openSetups = (db: Kysely<Schema>, provider: string, limit: number) =>
  db
    .selectFrom('card_setups')
    .selectAll()
    .where('state', '=', 'open')
    .where('provider', '=', provider)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()

/** False when somebody else has ended it. */
export const endSetup = async (
  trx: Kysely<Schema>,
  setupId: string,
  end: { state: 'bound' | 'failed'; at: Date },
): Promise<boolean> =>
  (await trx
    .updateTable('card_setups')
    .set({ state: end.state, ended_at: end.at })
    .where('setup_id', '=', setupId)
    .where('state', '=', 'open')
    .returning('setup_id')
    .executeTakeFirst()) !== undefined

export const failSetupsBefore = (db: Kysely<Schema>, before: Date, at: Date) =>
  db
    .updateTable('card_setups')
    .set({ state: 'failed', ended_at: at })
    .where('state', '=', 'open')
    .where('created_at', '<', before)
    .execute()

/** Only a card of this provider counts: after a change of providers a card has to be bound again. */
export const cardOf = (db: Kysely<Schema>, organisationId: string, provider: string) =>
  db
    .selectFrom('payment_cards')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('provider', '=', provider)
    .executeTakeFirst()

/** Cards that the provider can forget: those that nothing is being charged to, and nothing is about to be. */
export const cardsToDetach = async (
  db: Kysely<Schema>,
  { provider, before, limit }: { provider: string; before: Date; limit: number },
): Promise<string[]> =>
  (
    await db
      .selectFrom('replaced_cards')
      .select('card_ref')
      .where('provider', '=', provider)
      .where('replaced_at', '<=', before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('invoices')
              .select('invoice_id')
              .where('invoices.state', '=', 'charging')
              .whereRef('invoices.provider', '=', 'replaced_cards.provider')
              .whereRef('invoices.card_ref', '=', 'replaced_cards.card_ref'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('payment_cards')
              .select('organisation_id')
              .whereRef('payment_cards.provider', '=', 'replaced_cards.provider')
              .whereRef('payment_cards.card_ref', '=', 'replaced_cards.card_ref'),
          ),
        ),
      )
      .orderBy('replaced_at')
      .limit(limit)
      .execute()
  ).map((row) => row.card_ref)

export const forgetReplaced = (db: Kysely<Schema>, provider: string, cardRef: string) =>
  db.deleteFrom('replaced_cards').where('provider', '=', provider).where('card_ref', '=', cardRef).execute()

/** Behind all others. */
export const postponeReplaced = (
  db: Kysely<Schema>,
  { provider, cardRef, at }: { provider: string; cardRef: string; at: Date },
) =>
  db
    .updateTable('replaced_cards')
    .set({ replaced_at: at })
    .where('provider', '=', provider)
    .where('card_ref', '=', cardRef)
    .execute()

export const keepCard = (trx: Transaction<Schema>, row: Insertable<Schema['payment_cards']>) => {
  const { organisation_id: _, ...card } = row
  return trx
    .insertInto('payment_cards')
    .values(row)
    .onConflict((conflict) => conflict.column('organisation_id').doUpdateSet(card))
    .execute()
}

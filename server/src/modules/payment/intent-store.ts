import type { Kysely } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { IntentMemory } from '../../providers/payment/payment-provider.ts'
import type { Schema } from '../../store/schema.ts'

export const chargeKeyOf = async (db: Kysely<Schema>, intentRef: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('payment_intents')
      .select('charge_key')
      .where('intent_ref', '=', intentRef)
      .executeTakeFirst()
  )?.charge_key

/** Where a provider keeps under which intent something is charged. */
export function createIntentMemory({ db, clock }: { db: Kysely<Schema>; clock: Clock }): IntentMemory {
  const read = async (chargeKey: string): Promise<string | undefined> =>
    (
      await db
        .selectFrom('payment_intents')
        .select('intent_ref')
        .where('charge_key', '=', chargeKey)
        .executeTakeFirst()
    )?.intent_ref
  return {
    read,
    async keep(chargeKey, intentRef, instead) {
      const row = { charge_key: chargeKey, intent_ref: intentRef, created_at: clock.now() }
      if (instead === undefined)
        await db
          .insertInto('payment_intents')
          .values(row)
          .onConflict((conflict) => conflict.column('charge_key').doNothing())
          .execute()
      else
        await db
          .updateTable('payment_intents')
          .set(row)
          .where('charge_key', '=', chargeKey)
          .where('intent_ref', '=', instead)
          .execute()
      return (await read(chargeKey)) ?? intentRef
    },
  }
}

import type { Kysely } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { LocalMemory } from '../../providers/payment/local-payments.ts'
import type { Schema } from '../../store/schema.ts'

/** Where the local payment provider keeps what another one keeps elsewhere. */
export function createLocalMemory({ db, clock }: { db: Kysely<Schema>; clock: Clock }): LocalMemory {
  const read = async (id: string): Promise<unknown> =>
    (await db.selectFrom('local_payments').select('data').where('object_id', '=', id).executeTakeFirst())
      ?.data
  const row = (id: string, data: object) => ({
    object_id: id,
    data: JSON.stringify(data),
    changed_at: clock.now(),
  })
  return {
    read,
    async writeOnce(id, data) {
      await db
        .insertInto('local_payments')
        .values(row(id, data))
        .onConflict((conflict) => conflict.column('object_id').doNothing())
        .execute()
      return read(id)
    },
    async write(id, data) {
      const { object_id: _, ...change } = row(id, data)
      await db
        .insertInto('local_payments')
        .values(row(id, data))
        .onConflict((conflict) => conflict.column('object_id').doUpdateSet(change))
        .execute()
    },
  }
}

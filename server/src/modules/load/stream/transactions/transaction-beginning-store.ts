import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../../store/schema.ts'
import { type NewStream, rowOf } from '../label-rows-store.ts'
import { lockStaging } from './transaction-lock-store.ts'

interface NewTransaction extends NewStream {
  readonly expiresAt: Date
  readonly idleSeconds: number | null
  /** That it names when it begins. */
  readonly tables: readonly string[]
  readonly isOfOneTable: boolean
}

export interface MostOpen {
  readonly ofUser: number
  readonly ofAccount: number
}

/** Transactions that begin, within what may be under way. */
export function createTransactionBeginnings(db: Kysely<Schema>) {
  return {
    /** Takes its label; `taken`: another load has it. */
    begin: (one: NewTransaction, most: MostOpen): Promise<number | 'taken' | keyof MostOpen> =>
      db.transaction().execute(async (trx) => {
        await lockStaging(trx, one.accountId)
        const { user, account } = await trx
          .selectFrom('load_tasks')
          .select(sql<number>`count(*)::int`.as('account'))
          .select(sql<number>`count(*) filter (where user_id = ${one.userId})::int`.as('user'))
          .where('account_id', '=', one.accountId)
          .where('stage', 'is not', null)
          .executeTakeFirstOrThrow()
        if (user >= most.ofUser) return 'ofUser'
        if (account >= most.ofAccount) return 'ofAccount'
        const more = {
          stage: 'open',
          tables: [...one.tables],
          expires_at: one.expiresAt,
          idle_seconds: one.idleSeconds,
          is_of_one_table: one.isOfOneTable,
          active_at: one.at,
        }
        const row = await trx
          .insertInto('load_tasks')
          .values({ ...rowOf(one), ...more })
          .onConflict((conflict) => conflict.doNothing())
          .returning('transaction_id')
          .executeTakeFirst()
        return row?.transaction_id ?? 'taken'
      }),
  }
}

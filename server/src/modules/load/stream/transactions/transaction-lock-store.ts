import { sql, type Transaction } from 'kysely'
import type { Schema } from '../../../../store/schema.ts'
import { catalogNow } from '../../task-change-store.ts'

/** What is happening to a transaction that is not over. */
export type Stage = 'open' | 'preparing' | 'prepared' | 'committing'

/** Of one account, what counts and reserves is done by one at a time. */
export const lockStaging = (trx: Transaction<Schema>, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`load transactions ${accountId}`}, 0))`.execute(trx)

/** The row, locked for a change, if it is at one of these stages. */
export const lockedAt = (trx: Transaction<Schema>, taskId: string, stages: readonly Stage[]) =>
  trx
    .selectFrom('load_tasks')
    .selectAll('load_tasks')
    .select(catalogNow())
    .where('task_id', '=', taskId)
    .where('stage', 'in', stages)
    .forUpdate()
    .executeTakeFirst()

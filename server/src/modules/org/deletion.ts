import { LIMITS } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { SERVICE } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { deleteStatementsOf } from '../query/history/deletion-store.ts'
import { type AccountRow, beginPurge, deleteAccountRows, releasedBefore } from './account-store.ts'
import { lockAccount, statesOf } from './move-account.ts'

const DELAY_MS = LIMITS.deletionDelayHours * 3_600_000
const AT_ONCE = 5

export interface DeletionOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly suspendWarehouses: (accountId: string) => Promise<void>
  /** Ends the account's engine permanently and removes its folder. */
  readonly removeData: (accountId: string) => Promise<void>
  /** In the transaction that deletes its rows, before they go. */
  readonly beforeDeleted?: ((trx: Transaction<Schema>, account: AccountRow) => Promise<void>) | undefined
}

/** All but its log. */
async function deleteRows(
  trx: Transaction<Schema>,
  accountId: string,
  { at, before }: { at: Date; before: DeletionOptions['beforeDeleted'] },
): Promise<void> {
  const row = await lockAccount(trx, accountId)
  await before?.(trx, row)
  await deleteAccountRows(trx, row, at)
  await recordAudit(trx, {
    accountId,
    at,
    by: SERVICE,
    action: 'account.delete',
    object: { type: 'account', id: accountId, name: row.name },
    before: { ...statesOf(row) },
    after: null,
  })
}

/**
 * Deletes accounts that were released. Each step can be repeated: after a crash between any two, the next run
 * continues.
 */
export function createDeletion(options: DeletionOptions) {
  const { db, clock, suspendWarehouses, removeData, beforeDeleted: before } = options
  async function deleteAccount(accountId: string): Promise<void> {
    if (!(await beginPurge(db, accountId, clock.now()))) return
    await suspendWarehouses(accountId)
    await removeData(accountId)
    await deleteStatementsOf(db, accountId)
    await db.transaction().execute((trx) => deleteRows(trx, accountId, { at: clock.now(), before }))
  }

  return {
    /** The server of its region has deleted it: nothing is left here but its row, and its usage. */
    deleteGone: (accountId: string): Promise<void> =>
      db.transaction().execute((trx) => deleteRows(trx, accountId, { at: clock.now(), before })),

    async deleteDue(): Promise<void> {
      const before = new Date(clock.now().getTime() - DELAY_MS)
      for (const accountId of await releasedBefore(db, before, AT_ONCE)) await deleteAccount(accountId)
    },
  }
}

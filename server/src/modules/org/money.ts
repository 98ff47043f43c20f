import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { type Author, SERVICE } from '../audit/author.ts'
import { lockAccountsOf } from './account-store.ts'
import { moveAccount, type MoveOrder, statesOf } from './move-account.ts'
import { administratorsOf } from './organisation-store.ts'
import { type MoveName, statesAfter } from './states.ts'

/** Mails about money go to as many administrators. */
const READERS = 20

export const readersOfBills = (trx: Transaction<Schema>, organisationId: string) =>
  administratorsOf(trx, organisationId, READERS)

interface Order {
  readonly organisationId: string
  readonly move: Extract<MoveName, 'freeze' | 'freeze until deletion' | 'resume'>
  readonly at: Date
  readonly by?: Author
  readonly reason?: MoveOrder['reason']
  /** Only accounts that were frozen for one of these. */
  readonly frozenFor?: readonly (string | null)[]
}

/** Every account of the organisation that can be moved so, in the order of their ids, as their logs are written. */
export async function moveAccountsOf(trx: Transaction<Schema>, order: Order): Promise<string[]> {
  const { organisationId, move, at, by = SERVICE, reason, frozenFor } = order
  const rows = await lockAccountsOf(trx, organisationId)
  const movable = rows.filter(
    (row) =>
      statesAfter(statesOf(row), move) !== null && (!frozenFor || frozenFor.includes(row.freeze_reason)),
  )
  for (const { account_id: accountId } of movable)
    await moveAccount(trx, { accountId, move, by, at, ...(reason ? { reason } : {}) })
  return movable.map((row) => row.account_id)
}

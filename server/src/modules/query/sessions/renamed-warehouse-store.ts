import type { Transaction } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

/** Sessions name their warehouse: they follow when it is renamed, in the transaction that renames it. */
export const followRenamedWarehouse = (
  trx: Transaction<Schema>,
  accountId: string,
  name: { before: string; after: string },
) =>
  trx
    .updateTable('connections')
    .set({ warehouse: name.after })
    .where('account_id', '=', accountId)
    .where('warehouse', '=', name.before)
    .where('closed_at', 'is', null)
    .execute()

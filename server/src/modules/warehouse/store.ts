import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export function createWarehouseStore(db: Kysely<Schema>) {
  return {
    list: (accountId: string) =>
      db.selectFrom('warehouses').selectAll().where('account_id', '=', accountId).orderBy('name').execute(),

    setStatus: (accountId: string, change: { status: string; resumed_at?: Date }) =>
      db.updateTable('warehouses').set(change).where('account_id', '=', accountId).execute(),

    setAllStatus: (status: string) => db.updateTable('warehouses').set({ status }).execute(),
  }
}

export type WarehouseStore = ReturnType<typeof createWarehouseStore>

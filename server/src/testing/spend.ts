import { randomUUID } from 'node:crypto'
import type { TestApp } from './start-app.ts'

export interface Spending {
  readonly accountId?: string
  readonly warehouseId?: string
  readonly hour: Date
  readonly seconds: number
  readonly size?: string
  readonly usdPerCcu?: string
}

/** Metered seconds of a warehouse, as if it had run then. */
export async function spend(app: TestApp, spending: Spending): Promise<void> {
  const { accountId = app.accountId, warehouseId = randomUUID(), hour, seconds } = spending
  await app.store.db
    .insertInto('warehouse_usage')
    .values({
      account_id: accountId,
      warehouse_id: warehouseId,
      hour,
      size: spending.size ?? 'Medium',
      seconds,
      edition: 'standard',
      region: 'local-1',
      usd_per_ccu: spending.usdPerCcu ?? '1.580000',
    })
    .execute()
}

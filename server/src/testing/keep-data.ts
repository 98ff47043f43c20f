import { unitsOfHour } from '../modules/storage/prices.ts'
import { microUsdOf } from '../modules/warehouse/prices.ts'
import type { TestApp } from './start-app.ts'

export interface Keeping {
  readonly accountId?: string
  readonly hour: Date
  readonly bytes: number
  readonly usdPerGbMonth?: string
}

/** An hour of managed data, as if it had been measured then; answers what it costs, in units. */
export async function keepData(app: TestApp, keeping: Keeping): Promise<bigint> {
  const { accountId = app.accountId, hour, bytes, usdPerGbMonth = '0.025000' } = keeping
  const units = unitsOfHour({ hour, bytes, microUsd: microUsdOf(usdPerGbMonth) })
  await app.store.db
    .insertInto('storage_usage')
    .values({
      account_id: accountId,
      hour,
      bytes,
      edition: 'standard',
      region: 'local-1',
      usd_per_gb_month: usdPerGbMonth,
      units: Number(units),
    })
    .execute()
  return units
}

import type { Output, warehouse, WarehouseSize } from '@boathouse/contract'
import { ccuSeconds, costOf, microUsdOf } from './prices.ts'
import type { UsageStore } from './usage-store.ts'

/** WH-11 */
const TREND_DAYS = 7
const DAY_MS = 86_400_000

type DayRow = Awaited<ReturnType<UsageStore['byDay']>>[number]

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

function totalOf(rows: readonly DayRow[]) {
  const chargedSeconds = rows.reduce((sum, { seconds }) => sum + Number(seconds), 0)
  const used = rows.map(({ size, seconds, usd_per_ccu }) => ({
    weighedSeconds: ccuSeconds(size as WarehouseSize, Number(seconds)),
    microUsd: microUsdOf(usd_per_ccu),
  }))
  return { chargedSeconds, ...costOf(used) }
}

/** WH-06, WH-07, WH-10: this month so far, and the last seven days with today as the last. */
export async function usageOf(
  store: UsageStore,
  question: { warehouseId: string; now: Date },
): Promise<Output<typeof warehouse.usage>> {
  const { warehouseId, now } = question
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
  const days = Array.from({ length: TREND_DAYS }, (_, index) =>
    dayOf(new Date(now.getTime() - (TREND_DAYS - 1 - index) * DAY_MS)),
  )
  const firstDay = new Date(`${days[0] ?? dayOf(now)}T00:00:00Z`)
  const rows = await store.byDay(warehouseId, firstDay < month ? firstDay : month)
  return {
    monthToDate: {
      ...totalOf(rows.filter(({ day }) => day >= dayOf(month))),
      activeSeconds: await store.activeSeconds(warehouseId, month),
    },
    days: days.map((date) => ({
      date,
      ...totalOf(rows.filter(({ day }) => day === date)),
    })),
  }
}

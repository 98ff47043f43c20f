import type { Output, warehouse } from '@boathouse/contract'
import { costOfMicros, restOf } from './prices.ts'
import { usedOf } from './statement-costs.ts'
import type { UsageStore } from './usage-store.ts'

/** WH-11 */
const TREND_DAYS = 7
const DAY_MS = 86_400_000

type DayRow = Awaited<ReturnType<UsageStore['byDay']>>[number]

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const MICROS_PER_SECOND = 1_000_000n

function totalOf(rows: readonly DayRow[]) {
  const chargedSeconds = rows.reduce((sum, { seconds }) => sum + Number(seconds), 0)
  const all = rows.map((row) => usedOf(row, MICROS_PER_SECOND * BigInt(row.seconds)))
  const busy = rows.map((row) => usedOf(row, BigInt(row.busy_micros)))
  return { chargedSeconds, ...costOfMicros(all), idle: restOf(all, busy) }
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

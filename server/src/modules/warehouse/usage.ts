import { type Output, type warehouse, WAREHOUSE_SIZES, type WarehouseSize } from '@boathouse/contract'
import { type Cost, costOfMicros, microUsdOf, restOf, type UsedMicros } from './prices.ts'
import type { UsageStore } from './usage-store.ts'

/** WH-11 */
const TREND_DAYS = 7
const DAY_MS = 86_400_000

type DayRow = Awaited<ReturnType<UsageStore['byDay']>>[number]

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const MICROS_PER_SECOND = 1_000_000n

const usedOf = ({ size, usd_per_ccu }: Pick<DayRow, 'size' | 'usd_per_ccu'>, micros: bigint): UsedMicros => ({
  weighedMicros: BigInt(WAREHOUSE_SIZES[size as WarehouseSize]) * micros,
  microUsd: microUsdOf(usd_per_ccu),
})

/** What a statement cost: its share of the time of the warehouses that it ran in. */
export interface StatementCost extends Cost {
  readonly micros: number
}

/** Those that are not there have cost nothing, or nothing yet: the last second is counted a moment later. */
export async function costsOfStatements(
  store: Pick<UsageStore, 'ofStatements'>,
  queryIds: readonly string[],
): Promise<ReadonlyMap<string, StatementCost>> {
  if (queryIds.length === 0) return new Map()
  const rows = await store.ofStatements(queryIds)
  const costOfOne = (queryId: string): StatementCost => {
    const own = rows.filter((row) => row.query_id === queryId)
    const micros = own.reduce((sum, row) => sum + Number(row.micros), 0)
    return { ...costOfMicros(own.map((row) => usedOf(row, BigInt(row.micros)))), micros }
  }
  return new Map([...new Set(rows.map((row) => row.query_id))].map((id) => [id, costOfOne(id)]))
}

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

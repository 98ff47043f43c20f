import { WAREHOUSE_SIZES, type WarehouseSize } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { type Cost, costOfMicros, microUsdOf, type UsedMicros } from './prices.ts'
import { createUsageStore } from './usage-store.ts'

/** Time of a size at a price, as rows of usage tell both. */
export const usedOf = (
  { size, usd_per_ccu }: { readonly size: string; readonly usd_per_ccu: string },
  micros: bigint,
): UsedMicros => ({
  weighedMicros: BigInt(WAREHOUSE_SIZES[size as WarehouseSize]) * micros,
  microUsd: microUsdOf(usd_per_ccu),
})

/** A statement of which the cost is asked, as it was read before. */
export interface PricedStatement {
  readonly queryId: string
  /** In which it ran; null: in none. */
  readonly warehouseId: string | null
  /** Null: it still runs. */
  readonly endedAt: Date | null
}

/** What a statement cost: its own share of the time of the warehouses that it ran in. Idle time is in none of them. */
export interface StatementCost extends Cost {
  readonly micros: number
  /** False: it is what was counted so far. True: it never changes any more. */
  readonly isFinal: boolean
}

/**
 * The only place that calculates the price of a statement, so that it is the same everywhere. It is final once the
 * statement has ended and its warehouse is counted up to that moment: a slot is released before an end is written.
 * Shares and the moment up to which they are counted are one write, so shares read after the moment are complete.
 */
export async function costsOfStatements(
  db: Kysely<Schema>,
  statements: readonly PricedStatement[],
): Promise<ReadonlyMap<string, StatementCost>> {
  if (statements.length === 0) return new Map()
  const store = createUsageStore(db)
  const warehouses = [...new Set(statements.flatMap(({ warehouseId }) => warehouseId ?? []))]
  const running = warehouses.length > 0 ? await store.countedUntil(warehouses) : []
  const rows = await store.ofStatements(statements.map(({ queryId }) => queryId))
  const isCounted = (warehouseId: string | null, until: Date): boolean =>
    running.every(
      (run) => run.warehouse_id !== warehouseId || until <= run.started_at || until <= run.metered_until,
    )
  return new Map(
    statements.map(({ queryId, warehouseId, endedAt }) => {
      const own = rows.filter((row) => row.query_id === queryId)
      const micros = own.reduce((sum, row) => sum + Number(row.micros), 0)
      const isFinal = endedAt !== null && isCounted(warehouseId, endedAt)
      return [
        queryId,
        { ...costOfMicros(own.map((row) => usedOf(row, BigInt(row.micros)))), micros, isFinal },
      ]
    }),
  )
}

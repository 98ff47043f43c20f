import type { Input, Output, usage } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { microUsdOfUnits, usdOfMicros } from '../../kernel/money.ts'
import { gbMonthsText } from '../storage/prices.ts'
import { sumOfStored } from '../storage/service.ts'
import { amountOf, unitsOf, amountsOf } from './amounts.ts'
import type { SpanOf, UsageOptions } from './service.ts'
import type { UsageSums } from './store.ts'

const DAY_MS = 86_400_000

const MOST_WAREHOUSES = 100

function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

/** Every day of the month so far, UTC. */
function daysUntil(from: Date, end: Date): string[] {
  const days = Math.ceil((end.getTime() - from.getTime()) / DAY_MS)
  return Array.from({ length: Math.max(0, days) }, (_, index) =>
    new Date(from.getTime() + index * DAY_MS).toISOString().slice(0, 10),
  )
}

/** What was used in a month, by day, account and warehouse. */
export function createSummary({
  store,
  storage,
  clock,
  spanOf,
}: Pick<UsageOptions, 'storage' | 'clock'> & { readonly store: UsageSums; readonly spanOf: SpanOf }) {
  return {
    async summary(
      actor: Actor,
      question: Input<typeof usage.summary>,
    ): Promise<Output<typeof usage.summary>> {
      const { isRoot, accounts, span } = await spanOf(actor, question)
      const byDay = await store.byDay(span)
      const byWarehouse = await store.byWarehouse(span)
      const ofDay = grouped(byDay, (row) => row.day)
      const ofAccount = grouped(byWarehouse, (row) => row.account_id)
      const end = span.until < clock.now() ? span.until : clock.now()
      const warehouses = [...grouped(byWarehouse, (row) => row.warehouse_id).values()].flatMap((rows) => {
        const [first] = rows
        if (!first) return []
        const { account_id: accountId, warehouse_id: warehouseId, name } = first
        return [{ ...amountOf(rows), accountId, warehouseId, name }]
      })
      const stored = await storage.stored(span.accountIds, span.from, span.until)
      const kept = sumOfStored(stored)
      const storedOfDay = grouped(stored, (one) => one.day)
      const storedOfAccount = grouped(stored, (one) => one.accountId)
      return {
        isRoot,
        total: amountOf(byDay),
        storage: {
          gbMonths: gbMonthsText(kept.byteHours, question.month),
          usd: usdOfMicros(microUsdOfUnits(kept.units)),
        },
        totalUsd: usdOfMicros(microUsdOfUnits(unitsOf(byDay) + kept.units)),
        days: amountsOf(
          daysUntil(span.from, end).map((date) => ({
            name: { date },
            used: ofDay.get(date) ?? [],
            kept: storedOfDay.get(date) ?? [],
          })),
        ),
        accounts: amountsOf(
          accounts.map(({ account_id: accountId, name }) => ({
            name: { accountId, name },
            used: ofAccount.get(accountId) ?? [],
            kept: storedOfAccount.get(accountId) ?? [],
          })),
        ),
        warehouses: warehouses
          .sort((one, other) => Number(other.usd) - Number(one.usd) || one.name.localeCompare(other.name))
          .slice(0, MOST_WAREHOUSES),
      }
    },
  }
}

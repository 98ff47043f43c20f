import {
  type Input,
  LIMITS,
  type Output,
  type usage,
  type UsageAmount,
  type WarehouseSize,
} from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { microUsdOfParts, microUsdOfUnits, type Units, usdOfMicros } from '../../kernel/money.ts'
import type { Schema } from '../../store/schema.ts'
import { gbMonthsText } from '../storage/prices.ts'
import { type Storage, type StoredSum, sumOfStored } from '../storage/service.ts'
import { ccuSeconds, costOf, microUsdOf, usdAmount } from '../warehouse/prices.ts'
import { createExplained } from './explained.ts'
import { createUsageSums, type Span, spentTrials } from './store.ts'

const DAY_MS = 86_400_000
const MOST_WAREHOUSES = 100

interface Sum {
  readonly size: string
  readonly usd_per_ccu: string
  readonly seconds: number
}

const amountOf = (sums: readonly Sum[]): UsageAmount => ({
  chargedSeconds: sums.reduce((all, { seconds }) => all + seconds, 0),
  ...costOf(
    sums.map(({ size, seconds, usd_per_ccu }) => ({
      weighedSeconds: ccuSeconds(size as WarehouseSize, seconds),
      microUsd: microUsdOf(usd_per_ccu),
    })),
  ),
})

const unitsOf = (sums: readonly Sum[]): Units =>
  sums.reduce(
    (all, { size, seconds, usd_per_ccu }) =>
      all + BigInt(ccuSeconds(size as WarehouseSize, seconds)) * BigInt(microUsdOf(usd_per_ccu)),
    0n,
  )

function grouped<R>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

const amountOfStored = ({ units }: { units: string }): UsageAmount => ({
  chargedSeconds: 0,
  ccu: '0',
  usd: usdAmount(microUsdOfUnits(BigInt(units))),
})

/** Every day of a month that has begun, UTC. */
function daysUntil(from: Date, end: Date): string[] {
  const days = Math.ceil((end.getTime() - from.getTime()) / DAY_MS)
  return Array.from({ length: Math.max(0, days) }, (_, index) =>
    new Date(from.getTime() + index * DAY_MS).toISOString().slice(0, 10),
  )
}

export interface UsageSpan {
  readonly isRoot: boolean
  readonly accounts: readonly { readonly account_id: string; readonly name: string }[]
  readonly span: Span
}

/** What a part of a month used: of warehouses, and of storage. */
interface Part<N> {
  readonly name: N
  readonly used: readonly Sum[]
  readonly kept: readonly StoredSum[]
}

/** Compute and storage of each part add up to those of all, and to what is told beside them, to the last place. */
function amountsOf<N>(parts: readonly Part<N>[]) {
  const ofCompute = microUsdOfParts(parts.map(({ used }) => unitsOf(used)))
  const ofStorage = microUsdOfParts(parts.map(({ kept }) => sumOfStored(kept).units))
  return parts.map(({ name, used }, index) => {
    const [compute, stored] = [ofCompute[index] ?? 0n, ofStorage[index] ?? 0n]
    return {
      ...name,
      ...amountOf(used),
      usd: usdAmount(compute),
      storageUsd: usdAmount(stored),
      totalUsd: usdAmount(compute + stored),
    }
  })
}

/** What was used, by whom and when; of all accounts of the organisation for its root account, else of the own one. */
export interface UsageOptions {
  readonly db: Kysely<Schema>
  readonly storage: Pick<Storage, 'stored'>
  readonly clock: Clock
}

export function createUsage({ db, storage, clock }: UsageOptions) {
  const store = createUsageSums(db)

  async function spanOf(
    actor: Actor,
    { month, accountId }: { month: string; accountId?: string | undefined },
  ): Promise<UsageSpan> {
    const { organisation_id, root_account_id } = await store.organisationOf(actor.accountId)
    const isRoot = root_account_id === actor.accountId
    const accounts = (await store.accountsOf(organisation_id)).filter(
      (one) => isRoot || one.account_id === actor.accountId,
    )
    const asked = accounts.filter((one) => accountId === undefined || one.account_id === accountId)
    if (asked.length === 0)
      throw new AppError('NotFound', `There is no account ${accountId}, or you may not see it.`)
    const from = new Date(`${month}-01T00:00:00Z`)
    const until = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1))
    return { isRoot, accounts: asked, span: { accountIds: asked.map((one) => one.account_id), from, until } }
  }

  return {
    ...createExplained({
      db,
      spanOf,
      warehouseNames: async (ids) =>
        new Map((await store.warehouseNames(ids)).map((row) => [row.warehouse_id, row.name])),
    }),

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

    async details(
      actor: Actor,
      question: Input<typeof usage.details>,
    ): Promise<Output<typeof usage.details>> {
      const { accounts, span } = await spanOf(actor, question)
      const { total, rows } = await store.details(span, question)
      const nameOf = new Map(accounts.map((one) => [one.account_id, one.name]))
      return {
        total,
        rows: rows.map((row) => ({
          ...(row.warehouse_id === null ? amountOfStored(row) : amountOf([row])),
          date: row.day,
          accountId: row.account_id,
          account: nameOf.get(row.account_id) ?? row.account_id,
          warehouseId: row.warehouse_id,
          warehouse: row.name,
          size: row.size,
          gbMonths: row.warehouse_id === null ? gbMonthsText(BigInt(row.byte_hours), row.day) : null,
          price: costOf([{ weighedSeconds: 3_600, microUsd: microUsdOf(row.usd_per_ccu) }]).usd,
        })),
      }
    },

    /** What these accounts used between two moments: CCUs, and what these and storage cost. */
    async used(
      accountIds: readonly string[],
      from: Date,
      until: Date,
    ): Promise<{ readonly ccu: string; readonly units: Units }> {
      const sums = accountIds.length === 0 ? [] : await store.total({ accountIds, from, until })
      const kept = sumOfStored(await storage.stored(accountIds, from, until))
      return { ccu: amountOf(sums).ccu, units: unitsOf(sums) + kept.units }
    },

    spentTrials: (trx: Transaction<Schema>, limit: number) =>
      spentTrials(trx, { usd: LIMITS.trialUsd, limit }),
  }
}

export type Usage = ReturnType<typeof createUsage>

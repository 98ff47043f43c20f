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
import type { Schema } from '../../store/schema.ts'
import { gbMonthsText } from '../storage/prices.ts'
import type { Storage, StoredSum } from '../storage/service.ts'
import { ccuSeconds, costOf, microUsdOf, usdText } from '../warehouse/prices.ts'
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

function grouped<R extends Sum>(rows: readonly R[], keyOf: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

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

const UNITS_PER_MICRO_USD = 3_600n
const roundedMicros = (units: bigint): bigint => (units + UNITS_PER_MICRO_USD / 2n) / UNITS_PER_MICRO_USD

const sumOfStored = (sums: ReadonlyMap<string, StoredSum>): StoredSum =>
  [...sums.values()].reduce(
    (all, one) => ({ byteHours: all.byteHours + one.byteHours, units: all.units + one.units }),
    { byteHours: 0n, units: 0n },
  )

const usdOfMicros = (micros: bigint): string => usdText(Number(micros))

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
      throw new AppError('NotFound', `There is no account ${accountId} that you may see.`)
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
      const total = amountOf(byDay)
      const kept = sumOfStored(await storage.stored(span.accountIds, span.from, span.until))
      const storageMicros = roundedMicros(kept.units)
      return {
        isRoot,
        total,
        storage: {
          gbMonths: gbMonthsText(kept.byteHours, question.month),
          usd: usdOfMicros(storageMicros),
        },
        totalUsd: usdOfMicros(BigInt(microUsdOf(total.usd)) + storageMicros),
        days: daysUntil(span.from, end).map((date) => ({ date, ...amountOf(ofDay.get(date) ?? []) })),
        accounts: accounts.map(({ account_id: accountId, name }) => ({
          accountId,
          name,
          ...amountOf(ofAccount.get(accountId) ?? []),
        })),
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
          ...amountOf([row]),
          date: row.day,
          accountId: row.account_id,
          account: nameOf.get(row.account_id) ?? row.account_id,
          warehouseId: row.warehouse_id,
          warehouse: row.name,
          size: row.size,
          usdPerCcu: costOf([{ weighedSeconds: 3_600, microUsd: microUsdOf(row.usd_per_ccu) }]).usd,
        })),
      }
    },

    /** Of these accounts between two moments. */
    used: async (accountIds: readonly string[], from: Date, until: Date): Promise<UsageAmount> =>
      amountOf(accountIds.length === 0 ? [] : await store.total({ accountIds, from, until })),

    /** What the storage of these accounts cost between two moments, in millionths of a USD. */
    storedMicros: async (accountIds: readonly string[], from: Date, until: Date): Promise<number> =>
      Number(roundedMicros(sumOfStored(await storage.stored(accountIds, from, until)).units)),

    spentTrials: (trx: Transaction<Schema>, limit: number) =>
      spentTrials(trx, { usd: LIMITS.trialUsd, limit }),
  }
}

export type Usage = ReturnType<typeof createUsage>

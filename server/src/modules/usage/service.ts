import { type Input, LIMITS, type Output, type usage } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Units } from '../../kernel/money.ts'
import type { Schema } from '../../store/schema.ts'
import { gbMonthsText } from '../storage/prices.ts'
import { type Storage, sumOfStored } from '../storage/service.ts'
import { costOf, microUsdOf } from '../warehouse/prices.ts'
import { createExplained } from './explained.ts'
import { createUsageSums, type Span, spentTrials } from './store.ts'
import { amountOf, unitsOf, amountOfStored } from './amounts.ts'
import { createSummary } from './summary.ts'

export interface UsageSpan {
  readonly isRoot: boolean
  readonly accounts: readonly { readonly account_id: string; readonly name: string }[]
  readonly span: Span
}

/** The span of a question, of the accounts that the requester can see. */
export type SpanOf = (
  actor: Actor,
  question: { month: string; accountId?: string | undefined },
) => Promise<UsageSpan>

export interface UsageOptions {
  readonly db: Kysely<Schema>
  readonly storage: Pick<Storage, 'stored'>
  readonly clock: Clock
}

/** What was used, by whom and when. The root account sees all accounts of the organisation, others see their own. */
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
    ...createSummary({ store, storage, clock, spanOf }),

    ...createExplained({
      db,
      spanOf,
      warehouseNames: async (ids) =>
        new Map((await store.warehouseNames(ids)).map((row) => [row.warehouse_id, row.name])),
    }),

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

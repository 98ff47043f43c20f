import { MESSAGE_TYPES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import type { Mails } from '../mail/service.ts'
import { writeMessages } from '../message/service.ts'
import type { Warehouses } from '../warehouse/service.ts'
import { refusalOf } from './limits.ts'
import { monthOf, nameOf, percentOf, spentUsd, stateOf, usdTextOf } from './spending.ts'
import { accountIdsOf, markNotified, nextBudgets, readersOf, type SpentBudget } from './store.ts'

const AT_ONCE = 100
/** Mails about a budget go to as many administrators. */
export const READERS = 20

export interface AlertOptions {
  readonly db: Kysely<Schema>
  readonly mails: Pick<Mails, 'write'>
  readonly warehouses: Pick<Warehouses, 'suspendOverBudget'>
  readonly clock: Clock
  readonly log: Log
}

/** Notifies of budgets that are nearly or entirely used up, once a month each, and suspends warehouses. */
export function createBudgetAlerts({ db, mails, warehouses, clock, log }: AlertOptions) {
  async function writeTo(trx: Transaction<Schema>, budget: SpentBudget, month: string): Promise<void> {
    const isReached = stateOf(budget) === 'reached'
    const accountId = budget.owner_account_id
    const readers = await readersOf(trx, accountId, READERS)
    for (const { email: to, account_name: accountName } of readers)
      if (to !== null)
        await mails.write(trx, {
          to,
          accountId,
          kind: 'budget',
          details: {
            accountId,
            accountName,
            what: nameOf(budget),
            month: month.slice(0, 7),
            usd: usdTextOf(BigInt(budget.micro_usd)),
            spentUsd: spentUsd(budget),
            percent: percentOf(budget),
            action: isReached ? (budget.action as 'warn' | 'stop' | 'suspend') : null,
          },
        })
    await writeMessages(trx, {
      accountId,
      userIds: readers.map((reader) => reader.user_id),
      type: isReached ? MESSAGE_TYPES.BudgetReached : MESSAGE_TYPES.BudgetWarning,
      at: clock.now(),
    })
  }

  /** The notification and the record of it are one transaction. */
  const tell = (budget: SpentBudget, month: string): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const reached = stateOf(budget) === 'reached' ? { reached_month: month } : {}
      if (await markNotified(trx, budget, { warned_month: month, ...reached }))
        await writeTo(trx, budget, month)
    })

  async function suspend(budget: SpentBudget, month: Date): Promise<void> {
    const accountIds =
      budget.account_id === null ? await accountIdsOf(db, budget.organisation_id) : [budget.account_id]
    for (const accountId of accountIds)
      await warehouses.suspendOverBudget({
        accountId,
        warehouseId: budget.warehouse_id,
        refusal: refusalOf(budget, month),
      })
  }

  async function look(budget: SpentBudget, from: Date): Promise<void> {
    const state = stateOf(budget)
    if (state === 'open') return
    const month = from.toISOString().slice(0, 10)
    const notifiedMonth = state === 'reached' ? budget.reached_month : budget.warned_month
    if (notifiedMonth !== month) await tell(budget, month)
    if (state === 'reached' && budget.action === 'suspend') await suspend(budget, from)
  }

  return {
    async lookAtAll(): Promise<void> {
      const month = monthOf(clock.now())
      let after: string | null = null
      for (;;) {
        const budgets: SpentBudget[] = await nextBudgets(db, { after, limit: AT_ONCE }, month)
        for (const budget of budgets)
          try {
            await look(budget, month.from)
          } catch (error) {
            log.error({ err: error, budget: budget.budget_id }, 'a budget could not be looked after')
          }
        after = budgets.at(-1)?.budget_id ?? null
        if (budgets.length < AT_ONCE) return
      }
    },
  }
}

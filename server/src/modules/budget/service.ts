import { randomUUID } from 'node:crypto'
import {
  type Budget,
  type budget,
  type BudgetAction,
  type Input,
  LIMITS,
  type Output,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { type AlertOptions, createBudgetAlerts, READERS } from './alerts.ts'
import type { BudgetLimits } from './limits.ts'
import { microUsdOfText, monthOf, percentOf, spentUsd, stateOf, usdTextOf } from './spending.ts'
import {
  type BudgetRow,
  budgetsSeenIn,
  countBudgets,
  deleteBudget,
  findAccount,
  findBudget,
  findWarehouse,
  organisationOf,
  putBudget,
  readersOf,
  type SpentBudget,
} from './store.ts'

type From = Caller & { readonly actor: Actor }

export interface BudgetOptions extends AlertOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly limits: Pick<BudgetLimits, 'forget'>
}

const shown = (row: SpentBudget, accountId: string): Budget => ({
  budgetId: row.budget_id,
  scope: row.account_id === null ? 'organisation' : row.warehouse_id === null ? 'account' : 'warehouse',
  accountId: row.account_id,
  accountName: row.account_name,
  warehouseId: row.warehouse_id,
  warehouseName: row.warehouse_name,
  usd: usdTextOf(BigInt(row.micro_usd)),
  warnPercent: row.warn_percent,
  action: row.action as BudgetAction,
  spentUsd: spentUsd(row),
  percent: percentOf(row),
  state: stateOf(row),
  mayChange: row.owner_account_id === accountId,
})

const logged = (row: BudgetRow | undefined) =>
  row
    ? {
        account: row.account_id,
        warehouse: row.warehouse_id,
        usd: usdTextOf(BigInt(row.micro_usd)),
        warnPercent: row.warn_percent,
        action: row.action,
      }
    : null

/** What may be spent in a month: of the organisation by its root account, else of the own account. */
export function createBudgets(options: BudgetOptions) {
  const { db, clock, limits } = options
  const alerts = createBudgetAlerts(options)

  async function requireScope(actor: Actor, { accountId, warehouseId }: Input<typeof budget.set>) {
    const { organisation_id, root_account_id } = await organisationOf(db, actor.accountId)
    const isRoot = root_account_id === actor.accountId
    if (accountId === undefined) {
      if (warehouseId !== undefined)
        throw new AppError('BadInput', 'accountId: Say of which account the warehouse is.')
      if (!isRoot)
        throw new AppError(
          'NoPermission',
          'A budget of the organisation is set in its root account. Here you can set one of this account.',
        )
      return organisation_id
    }
    const account = await findAccount(db, organisation_id, accountId)
    if (!account || (!isRoot && accountId !== actor.accountId))
      throw new AppError('NotFound', `There is no account ${accountId} for which you can set a budget.`)
    if (warehouseId !== undefined && !(await findWarehouse(db, accountId, warehouseId)))
      throw new AppError('NotFound', 'There is no such warehouse in this account.')
    return organisation_id
  }

  return {
    lookAtAll: alerts.lookAtAll,

    async list(actor: Actor): Promise<Output<typeof budget.list>> {
      const { organisation_id: organisationId, root_account_id } = await organisationOf(db, actor.accountId)
      const month = monthOf(clock.now())
      const { accountId } = actor
      const limit = 2 * LIMITS.budgetsPerAccount
      const readers = await readersOf(db, accountId, READERS)
      const rows = await budgetsSeenIn(db, { accountId, organisationId, limit }, month)
      return {
        isRoot: root_account_id === accountId,
        month: month.from.toISOString().slice(0, 7),
        budgets: rows.map((row) => shown(row, accountId)),
        unmailed: readers.flatMap(({ name, email }) => (email === null ? [name] : [])),
      }
    },

    async set(from: From, draft: Input<typeof budget.set>): Promise<string> {
      const { actor } = from
      const organisationId = await requireScope(actor, draft)
      const scope = { accountId: draft.accountId ?? null, warehouseId: draft.warehouseId ?? null }
      const budgetId = await db.transaction().execute(async (trx) => {
        const count = await countBudgets(trx, actor.accountId)
        const before = await findBudget(trx, { owner: actor.accountId, ...scope })
        if (!before && count >= LIMITS.budgetsPerAccount)
          throw new AppError(
            'LimitReached',
            `An account sets at most ${LIMITS.budgetsPerAccount} budgets. Remove one first.`,
          )
        const row = {
          budget_id: randomUUID(),
          organisation_id: organisationId,
          owner_account_id: actor.accountId,
          account_id: scope.accountId,
          warehouse_id: scope.warehouseId,
          micro_usd: Number(microUsdOfText(draft.usd)),
          warn_percent: draft.warnPercent,
          action: draft.action,
          created_at: clock.now(),
          warned_month: null,
          reached_month: null,
        }
        const { budget_id } = await putBudget(trx, row)
        await recordAudit(trx, {
          accountId: actor.accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'budget.set',
          object: { type: 'budget', id: budget_id },
          before: logged(before),
          after: logged(row),
        })
        return budget_id
      })
      limits.forget()
      return budgetId
    },

    async delete(from: From, budgetId: string): Promise<void> {
      const { actor } = from
      await db.transaction().execute(async (trx) => {
        const row = await deleteBudget(trx, actor.accountId, budgetId)
        if (!row) throw new AppError('NotFound', 'There is no such budget of this account.')
        await recordAudit(trx, {
          accountId: actor.accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'budget.delete',
          object: { type: 'budget', id: budgetId },
          before: logged(row),
          after: null,
        })
      })
      limits.forget()
    },
  }
}

export type Budgets = ReturnType<typeof createBudgets>

import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { AccountId } from './rules.ts'

/** What happens when a budget is used up; users are notified in any case. */
export const BudgetAction = z.enum(['warn', 'stop', 'suspend'])
export type BudgetAction = z.infer<typeof BudgetAction>

export const BudgetState = z.enum(['open', 'warned', 'reached'])
export type BudgetState = z.infer<typeof BudgetState>

export const Budget = z.object({
  budgetId: z.string(),
  scope: z.enum(['organisation', 'account', 'warehouse']),
  accountId: z.nullable(z.string()),
  accountName: z.nullable(z.string()),
  warehouseId: z.nullable(z.string()),
  warehouseName: z.nullable(z.string()),
  /** A month; USD with two places. */
  usd: z.string(),
  warnPercent: z.int(),
  action: BudgetAction,
  /** In this month. */
  spentUsd: z.string(),
  percent: z.int(),
  state: BudgetState,
  /** False: it was set in the root account. */
  mayChange: z.boolean(),
})
export type Budget = z.infer<typeof Budget>

export const BudgetUsd = z.string().check(
  z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Enter an amount in USD, for example 250 or 99.50'),
  z.refine((usd) => Number(usd) > 0, 'Enter an amount above zero'),
)

const needs = { roles: ['account_admin'] } as const

/** The root account sets budgets for the organisation and all its accounts, another one for itself. */
export const budget = {
  list: defineCall({
    path: '/budget/list',
    summary: 'List the budgets of this month for the account, with the amounts spent',
    needs,
    silent: true,
    input: z.object({}),
    output: z.object({
      isRoot: z.boolean(),
      /** `YYYY-MM`, UTC */
      month: z.string(),
      budgets: z.array(Budget),
      /** Administrators who have no mail address, and so get no mail about a budget. */
      unmailed: z.array(z.string()),
    }),
    fails: [],
  }),
  set: defineCall({
    path: '/budget/set',
    summary: 'Set or replace a monthly budget',
    needs,
    input: z.object({
      /** Left out: all accounts of the organisation. */
      accountId: z.optional(AccountId),
      /** Of this account; left out: all of them. */
      warehouseId: z.optional(z.uuid()),
      usd: BudgetUsd,
      warnPercent: z._default(z.int().check(z.gte(1), z.lte(100)), 80),
      action: z._default(BudgetAction, 'warn'),
    }),
    output: z.object({ budgetId: z.string() }),
    fails: ['NoPermission', 'NotFound', 'BadInput', 'LimitReached'],
  }),
  delete: defineCall({
    path: '/budget/delete',
    summary: 'Remove a budget of this account',
    needs,
    input: z.object({ budgetId: z.uuid() }),
    output: z.object({}),
    fails: ['NotFound'],
  }),
}

import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { AccountId } from './rules.ts'
import { StatementCost } from './statement-cost.ts'

const Month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Enter a month, for example 2026-11'))

const amount = { chargedSeconds: z.int(), ccu: z.string(), usd: z.string() }
/** Seconds that are charged, and what they cost. Decimal texts, exact: nothing is rounded twice. */
export const UsageAmount = z.object(amount)
export type UsageAmount = z.infer<typeof UsageAmount>

/** Of a whole: what no statement ran in, and what ran in it that is no longer kept. */
const cost = { ccu: z.string(), usd: z.string() }
const parts = {
  total: UsageAmount,
  /** Null when only the statements of one user were requested. */
  idle: z.nullable(z.object(cost)),
  forgotten: z.nullable(z.object(cost)),
  /**
   * Each row is rounded to the millionth, as everywhere. The difference, above or below zero: with it, rows, idle and
   * forgotten add up to the total.
   */
  rounding: z.object(cost),
  /** Of all pages. */
  count: z.int(),
}
const pages = {
  page: z._default(z.int().check(z.minimum(1), z.maximum(10_000)), 1),
  pageSize: z._default(z.int().check(z.minimum(1), z.maximum(100)), 20),
}

/** What storage cost, and together with compute. */
const withStorage = { ...amount, storageUsd: z.string(), totalUsd: z.string() }

const question = { month: Month, accountId: z.optional(AccountId) }
const accountAdmin = { roles: ['account_admin'] } as const
const USAGE_DETAILS_PER_PAGE = 50

/** The root account sees all accounts of the organisation, another one its own. */
export const usage = {
  summary: defineCall({
    path: '/usage/summary',
    summary: 'Get the usage of a month (UTC) in total, by day, by account and by warehouse',
    needs: accountAdmin,
    render: true,
    input: z.object(question),
    output: z.object({
      isRoot: z.boolean(),
      total: UsageAmount,
      /** Every day of the month up to today. */
      days: z.array(z.object({ ...withStorage, date: z.string() })),
      accounts: z.array(z.object({ ...withStorage, accountId: z.string(), name: z.string() })),
      /** The most costly first, at most 100. */
      warehouses: z.array(
        z.object({ ...amount, accountId: z.string(), warehouseId: z.string(), name: z.string() }),
      ),
      /** Managed data, measured every hour: GB kept for the month so far, and what that costs. */
      storage: z.object({ gbMonths: z.string(), usd: z.string() }),
      /** Compute and storage. */
      totalUsd: z.string(),
    }),
    fails: ['NotFound'],
  }),
  details: defineCall({
    path: '/usage/details',
    summary: 'List the usage of a month by day, warehouse or storage, size and price, newest first',
    needs: accountAdmin,
    silent: true,
    input: z.object({
      ...question,
      page: z._default(z.int().check(z.minimum(1), z.maximum(10_000)), 1),
      pageSize: z._default(z.int().check(z.minimum(1), z.maximum(200)), USAGE_DETAILS_PER_PAGE),
    }),
    output: z.object({
      total: z.int(),
      rows: z.array(
        z.object({
          ...amount,
          date: z.string(),
          accountId: z.string(),
          account: z.string(),
          /** Null: the storage of the account. */
          warehouseId: z.nullable(z.string()),
          warehouse: z.string(),
          size: z.string(),
          gbMonths: z.nullable(z.string()),
          /** USD for a CCU, or for a GB in a month. */
          price: z.string(),
        }),
      ),
    }),
    fails: ['NotFound'],
  }),
  /** Everything together is the total, to the last place. */
  byUser: defineCall({
    path: '/usage/by-user',
    summary: 'List the cost of a month by user, most expensive first',
    needs: accountAdmin,
    silent: true,
    input: z.object({ ...question, ...pages }),
    output: z.object({
      ...parts,
      users: z.array(
        z.object({
          ...cost,
          accountId: z.string(),
          account: z.string(),
          /** Null: of statements that are no longer kept. */
          user: z.nullable(z.string()),
          statements: z.int(),
        }),
      ),
    }),
    fails: ['NotFound'],
  }),
  byStatement: defineCall({
    path: '/usage/by-statement',
    summary: 'List the cost of a month, or of an hour, by statement, most expensive first',
    needs: accountAdmin,
    silent: true,
    input: z.object({
      ...question,
      ...pages,
      warehouseId: z.optional(z.uuid()),
      /** The beginning of an hour of the month. */
      hour: z.optional(z.iso.datetime()),
      user: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
    }),
    output: z.object({
      ...parts,
      statements: z.array(
        z.object({
          /** In this month or hour. */
          ...cost,
          /** All of it, as in the history: more than the above if it also ran in other hours. */
          cost: StatementCost,
          queryId: z.string(),
          accountId: z.string(),
          account: z.string(),
          warehouse: z.string(),
          user: z.nullable(z.string()),
          /** Its beginning; null in other accounts, and when it is no longer kept. */
          sql: z.nullable(z.string()),
          startedAt: z.nullable(z.string()),
          micros: z.int(),
        }),
      ),
    }),
    fails: ['NotFound', 'BadInput'],
  }),
}

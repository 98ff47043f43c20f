import { type PricedRun, query, warehouse } from '@boathouse/contract'
import { analyse } from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import type { Ask } from './agent.ts'

const HOUR_MS = 3_600_000

/** Of what a warehouse costs while it runs; null where that is not known. */
export async function usdPerHour(ask: Ask, name: string): Promise<number | null> {
  const { warehouses } = await ask(warehouse.list, {})
  const found = warehouses.find((one) => one.name === name)
  return found ? Number(found.offer.pricePerHour.usd) : null
}

/** As it is written in the history. A text of several statements has no cost of its own. */
export function statementIn(sql: string): string {
  const { count, statements } = analyse(sql, 1)
  const [statement] = statements
  if (!statement)
    throw new AppError(
      'BadInput',
      count === 0 ? 'sql: There is no statement in it.' : `sql: Send one statement; this text has ${count}.`,
    )
  return statement.text
}

export interface EarlierCosts {
  readonly runs: readonly PricedRun[]
  /** Of those whose cost is known, the one in the middle; null: of none. */
  readonly usd: number | null
  readonly seconds: number | null
}

const middle = (figures: readonly number[]): number | null =>
  [...figures].sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? null

export async function earlierCosts(ask: Ask, statement: string): Promise<EarlierCosts> {
  const { runs } = await ask(query.earlierRuns, { sql: statement })
  return {
    runs,
    usd: middle(runs.flatMap(({ usd }) => (usd === null ? [] : [Number(usd)]))),
    seconds: middle(runs.map(({ seconds }) => seconds)),
  }
}

/**
 * So long a statement can run for this money. Its share of the warehouse is at most all of it, so that what it has cost so
 * far is never more than this time allows.
 */
export const affordableMs = (usd: number, perHour: number): number =>
  perHour > 0 ? Math.max(1, Math.floor((usd / perHour) * HOUR_MS)) : Number.POSITIVE_INFINITY

/** Without an exponent, and with what is not zero of it. */
export const dollars = (usd: number): string =>
  `${usd.toLocaleString('en', { maximumSignificantDigits: 3, useGrouping: false })} USD`

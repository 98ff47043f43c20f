import type { BudgetState } from '@boathouse/contract'
import { UNITS_PER_MICRO_USD, usdOfUnits } from '../../kernel/money.ts'
import type { Month, SpentBudget } from './store.ts'

export const monthOf = (now: Date): Month => ({
  from: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)),
  until: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)),
})

/** `12.5` as millionths. */
export function microUsdOfText(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.')
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
}

export const usdTextOf = (microUsd: bigint): string => usdOfUnits(microUsd * UNITS_PER_MICRO_USD)

type Amounts = Pick<SpentBudget, 'spent_units' | 'micro_usd' | 'warn_percent'>

export const spentUsd = ({ spent_units }: Amounts): string => usdOfUnits(BigInt(spent_units))

/** Whole percents that are used up. */
export const percentOf = ({ spent_units, micro_usd }: Amounts): number =>
  Number((BigInt(spent_units) * 100n) / (BigInt(micro_usd) * UNITS_PER_MICRO_USD))

export function stateOf(budget: Amounts): BudgetState {
  const percent = percentOf(budget)
  return percent >= 100 ? 'reached' : percent >= budget.warn_percent ? 'warned' : 'open'
}

/** As people call it. */
export function nameOf({ account_name, warehouse_name, account_id }: SpentBudget): string {
  if (warehouse_name !== null) return `the warehouse ${warehouse_name}`
  return account_id === null ? 'the organisation' : `the account ${account_name ?? account_id}`
}

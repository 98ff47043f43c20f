import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { monthOf, nameOf, stateOf } from './spending.ts'
import { hasLimits, limitsOf, type SpentBudget } from './store.ts'

/** An account may be added to an organisation that has a budget; then it is known after this long. */
const KNOWN_MS = 10_000

export const refusalOf = (budget: SpentBudget, month: Date): AppError =>
  new AppError(
    'QuotaExceeded',
    `The budget of ${nameOf(budget)} for ${month.toISOString().slice(0, 7)} is used up. An account administrator can raise it on the page Usage & billing; the next month starts on the first at 00:00 UTC.`,
  )

/** Checked before the work: whether a warehouse may still spend. Accounts without a limit are cached. */
export function createBudgetLimits({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  const known = new Map<string, { readonly isLimited: boolean; readonly until: number }>()

  async function isLimited(accountId: string): Promise<boolean> {
    const now = clock.now().getTime()
    const before = known.get(accountId)
    if (before && before.until > now) return before.isLimited
    const found = await hasLimits(db, accountId)
    known.set(accountId, { isLimited: found, until: now + KNOWN_MS })
    return found
  }

  return {
    /** After a change. */
    forget: () => known.clear(),

    /** Throws QuotaExceeded when a budget that ends something is used up. */
    async requireBudget(accountId: string, warehouseId: string): Promise<void> {
      if (!(await isLimited(accountId))) return
      const month = monthOf(clock.now())
      const limits = await limitsOf(db, { accountId, warehouseId }, month)
      const reached = limits.find((one) => stateOf(one) === 'reached')
      if (reached) throw refusalOf(reached, month.from)
    },
  }
}

export type BudgetLimits = ReturnType<typeof createBudgetLimits>

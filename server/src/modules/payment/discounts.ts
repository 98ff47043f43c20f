import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { Author } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { discountsOf, insertDiscount } from './discount-store.ts'
import { dayText, monthAfter, monthOf } from './month.ts'
import { rootAccountOf } from './payer-store.ts'

export interface Discount {
  readonly basis_points: number
  readonly from_month: string
  readonly until_month: string | null
}

/** Of the month that begins on this day: of several, the first in the list counts. */
export const discountIn = (discounts: readonly Discount[], month: string): Discount | undefined =>
  discounts.find(
    ({ from_month, until_month }) => from_month <= month && (until_month === null || month < until_month),
  )

/** 1250 as 12.5 */
export const percentText = (basisPoints: number): string => String(basisPoints / 100)

export interface DiscountDraft {
  readonly organisationId: string
  readonly basisPoints: number
  /** `YYYY-MM`; undefined: from this month on. */
  readonly from?: string | undefined
  /** The last month; undefined: until another one is set. */
  readonly until?: string | undefined
}

/** Discounts are agreed with the operator. Closed months do not change. */
export function createDiscounts({ db, clock }: { db: Kysely<Schema>; clock: Clock }) {
  return {
    async set(draft: DiscountDraft, by: Author): Promise<{ from: string; until: string | null }> {
      const { organisationId, basisPoints } = draft
      const at = clock.now()
      const from = draft.from ? `${draft.from}-01` : dayText(monthOf(at))
      const until = draft.until ? dayText(monthAfter(new Date(`${draft.until}-01T00:00:00Z`))) : null
      if (until !== null && until <= from)
        throw new AppError('BadInput', 'until: The last month of a discount is not before its first.')
      await db.transaction().execute(async (trx) => {
        const accountId = await rootAccountOf(trx, organisationId)
        if (accountId === null) throw new AppError('NotFound', 'There is no such organisation.')
        const [before] = await discountsOf(trx, organisationId)
        await insertDiscount(trx, {
          discount_id: randomUUID(),
          organisation_id: organisationId,
          basis_points: basisPoints,
          from_month: from,
          until_month: until,
          set_at: at,
        })
        await recordAudit(trx, {
          accountId,
          at,
          by,
          action: 'discount.set',
          object: { type: 'organisation', id: organisationId },
          before: before ? { ...before } : null,
          after: { percent: percentText(basisPoints), from, until },
        })
      })
      return { from: from.slice(0, 7), until: draft.until ?? null }
    },
  }
}

import { AppError } from '../../kernel/app-error.ts'
import type { Marketplace } from '../../providers/marketplace/marketplace.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Author } from '../audit/author.ts'
import { moveAccountsOf, setMarketplace } from '../org/money.ts'
import { requireNothingUnpaid } from '../payment/owed.ts'
import { createMetering, type MeteringOptions } from './metering.ts'
import { recordsOf } from './record-store.ts'
import { createSending, type SendingOptions } from './sending.ts'
import { beginSubscription } from './subscription-store.ts'

export interface MarketplaceOptions extends MeteringOptions, SendingOptions {
  readonly marketplace: Marketplace
  /** Called after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
}

const UNIQUE_VIOLATION = '23505'
const MOST_LISTED = 1_000

interface Subscribing {
  readonly organisationId: string
  readonly customer: string
  readonly product: string
}

/** Organisations that pay through a marketplace: those that signed up there, and those that the operator makes such. */
export function createMarketplaces(options: MarketplaceOptions) {
  const { db, marketplace, clock, onMoved } = options

  async function subscribe(
    { organisationId, customer, product }: Subscribing,
    by: Author,
  ): Promise<string[]> {
    if (marketplace.id === 'none')
      throw new AppError(
        'Conflict',
        'No marketplace is connected to this installation. Set BOATHOUSE_MARKETPLACE first.',
      )
    return db.transaction().execute(async (trx) => {
      const at = clock.now()
      const order = { organisationId, by, at }
      await setMarketplace(trx, { ...order, customer })
      await requireNothingUnpaid(trx, organisationId)
      await beginSubscription(trx, { organisationId, marketplace: marketplace.id, customer, product, at })
      return moveAccountsOf(trx, { ...order, move: 'resume', frozenFor: ['trial ended'] })
    })
  }

  return {
    ...createMetering(options),
    ...createSending(options),

    list: async (organisationId: string | undefined) =>
      (await recordsOf(db, organisationId, MOST_LISTED)).map((row) => ({
        record: row.record_id,
        org: row.organisation_id,
        customer: row.customer,
        dimension: row.dimension,
        hour: row.hour,
        quantity: row.quantity,
        state: row.state,
        attempts: row.attempts,
        receipt: row.receipt,
        problem: row.problem,
      })),

    /** No card is required any more: what is used from now on, and what is on no invoice yet, is metered there. */
    async begin(draft: Subscribing, by: Author): Promise<{ resumed: string[] }> {
      try {
        const resumed = await subscribe(draft, by)
        onMoved(resumed)
        return { resumed }
      } catch (error) {
        if (errorCode(error) !== UNIQUE_VIOLATION) throw error
        throw new AppError('Conflict', `The customer ${draft.customer} pays for another organisation.`, {
          cause: error,
        })
      }
    },
  }
}

export type Marketplaces = ReturnType<typeof createMarketplaces>

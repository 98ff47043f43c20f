import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import { UNITS_PER_CENT } from '../../kernel/money.ts'
import type { Marketplace } from '../../providers/marketplace/marketplace.ts'
import type { Schema } from '../../store/schema.ts'
import { owedUnits } from '../payment/owed.ts'
import { insertRecord } from './record-store.ts'
import { lockSubscription, setMeteredUnits, subscribersOf } from './subscription-store.ts'

export interface MeteringOptions {
  readonly db: Kysely<Schema>
  readonly marketplace: Pick<Marketplace, 'id'>
  readonly dimension: string
  /** How the organisation pays at the moment. */
  readonly paysThere: (trx: Transaction<Schema>, organisationId: string) => Promise<boolean>
  /** Counts what runs up to now. */
  readonly meter: () => Promise<void>
  readonly clock: Clock
}

const HOUR_MS = 3_600_000
const AT_ONCE = 200

/**
 * Usage becomes records of whole cents, one for an hour. A record and what was metered with it are one transaction, before
 * anything is sent. So what is metered is what is owed, whatever breaks in between.
 */
export function createMetering(options: MeteringOptions) {
  const { db, marketplace, dimension, paysThere, clock } = options

  const recordFor = (organisationId: string, hourEnd: Date): Promise<void> =>
    db.transaction().execute(async (trx) => {
      const subscription = await lockSubscription(trx, organisationId)
      if (!subscription) return
      const owed = await owedUnits(trx, organisationId, { since: subscription.began_at, until: hourEnd })
      const metered = BigInt(subscription.metered_units)
      // What is paid by contract in the meantime is not the marketplace's.
      if (!(await paysThere(trx, organisationId)))
        return void (owed > metered && (await setMeteredUnits(trx, organisationId, owed)))
      const quantity = (owed - metered) / UNITS_PER_CENT
      if (quantity <= 0n) return
      const isNew = await insertRecord(trx, {
        record_id: randomUUID(),
        organisation_id: organisationId,
        marketplace: subscription.marketplace,
        customer: subscription.customer,
        product: subscription.product,
        dimension,
        hour: new Date(hourEnd.getTime() - HOUR_MS),
        quantity: Number(quantity),
        state: 'open',
        next_attempt_at: clock.now(),
      })
      if (isNew) await setMeteredUnits(trx, organisationId, metered + quantity * UNITS_PER_CENT)
    })

  return {
    /** Of the hour that is over, for everybody who pays there. */
    async makeRecords(): Promise<void> {
      const hourEnd = new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS)
      let after: string | null = null
      for (;;) {
        const ids = await subscribersOf(db, { marketplace: marketplace.id, after, limit: AT_ONCE })
        if (ids.length > 0 && after === null) await options.meter()
        for (const id of ids) await recordFor(id, hourEnd)
        after = ids.at(-1) ?? null
        if (ids.length < AT_ONCE) return
      }
    },
  }
}

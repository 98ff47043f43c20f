import type { Kysely } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import { type Edition, microUsdOf, usdText } from '../warehouse/prices.ts'
import { microUsdPerGbMonth, storageUnits } from './prices.ts'
import { addHour, isMetered, storedBy, termsOf } from './store.ts'

const HOUR_MS = 3_600_000

export interface StorageOptions {
  readonly db: Kysely<Schema>
  /** Accounts that have data here, and how many bytes of it. */
  readonly accountIds: () => Promise<readonly string[]>
  readonly storedBytes: (accountId: string) => Promise<number>
  readonly clock: Clock
  readonly log: Log
}

/** What is kept and what that cost; units are 3600ths of a millionth of a USD. */
export interface StoredSum {
  readonly byteHours: bigint
  readonly units: bigint
}

/** Measures managed data once an hour. An hour in which the service did not run is not charged. */
export function createStorage({ db, accountIds, storedBytes, clock, log }: StorageOptions) {
  async function meterOne(accountId: string, hour: Date): Promise<void> {
    if (await isMetered(db, accountId, hour)) return
    const terms = await termsOf(db, accountId)
    if (!terms) return
    const { edition, region } = terms
    const price = microUsdPerGbMonth({ edition: edition as Edition, region, at: hour })
    const bytes = await storedBytes(accountId)
    await addHour(db, { accountId, hour, bytes, edition, region, usdPerGbMonth: usdText(price) })
  }

  return {
    async meter(): Promise<void> {
      const hour = new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS)
      for (const accountId of await accountIds())
        try {
          await meterOne(accountId, hour)
        } catch (error) {
          log.warn({ err: error, accountId }, 'the storage of an account was not measured')
        }
    },

    /** Of these accounts between two moments. */
    async stored(asked: readonly string[], from: Date, until: Date): Promise<ReadonlyMap<string, StoredSum>> {
      const sums = new Map<string, StoredSum>()
      if (asked.length === 0) return sums
      for (const row of await storedBy(db, { accountIds: asked, from, until })) {
        const before = sums.get(row.account_id) ?? { byteHours: 0n, units: 0n }
        const byteHours = BigInt(row.byte_hours)
        const microUsd = microUsdOf(row.usd_per_gb_month)
        sums.set(row.account_id, {
          byteHours: before.byteHours + byteHours,
          units: before.units + storageUnits({ month: row.month, byteHours, microUsd }),
        })
      }
      return sums
    },
  }
}

export type Storage = ReturnType<typeof createStorage>

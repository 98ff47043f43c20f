import type { Kysely } from 'kysely'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Units } from '../../kernel/money.ts'
import type { Schema } from '../../store/schema.ts'
import type { Steps } from '../../store/steps.ts'
import { type Edition, usdText } from '../warehouse/prices.ts'
import { microUsdPerGbMonth, unitsOfHour } from './prices.ts'
import { addHour, isMetered, storedBy, storedOver, termsOf } from './store.ts'

const HOUR_MS = 3_600_000

export interface StorageOptions {
  readonly db: Kysely<Schema>
  /** Accounts that have data here, and how many bytes of it. */
  readonly accountIds: () => Promise<readonly string[]>
  readonly storedBytes: (accountId: string) => Promise<number>
  readonly clock: Clock
  readonly log: Log
}

/** What is kept and what that cost. */
export interface StoredSum {
  readonly byteHours: bigint
  readonly units: Units
}

export interface StoredDay extends StoredSum {
  readonly accountId: string
  /** `YYYY-MM-DD`, UTC */
  readonly day: string
}

export const sumOfStored = (parts: readonly StoredSum[]): StoredSum =>
  parts.reduce((all, one) => ({ byteHours: all.byteHours + one.byteHours, units: all.units + one.units }), {
    byteHours: 0n,
    units: 0n,
  })

/** Measures managed data once an hour. An hour in which the service did not run is not charged. */
export function createStorage({ db, accountIds, storedBytes, clock, log }: StorageOptions) {
  async function meterOne(accountId: string, hour: Date): Promise<void> {
    if (await isMetered(db, accountId, hour)) return
    const terms = await termsOf(db, accountId)
    if (!terms) return
    const { edition, region } = terms
    const microUsd = microUsdPerGbMonth({ edition: edition as Edition, region, at: hour })
    const bytes = await storedBytes(accountId)
    const units = unitsOfHour({ hour, bytes, microUsd })
    await addHour(db, { accountId, hour, bytes, edition, region, usdPerGbMonth: usdText(microUsd), units })
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

    /** The most bytes that were kept within each step. */
    over: (accountId: string, steps: Steps) => storedOver(db, accountId, steps),

    /** Of these accounts between two moments, day by day. */
    async stored(asked: readonly string[], from: Date, until: Date): Promise<StoredDay[]> {
      if (asked.length === 0) return []
      const rows = await storedBy(db, { accountIds: asked, from, until })
      return rows.map(({ account_id, day, byte_hours, units }) => ({
        accountId: account_id,
        day,
        byteHours: BigInt(byte_hours),
        units: BigInt(units),
      }))
    },
  }
}

export type Storage = ReturnType<typeof createStorage>

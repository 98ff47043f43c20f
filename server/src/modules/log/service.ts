import type { Kysely } from 'kysely'
import type { Caller } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'
import { createErrorReportStore } from './store.ts'

const KEPT_MS = 30 * 24 * 3_600_000
/** Of at most 8 KiB each. */
const MOST_KEPT = 10_000
const FROM_ADDRESS = { free: 60, longestWaitMs: 30_000, pauseMs: 60_000 }
const FROM_ALL = { free: 600, longestWaitMs: 1_000, pauseMs: 60_000 }

interface ErrorReportParts {
  readonly db: Kysely<Schema>
  readonly rateLimit: RateLimit
  readonly clock: Clock
}

/** Errors that users saw, kept for the operator. Anyone may report, so there is a rate limit and an end to them. */
export function createErrorReports({ db, rateLimit, clock }: ErrorReportParts) {
  const store = createErrorReportStore(db)
  return {
    async report(from: Caller, message: string): Promise<void> {
      await rateLimit.reserve({
        address: from.clientIp,
        refusal: 'Too many error reports.',
        own: rateLimit.fromAddress('report from', from.clientIp, FROM_ADDRESS),
        shared: [{ key: 'report', budget: FROM_ALL }],
      })
      await store.insert(message, clock.now())
    },

    /** The newest are kept, for a month. */
    async forgetOld(): Promise<void> {
      const before = new Date(clock.now().getTime() - KEPT_MS)
      await inBatches((most) => store.deleteOld(before, MOST_KEPT, most))
    },
  }
}

export type ErrorReports = ReturnType<typeof createErrorReports>

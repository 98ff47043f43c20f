import type { Actor } from '../../kernel/actor.ts'
import type { RateLimit } from '../attempt/rate-limit.ts'

const MINUTE_MS = 60_000
const PAUSE_MS = 15 * MINUTE_MS

const CHANGES = { free: 10, longestWaitMs: 30_000, pauseMs: PAUSE_MS }
const UNKNOWN_LINKS = { free: 30, longestWaitMs: 30_000, pauseMs: PAUSE_MS }
const REQUESTS = { free: 20, longestWaitMs: MINUTE_MS, pauseMs: PAUSE_MS }
/** Nobody's mailbox is filled by others. */
const MAILS = { free: 3, longestWaitMs: 10 * MINUTE_MS, pauseMs: 60 * MINUTE_MS }

/** Counted before any hash, whatever the outcome: a wrong current password as well as a successful change. */
export const reserveChange = (rateLimit: RateLimit, { userId }: Actor) =>
  rateLimit.reserve({
    address: userId,
    refusal: 'Too many password changes, or too many wrong passwords.',
    own: { key: `password change of ${userId}`, budget: CHANGES },
  })

/** Counted before the hash, as for a password; and no mailbox is filled by somebody who is signed in either. */
export const reserveAddressChange = (rateLimit: RateLimit, { userId, accountId }: Actor, email: string) =>
  rateLimit.reserve({
    address: userId,
    refusal: 'Too many changes of your mail address, or wrong passwords.',
    own: { key: `address change of ${userId}`, budget: CHANGES },
    shared: [{ key: `address change to ${accountId} ${email}`, budget: MAILS }],
  })

/** Returned when the link is valid: only unknown ones count. */
export const reserveLink = (rateLimit: RateLimit, clientIp: string) =>
  rateLimit.reserve({
    address: clientIp,
    refusal: 'Too many invalid links.',
    own: rateLimit.fromAddress('link from', clientIp, UNKNOWN_LINKS),
  })

/** By what was typed: whether there is such a user plays no part. */
export const reserveResetRequest = (
  rateLimit: RateLimit,
  { clientIp, accountId, email }: { clientIp: string; accountId: string; email: string },
) =>
  rateLimit.reserve({
    address: clientIp,
    refusal: 'Too many mails were requested.',
    own: rateLimit.fromAddress('password reset from', clientIp, REQUESTS),
    shared: [{ key: `password reset of ${accountId} ${email}`, budget: MAILS }],
  })

import type { RateLimit } from '../attempt/rate-limit.ts'

const MINUTE_MS = 60_000
const REQUESTS = { free: 20, longestWaitMs: MINUTE_MS, pauseMs: 15 * MINUTE_MS }
/** Nobody's mailbox is filled by others. */
const MAILS = { free: 3, longestWaitMs: 10 * MINUTE_MS, pauseMs: 60 * MINUTE_MS }
const UNKNOWN = { free: 30, longestWaitMs: 30_000, pauseMs: 15 * MINUTE_MS }
const GUESSES = { free: 10, longestWaitMs: 30_000, pauseMs: 15 * MINUTE_MS }

export const reserveSignUp = (rateLimit: RateLimit, clientIp: string, email: string) =>
  rateLimit.reserve({
    address: clientIp,
    refusal: 'Too many sign-ups.',
    own: rateLimit.fromAddress('sign-up from', clientIp, REQUESTS),
    shared: [{ key: `sign-up of ${email}`, budget: MAILS }],
  })

/** Returned when the link or the token is valid. */
export const reserveToken = (rateLimit: RateLimit, clientIp: string) =>
  rateLimit.reserve({
    address: clientIp,
    refusal: 'Too many invalid links.',
    own: rateLimit.fromAddress('sign-up token from', clientIp, UNKNOWN),
  })

export const reserveActivation = (rateLimit: RateLimit, clientIp: string, signUpId: string) =>
  rateLimit.reserve({
    address: clientIp,
    refusal: 'Too many wrong passwords.',
    own: { key: `activation of ${signUpId}`, budget: GUESSES },
  })

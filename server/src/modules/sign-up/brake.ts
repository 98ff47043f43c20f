import type { Brake } from '../attempt/brake.ts'

const MINUTE_MS = 60_000
const REQUESTS = { free: 20, longestWaitMs: MINUTE_MS, pauseMs: 15 * MINUTE_MS }
/** Nobody's mailbox is filled by others. */
const MAILS = { free: 3, longestWaitMs: 10 * MINUTE_MS, pauseMs: 60 * MINUTE_MS }
const UNKNOWN = { free: 30, longestWaitMs: 30_000, pauseMs: 15 * MINUTE_MS }
const GUESSES = { free: 10, longestWaitMs: 30_000, pauseMs: 15 * MINUTE_MS }

export const reserveSignUp = (brake: Brake, clientIp: string, email: string) =>
  brake.reserve({
    address: clientIp,
    refusal: 'Too many sign-ups.',
    own: brake.fromAddress('sign-up from', clientIp, REQUESTS),
    shared: [{ key: `sign-up of ${email}`, budget: MAILS }],
  })

/** Given back when the link or the token is good. */
export const reserveToken = (brake: Brake, clientIp: string) =>
  brake.reserve({
    address: clientIp,
    refusal: 'Too many invalid links.',
    own: brake.fromAddress('sign-up token from', clientIp, UNKNOWN),
  })

export const reserveActivation = (brake: Brake, clientIp: string, signUpId: string) =>
  brake.reserve({
    address: clientIp,
    refusal: 'Too many wrong passwords.',
    own: { key: `activation of ${signUpId}`, budget: GUESSES },
  })

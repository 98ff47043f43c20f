import type { RateLimit } from '../attempt/rate-limit.ts'

const PAUSE_MS = 15 * 60_000
const DAYS = 24 * 3_600_000

/** Guesses at one user from one address: few. */
const HERE = { free: 10, longestWaitMs: 30_000, pauseMs: PAUSE_MS }
/** At all users from one address, and at one user from all addresses: more, since these are of many people. */
const FROM_ADDRESS = { free: 50, longestWaitMs: 10_000, pauseMs: PAUSE_MS }
const AT_USER = { free: 100, longestWaitMs: 5_000, pauseMs: PAUSE_MS }
/** Who signed in from an address is not slowed down there by guesses of others. */
const KNOWN_MS = 30 * DAYS

export interface LoginAttempt {
  readonly clientIp: string
  readonly accountId: string
  readonly username: string
}

/** Counts a login before its password is looked at, by what was typed: whether there is such a user plays no part. */
export async function reserveLogin(rateLimit: RateLimit, { clientIp, accountId, username }: LoginAttempt) {
  const user = `${accountId}.${username.toLowerCase()}`
  const reserved = await rateLimit.reserve({
    address: clientIp,
    refusal: 'Too many failed sign-ins.',
    own: rateLimit.fromAddress(`login of ${user} from`, clientIp, HERE),
    shared: [
      rateLimit.fromAddress('login from', clientIp, FROM_ADDRESS),
      { key: `login of ${user}`, budget: AT_USER },
    ],
  })
  return { isKnown: reserved.isKnown, succeeded: () => reserved.know(KNOWN_MS) }
}

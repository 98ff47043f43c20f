import { hash } from '@node-rs/argon2'

/** The password of every user in tests. */
export const PASSWORD = 'Rowing_2026'

let passwordHash: Promise<string> | undefined
/**
 * Of the password that all of them have. A hash says what it costs to hold a password against it, and a real one costs
 * more than most of what a test does: this one is the cheapest that there can be.
 */
export const hashForTests = (): Promise<string> =>
  (passwordHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 }))

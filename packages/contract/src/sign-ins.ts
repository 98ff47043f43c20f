import { z } from 'zod/mini'

/** What came of a sign-in. `notListed` counts those that failed beyond what the log lists each day. */
export const SIGN_IN_OUTCOMES = [
  'signedIn',
  'signedOut',
  'wrongPassword',
  'unknownUser',
  'addressBlocked',
  'accountNotReady',
  'accountFrozen',
  'tooManyAttempts',
  'ssoFailed',
  'keyRefused',
  'notListed',
] as const
export type SignInOutcome = (typeof SIGN_IN_OUTCOMES)[number]

/** By which door somebody signs in: people by the console, programs with a password or an API key by the others. */
const SIGN_IN_DOORS = ['console', 'http', 'mysql', 'ingest', 'mcp'] as const
export type SignInDoor = (typeof SIGN_IN_DOORS)[number]

export const SignIn = z.object({
  signInId: z.int(),
  at: z.string(),
  /** The same again within a minute is one entry: the last of them, and how many there were. */
  lastAt: z.string(),
  count: z.int(),
  /** Null where nobody has the name that was typed; that is not kept. */
  user: z.nullable(z.string()),
  method: z.nullable(z.enum(['password', 'sso', 'key'])),
  /** Which API key it was; null for all other methods. */
  key: z.nullable(z.string()),
  door: z.enum(SIGN_IN_DOORS),
  outcome: z.enum(SIGN_IN_OUTCOMES),
  clientIp: z.nullable(z.string()),
  /** The VPC endpoint that it came through; null: over the public address. */
  privateEndpoint: z.nullable(z.string()),
  userAgent: z.string(),
})
export type SignIn = z.infer<typeof SignIn>

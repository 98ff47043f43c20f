import { z } from 'zod/mini'
import { MESSAGES } from './rules.ts'

const LONGEST = 254
/** What mail servers take without question; anything else is more often a slip than an address. */
const SUPPORTED = /^[a-z0-9.!#$%&'*+/=?^_`{|}~@-]*$/
const FORMAT = /^[^@.]+(?:\.[^@.]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Letter case makes no other address, so it is dropped. */
export const Email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, MESSAGES.enter('email')),
    z.maxLength(LONGEST, MESSAGES.maximumLength(LONGEST)),
    z.regex(SUPPORTED, MESSAGES.emailCharacters),
    z.regex(FORMAT, MESSAGES.emailFormat),
  )

const FREE_WEBMAIL = [
  'gmail',
  'yahoo',
  'hotmail',
  'live',
  'outlook',
  'aol',
  'icloud',
  'zoho',
  'qq',
  '163',
  '126',
  'sina',
  'yeah',
] as const

/** In front of a country, as in `yahoo.co.uk`. */
const SECOND_LEVEL = new Set(['co', 'com', 'net', 'org', 'ac', 'edu', 'gov'])

/** The name that was registered is not one of those that give addresses to everybody. */
export function isBusinessEmail(email: string): boolean {
  const labels = email.toLowerCase().split('@').at(-1)?.split('.').slice(0, -1) ?? []
  const last = labels.at(-1) ?? ''
  const registered = SECOND_LEVEL.has(last) ? (labels.at(-2) ?? last) : last
  return !(FREE_WEBMAIL as readonly string[]).includes(registered)
}

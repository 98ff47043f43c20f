import { z } from 'zod'
import { LIMITS } from './limits.ts'

/** Validation rules with their exact messages; the same object checks the form's field and the request. */

/** LIMIT-08, LIMIT-09, LIMIT-10 */
export const MESSAGES = {
  correctValue: 'Enter the correct value',
  enter: (label: string) => `Enter the ${label}`,
  maximumLength: (length: number) => `The maximum length is ${length}`,
  invalidAccountId: 'Invalid account ID. It is three capital letters and five digits, as in ABC12345.',
  accountMissing: 'This account does not exist.',
  /** SIGNIN-43 */
  loginFailed: 'Login failed: Invalid account or password.',
  /** SIGNIN-45 */
  loginTimedOut: 'Your login to the product has timed out. Please try again.',
  /** SHELL-82 */
  noPermission: 'It seems you do not have permission to use this function, please contact the account admin.',
  /** API-27 */
  connectionLimit: 'Reach limit of connections',
  /** API-24: for a failure without a message. */
  error: 'Error',
  /** API-32 */
  networkError: 'The service cannot be reached. Check your network connection and try again.',
  /** SHELL-91 */
  requestTimedOut: 'request timed out',
  badAnswer: 'The service gave an answer that cannot be read. Reload the page; it may have been updated.',
  /** EDITOR-27, EDITOR-28 */
  noRunningWarehouse: 'No warehouse is running. Resume one, then run the statement again.',
  /** WH-18 */
  idleTime: 'Enter the idle time',
  namePattern: 'Start with a letter; use letters, digits and underscores only',
  reservedName: 'This name is reserved',
  /** SIGNIN-30: keys signUp.passwordErr and signUp.pwdFormatError */
  passwordMissing: 'Enter the password',
  passwordFormat: 'Use 8 to 16 characters with a letter, a digit and one of !@#$%^&*_',
} as const

const named = (label: string, maxLength: number) =>
  z
    .string()
    .min(1, MESSAGES.enter(label))
    .max(maxLength, MESSAGES.maximumLength(maxLength))
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, MESSAGES.namePattern)

export const AccountId = z.string().regex(/^[A-Z]{3}[0-9]{5}$/, MESSAGES.invalidAccountId)
export const RegionId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, MESSAGES.correctValue)
export const UserName = z.string().min(1, MESSAGES.enter('user name')).max(64, MESSAGES.maximumLength(64))

/** EDITOR-09, EDITOR-10 */
export const QueryName = z
  .string()
  .trim()
  .min(1, MESSAGES.enter('query name'))
  .max(LIMITS.queryNameLength, MESSAGES.maximumLength(LIMITS.queryNameLength))

/** WH-16: reserved beside the names of built-in roles; book section 4. */
export const RESERVED_NAMES = [
  'default_warehouse',
  'information_schema',
  'sys',
  '_statistics_',
  'all',
  'default',
  'account_admin',
  'user_admin',
  'org_admin',
  'cluster_admin',
  'security_admin',
  'db_admin',
  'public',
] as const

/** WH-14, WH-15 */
export const WarehouseName = named('name', LIMITS.warehouseNameLength).refine(
  (name) => !(RESERVED_NAMES as readonly string[]).includes(name.toLowerCase()),
  MESSAGES.reservedName,
)
export const DatabaseName = named('name', LIMITS.databaseNameLength)
export const CatalogName = named('name', LIMITS.catalogNameLength)

/** Book section 5: for people who sign up, set up, reset or change a password, and the first administrator. */
export const Password = z
  .string()
  .min(1, MESSAGES.passwordMissing)
  .regex(/^(?=.*[A-Za-z])(?=.*\d)(?=.*[!@#$%^&*_]).{8,16}$/s, MESSAGES.passwordFormat)

/** SIGNIN-31: passwords travel base64-encoded, as UTF-8. */
export const EncodedPassword = z.base64().min(1, MESSAGES.passwordMissing).max(512)

export function encodePassword(password: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(password)))
}

export function decodePassword(encoded: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.codePointAt(0) ?? 0))
}

const leading = (word: string, count: number): string => Array.from(word).slice(0, count).join('')

/** SHELL-74 */
export function initialsOf(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  const letters = second ? leading(first, 1) + leading(second, 1) : leading(first, 2)
  return letters.toUpperCase()
}

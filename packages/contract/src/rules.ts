import { z } from 'zod/mini'
import { LIMITS } from './limits.ts'

/** Validation rules with their exact messages; the same object checks the form's field and the request. */

export const MESSAGES = {
  correctValue: 'Enter the correct value',
  enter: (label: string) => `Enter the ${label}`,
  maximumLength: (length: number) => `The maximum length is ${length}`,
  invalidAccountId: 'Invalid account ID. Enter three capital letters and five digits, for example ABC12345.',
  accountMissing: 'This account does not exist.',
  accountElsewhere: (accountId: string, region: string) =>
    `The account ${accountId} is in the region ${region}, and not on this server. Sign in there.`,
  accountNameTaken: 'The organisation already has an account with this name. Choose another name.',
  accountFrozen: 'Account has been frozen, Please contact management.',
  accountResuming: 'This account is being resumed. Try again in a few minutes.',
  accountClosed: 'This account is closed.',
  accountBeingSetUp: 'This account is still being set up. Try again in a minute.',
  accountNamePattern: 'Start with a letter; use letters, digits, spaces, dashes and underscores only',
  loginFailed: 'Login failed: Invalid account or password.',
  loginTimedOut: 'Your login to the product has timed out. Please try again.',
  noPermission: 'It seems you do not have permission to use this function, please contact the account admin.',
  connectionLimit: 'Reach limit of connections',
  /** For a failure without a message. */
  error: 'Error',
  networkError: 'The service cannot be reached. Check your network connection and try again.',
  requestTimedOut: 'request timed out',
  badAnswer: 'The service sent an invalid response. Reload the page to get the current version.',
  noRunningWarehouse: 'No warehouse is running. Resume one, then run the statement again.',
  idleTime: 'Enter the idle time',
  namePattern: 'Start with a letter; use letters, digits and underscores only',
  reservedName: 'This name is reserved',
  /** Keys signUp.passwordErr and signUp.pwdFormatError */
  passwordMissing: 'Enter the password',
  passwordsDiffer: 'Please enter a consistent password',
  currentPasswordMissing: 'Enter the current password',
  emailFormat: 'Enter the correct email',
  emailCharacters: 'Email contains unsupported characters',
  linkUnknown: 'This link is unknown. Open the complete link from the mail, or request a new one.',
  passwordFormat: 'Use 8 to 16 characters with a letter, a digit and one of !@#$%^&*_',
} as const

export const AccountId = z.string().check(z.regex(/^[A-Z]{3}[0-9]{5}$/, MESSAGES.invalidAccountId))
export const RegionId = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, MESSAGES.correctValue))
export const UserName = z
  .string()
  .check(z.minLength(1, MESSAGES.enter('user name')), z.maxLength(64, MESSAGES.maximumLength(64)))

export const QueryName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.enter('query name')),
    z.maxLength(LIMITS.queryNameLength, MESSAGES.maximumLength(LIMITS.queryNameLength)),
  )

/** As query names. */
export const FolderName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.enter('folder name')),
    z.maxLength(LIMITS.folderNameLength, MESSAGES.maximumLength(LIMITS.folderNameLength)),
  )

/** Of every password that is chosen, for oneself or for somebody else. */
export const Password = z
  .string()
  .check(
    z.minLength(1, MESSAGES.passwordMissing),
    z.regex(/^(?=.*[A-Za-z])(?=.*\d)(?=.*[!@#$%^&*_]).{8,16}$/s, MESSAGES.passwordFormat),
  )

/** The parts of that rule, for a form that says which are still missing. */
export const PASSWORD_PARTS = [
  { name: 'length', fits: (password: string) => /^.{8,16}$/s.test(password) },
  { name: 'letter', fits: (password: string) => /[A-Za-z]/.test(password) },
  { name: 'digit', fits: (password: string) => /\d/.test(password) },
  { name: 'symbol', fits: (password: string) => /[!@#$%^&*_]/.test(password) },
] as const

/** Passwords travel base64-encoded, as UTF-8. */
export const EncodedPassword = z.base64().check(z.minLength(1, MESSAGES.passwordMissing), z.maxLength(512))

/** Of a mailed link. */
export const LinkToken = z.string().check(z.regex(/^[\w-]{43}$/, MESSAGES.linkUnknown))

export function encodePassword(password: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(password)))
}

export function decodePassword(encoded: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(encoded), (char) => char.codePointAt(0) ?? 0))
}

const leading = (word: string, count: number): string => Array.from(word).slice(0, count).join('')

export function initialsOf(name: string): string {
  const [first = '', second] = name.trim().split(/\s+/)
  const letters = second ? leading(first, 1) + leading(second, 1) : leading(first, 2)
  return letters.toUpperCase()
}

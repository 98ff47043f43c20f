import { z } from 'zod/mini'
import { LIMITS } from './limits.ts'
import { isOfOneScript, ONE_SCRIPT } from './look-alikes.ts'
import { named, RESERVED_NAMES } from './object-names.ts'
import { decodePassword, MESSAGES, Password, UserName } from './rules.ts'

/**
 * Rules for administrators of users and roles, with their exact messages; apart, so that the shell does not load them.
 */

const USER_NAME_PATTERN = 'Start with a letter or digit; use letters, digits and . _ @ - only'
/** One rule for every password, whether a user or an administrator chooses it. */
export const GIVEN_PASSWORD_FORMAT = MESSAGES.passwordFormat

/** Of a user who is added; older names may have other characters. */
export const NewUserName = UserName.check(
  z.regex(/^[\p{L}\p{N}][\p{L}\p{N}._@-]*$/u, USER_NAME_PATTERN),
  z.refine(isOfOneScript, ONE_SCRIPT),
)

/** Of the first user of an account. */
export const FirstUserName = UserName.check(z.refine(isOfOneScript, ONE_SCRIPT))

export const RoleName = named('role name', LIMITS.roleNameLength).check(
  z.refine(
    (name) => !(RESERVED_NAMES as readonly string[]).includes(name.toLowerCase()),
    MESSAGES.reservedName,
  ),
)

/** Of a password that an administrator chooses for somebody else. */
export const GivenPassword = Password

/** The same for one that an administrator chooses. */
export const EncodedGivenPassword = z.base64().check(
  z.minLength(1, MESSAGES.passwordMissing),
  z.maxLength(1024),
  z.refine(
    (encoded) =>
      z.base64().safeParse(encoded).success && GivenPassword.safeParse(decodePassword(encoded)).success,
    GIVEN_PASSWORD_FORMAT,
  ),
)

/** Built-in or not: names of roles that exist are checked when they are looked for. */
export const AnyRole = z.string().check(z.minLength(1, MESSAGES.enter('role')), z.maxLength(64))

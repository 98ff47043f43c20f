import { z } from 'zod/mini'
import { LIMITS } from './limits.ts'
import { MESSAGES } from './rules.ts'

/** Rules for the names that people give, with their exact messages; apart, so that the shell does not carry them. */

export const named = (label: string, maxLength: number) =>
  z
    .string()
    .check(
      z.minLength(1, MESSAGES.enter(label)),
      z.maxLength(maxLength, MESSAGES.maximumLength(maxLength)),
      z.regex(/^[A-Za-z][A-Za-z0-9_]*$/, MESSAGES.namePattern),
    )

export const AccountName = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.enter('account name')),
    z.maxLength(LIMITS.accountNameLength, MESSAGES.maximumLength(LIMITS.accountNameLength)),
    z.regex(/^\p{L}[\p{L}\p{N} _-]*$/u, MESSAGES.accountNamePattern),
  )

/** Reserved beside the names of built-in roles; book section 4. */
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

export const WarehouseName = named('name', LIMITS.warehouseNameLength).check(
  z.refine(
    (name) => !(RESERVED_NAMES as readonly string[]).includes(name.toLowerCase()),
    MESSAGES.reservedName,
  ),
)
export const DatabaseName = named('name', LIMITS.databaseNameLength)
export const CatalogName = named('name', LIMITS.catalogNameLength)

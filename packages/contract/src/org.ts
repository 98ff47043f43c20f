import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { Email } from './mail-address.ts'
import { AccountName } from './object-names.ts'
import { FirstUserName } from './people-rules.ts'
import { AccountId, MESSAGES, RegionId } from './rules.ts'

export const Edition = z.enum(['lake', 'standard'])
export type Edition = z.infer<typeof Edition>
export const EDITION_NAMES: Readonly<Record<Edition, string>> = {
  lake: 'Lake edition',
  standard: 'Standard edition',
}

/** `state` is the life cycle, never the shell's reading. */
export const AccountListItem = z.object({
  accountId: z.string(),
  name: z.string(),
  /** Who made it, in its own account or another of the organisation. Empty for who is no administrator of it. */
  creator: z.string(),
  orgId: z.string(),
  csp: z.string(),
  region: z.string(),
  state: z.int(),
  edition: Edition,
  createdAt: z.string(),
  isRoot: z.boolean(),
})
export type AccountListItem = z.infer<typeof AccountListItem>

export const Trial = z.object({
  startedAt: z.string(),
  endsAt: z.string(),
  days: z.int(),
  /** The true number; 0 when it has ended. */
  daysLeft: z.int(),
  usd: z.int(),
  hasEnded: z.boolean(),
  /** When the data of this account is deleted; null unless a deletion is planned. */
  dataKeptUntil: z.nullable(z.string()),
})
export type Trial = z.infer<typeof Trial>

const orgAdmin = { roles: ['org_admin'] } as const

/** Which engines the warehouses of an account may have: the embedded one, clusters, or every one that is offered. */
export const AccountEngines = z.enum(['embedded', 'cluster', 'both'])
export type AccountEngines = z.infer<typeof AccountEngines>

export const NewAccount = z.object({
  name: AccountName,
  edition: Edition,
  adminName: FirstUserName,
  adminEmail: Email,
  sampleData: z._default(z.boolean(), false),
  engines: z._default(AccountEngines, 'both'),
  /** Where it is created; both or neither. By default where the root account is. */
  csp: z.optional(z.string().check(z.regex(/^[a-z][a-z0-9-]{0,31}$/, MESSAGES.correctValue))),
  region: z.optional(RegionId),
})

export const org = {
  detail: defineCall({
    path: '/org/detail',
    summary: 'Get the organisation of the current account',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({}),
    output: z.object({
      orgId: z.string(),
      name: z.string(),
      /** The root account. */
      orgAccountId: z.string(),
      createdAt: z.string(),
      accounts: z.int(),
      source: z.int(),
      orgIdentity: z.int(),
      /** What a new account in this region can choose from; missing where there is nothing to choose. */
      engines: z.optional(z.array(AccountEngines)),
      /** Whether cards can be bound in this installation. */
      paymentEnabled: z.boolean(),
      /** Why this account is frozen; null when it is not, or for no reason that is known. */
      freezeReason: z.nullable(z.enum(['trial ended', 'unpaid', 'operator'])),
    }),
  }),
  listAccount: defineCall({
    path: '/org/list-account',
    summary:
      'List the accounts of the organisation; administrators also see deleted ones and those not ready yet',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({ notFilterDeleted: z._default(z.boolean(), false) }),
    output: z.object({ accounts: z.array(AccountListItem) }),
  }),
  accountDetail: defineCall({
    path: '/org/account-detail',
    summary: 'Get one account of the organisation: your own, or any as administrator of the root account',
    needs: orgAdmin,
    whileFrozen: true,
    render: true,
    input: z.object({ accountId: AccountId }),
    output: z.extend(AccountListItem, {
      /** Of who made the account; empty when that was the operator, or has none. */
      creatorEmail: z.string(),
      /** Whom the account was made for: its first administrator. */
      administrator: z.string(),
      administratorEmail: z.string(),
      /** Path and query; the console puts its own address before it. */
      loginPath: z.string(),
      mayRelease: z.boolean(),
    }),
    fails: ['NotFound'],
  }),
  createAccount: defineCall({
    path: '/org/create-account',
    summary: 'Create an account and invite its administrator by mail; root account only',
    needs: orgAdmin,
    input: NewAccount,
    output: z.object({ accountId: z.string() }),
    fails: ['NotInTrial', 'NameTaken', 'NoPermission', 'LimitReached', 'NotBusinessEmail'],
  }),
  releaseAccount: defineCall({
    path: '/org/release-account',
    summary: 'Request the deletion of an account; you get a mail with a link to confirm it',
    needs: orgAdmin,
    whileFrozen: true,
    input: z.object({ accountId: AccountId, phrase: z.string().check(z.maxLength(256)) }),
    output: z.object({ mailedTo: z.string() }),
    fails: ['NotFound', 'NoPermission', 'Conflict'],
  }),
  confirmRelease: defineCall({
    path: '/org/confirm-release',
    summary: 'Delete an account with the link from the mail',
    needs: orgAdmin,
    whileFrozen: true,
    input: z.object({ token: z.string().check(z.minLength(1), z.maxLength(256)) }),
    output: z.object({ accountId: z.string(), name: z.string() }),
    fails: ['LinkUnusable', 'NotFound', 'NoPermission', 'Conflict'],
  }),
  freeTrialContract: defineCall({
    path: '/org/free-trial-contract',
    summary: 'Get the free trial of the organisation; null if it has none',
    needs: 'login',
    whileFrozen: true,
    silent: true,
    input: z.object({}),
    output: z.object({ trial: z.nullable(Trial) }),
  }),
}

import { AccountId, AccountListItem } from '@boathouse/contract'
import { z } from 'zod'

/** What the central server and those of regions say to each other. Both check what they are given. */

const Moment = z.iso.datetime().transform((text) => new Date(text))
const State = z.int().min(-1).max(7)
const Amount = z.int().min(0)

/** An account as the central server wants it to be. */
export const AccountOrder = z.object({
  accountId: AccountId,
  organisation: z.object({
    id: z.uuid(),
    name: z.string(),
    identity: z.int(),
    source: z.int(),
    createdAt: Moment,
  }),
  name: z.string(),
  csp: z.string(),
  edition: z.enum(['lake', 'standard']),
  administrator: z.string(),
  email: z.string(),
  invitedBy: z.string(),
  createdBy: z.string().nullable(),
  samples: z.boolean(),
  state: State,
  shellState: State,
  freezeReason: z.enum(['trial ended', 'unpaid', 'operator']).nullable(),
  /** It was never opened, so that a region that does not have it opens it. */
  isNew: z.boolean(),
  /** False: the region says how it is, and changes nothing. */
  isOrder: z.boolean(),
})
export type AccountOrder = z.output<typeof AccountOrder>

/** Seconds of a warehouse in an hour, all of them so far: to hear of them twice changes nothing. */
const UsageRow = z.object({
  accountId: AccountId,
  warehouseId: z.uuid(),
  warehouse: z.string(),
  hour: Moment,
  size: z.string(),
  edition: z.string(),
  region: z.string(),
  usdPerCcu: z.string(),
  seconds: Amount,
})

const StorageRow = z.object({
  accountId: AccountId,
  hour: Moment,
  bytes: Amount,
  edition: z.string(),
  region: z.string(),
  usdPerGbMonth: z.string(),
  units: z.string().regex(/^\d{1,30}$/),
})

const MOST_ACCOUNTS = 100
export const MOST_ROWS = 500

/** From the central server to a region, again and again. */
const Sync = z.object({
  kind: z.literal('sync'),
  accounts: z.array(AccountOrder).max(MOST_ACCOUNTS),
  /** Usage that the central server has kept since it was last asked; the region does not send it again. */
  keptUsage: z.array(UsageRow).max(MOST_ROWS),
  keptStorage: z.array(StorageRow).max(MOST_ROWS),
  wantsUsage: z.boolean(),
})

/** From a region to the central server, for a user of one of its accounts. */
const OrganisationQuestion = z.object({
  kind: z.literal('organisation'),
  accountId: AccountId,
  withDeleted: z.boolean(),
})

export const RegionMessage = z.discriminatedUnion('kind', [Sync, OrganisationQuestion])
export type Sync = z.output<typeof Sync>
export type OrganisationQuestion = z.output<typeof OrganisationQuestion>

/** `gone`: it was deleted. `missing`: the region should have it, and has never heard of it. */
const AccountReport = z.object({
  accountId: AccountId,
  found: z.enum(['here', 'gone', 'missing']),
  state: State,
  shellState: State,
  edition: z.enum(['lake', 'standard']),
  freezeReason: z.string().nullable(),
  deleteAt: Moment.nullable(),
})
export type AccountReport = z.input<typeof AccountReport>

export const SyncAnswer = z.object({
  accounts: z.array(AccountReport).max(MOST_ACCOUNTS),
  usage: z.array(UsageRow).max(MOST_ROWS),
  storage: z.array(StorageRow).max(MOST_ROWS),
})
export type SyncAnswer = z.output<typeof SyncAnswer>

export const OrganisationAnswer = z.object({
  orgAccountId: z.string(),
  accounts: z.array(z.object(AccountListItem.shape)),
})
export type OrganisationAnswer = z.output<typeof OrganisationAnswer>

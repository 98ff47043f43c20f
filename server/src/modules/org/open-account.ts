import { randomInt, randomUUID } from 'node:crypto'
import {
  type AccountEngines,
  BUILT_IN_ROLES,
  LIFE_CYCLE_STATES,
  MESSAGES,
  SHELL_STATES,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, OPERATOR_NAME } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { insertUser } from '../user/people-store.ts'
import { insertFirstWarehouse } from '../warehouse/first-warehouse-store.ts'
import { insertAccountRow, wasDeleted } from './account-store.ts'
import { insertRegionalAccount } from './regional-store.ts'
import { insertOrganisation, setRootAccount } from './organisation-store.ts'

const UNIQUE_VIOLATION = '23505'
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const ATTEMPTS = 10

/** ABC12345: three capital letters and five digits. */
function newAccountId(): string {
  const letters = Array.from({ length: 3 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('')
  return `${letters}${String(randomInt(100_000)).padStart(5, '0')}`
}

/** Values of `orgIdentity` and `source` in the user info. */
export const ORG_IDENTITIES = { Company: 1, Person: 2, Contract: 3 } as const
export const ORG_SOURCES = { SignUp: 1, Marketplace: 2 } as const

export interface OrganisationDraft {
  readonly name: string
  readonly identity: (typeof ORG_IDENTITIES)[keyof typeof ORG_IDENTITIES]
  readonly source: (typeof ORG_SOURCES)[keyof typeof ORG_SOURCES]
  readonly at: Date
}

export interface AccountDraft {
  /** As the central server has named it; undefined: the next free one. */
  readonly accountId?: string
  readonly organisationId: string
  /** Unique in the organisation, letter case ignored. */
  readonly name: string
  /** The first account of an organisation pays for all, and has a warehouse from the start. */
  readonly isRoot: boolean
  readonly csp: string
  readonly region: string
  readonly edition: 'lake' | 'standard'
  /** Which engines its warehouses may have; missing: every one that is configured. */
  readonly engines?: AccountEngines
  /** Of its first warehouse; missing: the home engine. */
  readonly firstEngine?: string | null
  /** `passwordHash` null: invited, and chooses one by a link. */
  readonly administrator: {
    readonly name: string
    readonly email: string | null
    readonly passwordHash: string | null
  }
  /** `ready` needs nothing more; `set up` has its engine made by a job; `review` waits for the operator first. */
  readonly begins: 'ready' | 'set up' | 'review'
  readonly wantsSamples: boolean
  /** Who made it on the central server; undefined: the user who makes it here. */
  readonly createdBy?: string | null
  readonly by: Author
  readonly at: Date
}

const BEGINNINGS = {
  ready: { state: LIFE_CYCLE_STATES.Available, shell_state: SHELL_STATES.Active, set_up: 'done' },
  'set up': { state: LIFE_CYCLE_STATES.Pending, shell_state: SHELL_STATES.Closed, set_up: 'engine' },
  review: { state: LIFE_CYCLE_STATES.Reviewing, shell_state: SHELL_STATES.Closed, set_up: 'engine' },
} as const

export async function openOrganisation(
  trx: Transaction<Schema>,
  { name, identity, source, at }: OrganisationDraft,
): Promise<string> {
  const organisationId = randomUUID()
  await insertOrganisation(trx, { organisation_id: organisationId, name, identity, source, created_at: at })
  return organisationId
}

/** Who signs up, and the first administrator of an installation, make their account themselves. */
function madeBy({ createdBy, by: { kind, name, userId } }: AccountDraft) {
  if (createdBy !== undefined) return { created_by: createdBy, created_by_id: null }
  if (kind === 'operator') return { created_by: OPERATOR_NAME, created_by_id: null }
  return kind === 'user' && userId !== null ? { created_by: name, created_by_id: userId } : {}
}

/** False when the id is taken, or was by a deleted account: its audit log must stay its own. */
async function insertAccount(
  trx: Transaction<Schema>,
  { accountId, creatorId }: { accountId: string; creatorId: string | null },
  draft: AccountDraft,
): Promise<boolean> {
  if (await wasDeleted(trx, accountId)) return false
  try {
    const row = await insertAccountRow(trx, {
      account_id: accountId,
      organisation_id: draft.organisationId,
      name: draft.name,
      csp: draft.csp,
      region: draft.region,
      edition: draft.edition,
      engines: draft.engines ?? 'both',
      creator: draft.administrator.name,
      creator_id: creatorId,
      ...madeBy(draft),
      created_at: draft.at,
      wants_samples: draft.wantsSamples,
      held_elsewhere: creatorId === null,
      ...BEGINNINGS[draft.begins],
    })
    return row !== undefined
  } catch (error) {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error
    throw new AppError('NameTaken', MESSAGES.accountNameTaken, { cause: error })
  }
}

async function insertUnderFreeId(
  trx: Transaction<Schema>,
  creatorId: string | null,
  draft: AccountDraft,
): Promise<string> {
  if (draft.accountId !== undefined) {
    if (await insertAccount(trx, { accountId: draft.accountId, creatorId }, draft)) return draft.accountId
    throw new AppError('Conflict', `The account ID ${draft.accountId} is taken in this region.`)
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const accountId = newAccountId()
    if (await insertAccount(trx, { accountId, creatorId }, draft)) return accountId
  }
  throw new AppError('Unavailable', 'No free account ID was found. Try again.')
}

async function recordOpening(
  trx: Transaction<Schema>,
  accountId: string,
  draft: AccountDraft,
): Promise<void> {
  const { name, organisationId, edition, region, isRoot, begins, administrator, engines = 'both' } = draft
  await recordAudit(trx, {
    accountId,
    at: draft.at,
    by: draft.by,
    action: 'account.open',
    object: { type: 'account', id: accountId, name },
    before: null,
    after: {
      name,
      organisationId,
      edition,
      engines,
      region,
      isRoot,
      begins,
      administrator: administrator.name,
    },
  })
}

/** An account that the server of another region opens: here is a row of it, and nobody in it. Throws NameTaken. */
export async function openElsewhere(
  trx: Transaction<Schema>,
  draft: AccountDraft & { readonly invitedBy: string },
): Promise<string> {
  const accountId = await insertUnderFreeId(trx, null, draft)
  await insertRegionalAccount(trx, {
    account_id: accountId,
    admin_email: draft.administrator.email ?? '',
    invited_by: draft.invitedBy,
  })
  await recordOpening(trx, accountId, draft)
  return accountId
}

/** An account with its administrator, who holds every role. Throws NameTaken. */
export async function openAccount(
  trx: Transaction<Schema>,
  draft: AccountDraft,
): Promise<{ accountId: string; userId: string }> {
  const userId = randomUUID()
  const accountId = await insertUnderFreeId(trx, userId, draft)
  await insertUser(trx, {
    ...draft.administrator,
    userId,
    accountId,
    isOrgAdmin: true,
    roles: BUILT_IN_ROLES,
    at: draft.at,
  })
  if (draft.isRoot) {
    await setRootAccount(trx, draft.organisationId, accountId)
    const { firstEngine: engine = null, administrator, at } = draft
    await insertFirstWarehouse(trx, { accountId, engine, createdBy: administrator.name, at })
  }
  await recordOpening(trx, accountId, draft)
  return { accountId, userId }
}

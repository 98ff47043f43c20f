import {
  AccountEngines,
  type AccountListItem,
  type Edition,
  LIFE_CYCLE_STATES,
  MESSAGES,
  type org,
  type Output,
} from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { Author } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { Links } from '../link/service.ts'
import type { RequireAcceptedAddress } from '../mail/accepted-address.ts'
import type { Mails } from '../mail/service.ts'
import { type AccountRow, findAccount, makerOf, updateAccount, wasDeleted } from './account-store.ts'
import { lockAccount } from './move-account.ts'
import { createOrgStore, type OrgStore } from './store.ts'
import { createNewAccounts } from './new-account.ts'
import { emailElsewhere, organisationOfRegional } from './regional-store.ts'
import { createRelease } from './release.ts'

export interface OrgOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly links: Links
  readonly mails: Pick<Mails, 'write'>
  readonly requireAccepted: RequireAcceptedAddress
  /** Where an account is to be; throws BadInput for a region that there is not. */
  readonly placeOf: (wanted: { csp?: string | undefined; region?: string | undefined }) => AccountPlace
  /** On the server of a region: the central one, which has the organisations. Null: this is the central one. */
  readonly central: CentralOrganisations | null
  /** The kind of engine that warehouses have which are clusters; null where none is offered. */
  readonly clusterEngine: string | null
  /** Cards can be bound here. */
  readonly paymentEnabled: boolean
  /** Charges what runs up to now. */
  readonly meter: () => Promise<void>
  /** Called after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
}

/** Where an account is, or is to be. */
export interface AccountPlace {
  readonly csp: string
  readonly region: string
  /** Another server has it. */
  readonly isElsewhere: boolean
}

/** What a region asks the central server for. Rejects with Unavailable. */
export interface CentralOrganisations {
  readonly url: string
  accountsOf(accountId: string, withDeleted: boolean): Promise<OrganisationAccounts>
}

interface OrganisationAccounts {
  readonly orgAccountId: string
  /** As an administrator sees them. */
  readonly accounts: readonly AccountListItem[]
}

export type From = Caller & { readonly actor: Actor }

const missing = () => new AppError('NotFound', MESSAGES.accountMissing)
const isListed = (row: { state: number }) => row.state === LIFE_CYCLE_STATES.Available

const itemOf = (
  row: Pick<
    AccountRow,
    'account_id' | 'name' | 'creator' | 'organisation_id' | 'csp' | 'region' | 'edition' | 'created_at'
  > & { state: number; created_by?: string | null },
  rootId: string | null,
): AccountListItem => ({
  accountId: row.account_id,
  name: row.name,
  creator: makerOf({ creator: row.creator, created_by: row.created_by ?? null }),
  orgId: row.organisation_id,
  csp: row.csp,
  region: row.region,
  state: row.state,
  edition: row.edition as Edition,
  createdAt: row.created_at.toISOString(),
  isRoot: row.account_id === rootId,
})

/** Also within a transaction of another module. */
export async function requireAccount(db: Kysely<Schema>, accountId: string): Promise<AccountRow> {
  const row = await findAccount(db, accountId)
  if (!row) throw missing()
  return row
}

/** All accounts that the organisation has here, and on the central server those of other regions too. */
async function allOf(
  store: OrgStore,
  { id, rootId }: { id: string; rootId: string | null },
  withDeleted: boolean,
): Promise<AccountListItem[]> {
  const deleted = withDeleted ? await store.deletedOf(id) : []
  return [
    ...(await store.accountsOf(id)).map((row) => itemOf(row, rootId)),
    ...deleted.map((row) => itemOf({ ...row, state: LIFE_CYCLE_STATES.Deleted }, rootId)),
  ]
}

/** What servers of this service ask each other. */
const createViewOfRegions = (db: Kysely<Schema>, store: OrgStore) => ({
  /** An account that this server has, or had. */
  findHeld: async (accountId: string) => ({
    row: await findAccount(db, accountId),
    wasDeleted: await wasDeleted(db, accountId),
  }),

  /** For a region that has one of its accounts; throws NotFound to every other. */
  async organisationFor(
    region: string,
    { accountId, withDeleted }: { accountId: string; withDeleted: boolean },
  ): Promise<OrganisationAccounts & { accounts: AccountListItem[] }> {
    if (!(await organisationOfRegional(db, accountId, region))) throw missing()
    const { organisation_id: id, root_account_id: rootId } = await store.organisationOf(accountId)
    return { orgAccountId: rootId ?? '', accounts: await allOf(store, { id, rootId }, withDeleted) }
  },
})

/** Organisations and their accounts. Administrators of the root account act on all, others on their own. */
export function createOrgs(options: OrgOptions) {
  const { db, clock, central, clusterEngine, paymentEnabled, meter, onMoved } = options
  const store = createOrgStore(db)

  /** Users of the root account find every account, others only their own. */
  async function find(actor: Actor, accountId: string) {
    const organisation = await store.organisationOf(actor.accountId)
    const rootId = organisation.root_account_id
    const isTheirs = accountId === actor.accountId || actor.accountId === rootId
    const row = isTheirs ? await store.account(organisation.organisation_id, accountId) : undefined
    if (!row) throw missing()
    return { row, rootId }
  }

  return {
    ...createNewAccounts(options, store),
    ...createViewOfRegions(db, store),
    ...createRelease(options, { store, find }),

    /** Of one organisation or of all, for the operator. */
    allAccounts: store.allAccounts,
    allOrganisations: store.allOrganisations,

    /** The root account pays for the others: it goes last. */
    async requireLast(accountId: string): Promise<void> {
      if (await store.isRootOfOthers(accountId))
        throw new AppError(
          'Conflict',
          `${accountId} is the root account. Delete the other accounts of its organisation first.`,
        )
    },

    async detail(actor: Actor): Promise<Output<typeof org.detail>> {
      const row = await store.organisationOf(actor.accountId)
      // Why an account is frozen is answered while the central server is down, too.
      const all = await central?.accountsOf(actor.accountId, false).catch(() => null)
      return {
        orgId: row.organisation_id,
        name: row.name,
        orgAccountId: all?.orgAccountId ?? row.root_account_id ?? '',
        createdAt: row.created_at.toISOString(),
        accounts:
          all?.accounts.filter(({ state }) => state !== LIFE_CYCLE_STATES.Rejected).length ??
          (await store.countOpen(row.organisation_id)),
        source: row.source,
        orgIdentity: row.identity,
        ...(clusterEngine !== null && { engines: [...AccountEngines.options] }),
        paymentEnabled,
        freezeReason: row.freeze_reason as Output<typeof org.detail>['freezeReason'],
      }
    },

    /** Every user can switch to another account, so every user sees the names of the open ones. */
    async list(actor: Actor, withDeleted: boolean): Promise<AccountListItem[]> {
      const { organisation_id: id, root_account_id: rootId } = await store.organisationOf(actor.accountId)
      const seesDeleted = withDeleted && actor.isOrgAdmin
      const all = central
        ? (await central.accountsOf(actor.accountId, seesDeleted)).accounts
        : await allOf(store, { id, rootId }, seesDeleted)
      if (actor.isOrgAdmin) return [...all]
      return all.filter(isListed).map((item) => ({ ...item, creator: '' }))
    },

    async accountDetail(actor: Actor, accountId: string): Promise<Output<typeof org.accountDetail>> {
      const { row, rootId } = await find(actor, accountId)
      return {
        ...itemOf(row, rootId),
        creatorEmail: await store.emailOfUser(row.created_by === null ? row.creator_id : row.created_by_id),
        administrator: row.creator,
        administratorEmail: row.held_elsewhere
          ? await emailElsewhere(db, accountId)
          : await store.emailOf(accountId, row.creator),
        loginPath: `/login?${new URLSearchParams({ step: 'signin', aid: accountId, region: row.region })}`,
        mayRelease: accountId !== rootId && row.state !== LIFE_CYCLE_STATES.Deleting,
      }
    },

    /** Cannot be undone. Earlier usage is charged at the price of the earlier edition. */
    async upgrade(accountId: string, by: Author): Promise<void> {
      await meter()
      await db.transaction().execute(async (trx) => {
        const { name, edition, state } = await lockAccount(trx, accountId)
        if (edition === 'standard')
          throw new AppError(
            'Conflict',
            `${accountId} already has the standard edition, which cannot be undone.`,
          )
        if (state === LIFE_CYCLE_STATES.Deleting || state === LIFE_CYCLE_STATES.Rejected)
          throw new AppError('Conflict', `${accountId} is closed, and cannot be upgraded.`)
        await updateAccount(trx, accountId, { edition: 'standard' })
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by,
          action: 'account.upgrade',
          object: { type: 'account', id: accountId, name },
          before: { edition },
          after: { edition: 'standard' },
        })
      })
      onMoved([accountId])
    },
  }
}

export type Orgs = ReturnType<typeof createOrgs>

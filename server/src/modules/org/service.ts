import {
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
import { type AccountRow, findAccount, makerOf, updateAccount } from './account-store.ts'
import { lockAccount } from './move-account.ts'
import { createOrgStore } from './store.ts'
import { createNewAccounts } from './new-account.ts'
import { createRelease } from './release.ts'

export interface OrgOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly links: Links
  readonly mails: Pick<Mails, 'write'>
  readonly requireAccepted: RequireAcceptedAddress
  readonly region: string
  /** Cards can be bound here. */
  readonly paymentEnabled: boolean
  /** Charges what runs up to now. */
  readonly meter: () => Promise<void>
  /** Called after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
}

export type From = Caller & { readonly actor: Actor }

const missing = () => new AppError('NotFound', MESSAGES.accountMissing)
const isListed = (row: { state: number }) => row.state === LIFE_CYCLE_STATES.Available

const itemOf = (
  row: Pick<
    AccountRow,
    'account_id' | 'name' | 'creator' | 'organisation_id' | 'csp' | 'region' | 'edition' | 'created_at'
  > & { state: number; created_by?: string | null },
  { rootId, isAdmin }: { rootId: string | null; isAdmin: boolean },
): AccountListItem => ({
  accountId: row.account_id,
  name: row.name,
  creator: isAdmin ? makerOf({ creator: row.creator, created_by: row.created_by ?? null }) : '',
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

/** Organisations and their accounts. Administrators of the root account act on all, others on their own. */
export function createOrgs(options: OrgOptions) {
  const { db, clock, paymentEnabled, meter, onMoved } = options
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
      return {
        orgId: row.organisation_id,
        name: row.name,
        orgAccountId: row.root_account_id ?? '',
        createdAt: row.created_at.toISOString(),
        accounts: await store.countOpen(row.organisation_id),
        source: row.source,
        orgIdentity: row.identity,
        paymentEnabled,
        freezeReason: row.freeze_reason as Output<typeof org.detail>['freezeReason'],
      }
    },

    /** Every user can switch to another account, so every user sees the names of the open ones. */
    async list(actor: Actor, withDeleted: boolean): Promise<AccountListItem[]> {
      const { organisation_id: id, root_account_id: rootId } = await store.organisationOf(actor.accountId)
      const view = { rootId, isAdmin: actor.isOrgAdmin }
      const rows = (await store.accountsOf(id)).filter((row) => actor.isOrgAdmin || isListed(row))
      const deleted = withDeleted && actor.isOrgAdmin ? await store.deletedOf(id) : []
      return [
        ...rows.map((row) => itemOf(row, view)),
        ...deleted.map((row) => itemOf({ ...row, state: LIFE_CYCLE_STATES.Deleted }, view)),
      ]
    },

    async accountDetail(actor: Actor, accountId: string): Promise<Output<typeof org.accountDetail>> {
      const { row, rootId } = await find(actor, accountId)
      return {
        ...itemOf(row, { rootId, isAdmin: true }),
        creatorEmail: await store.emailOfUser(row.created_by === null ? row.creator_id : row.created_by_id),
        administrator: row.creator,
        administratorEmail: await store.emailOf(accountId, row.creator),
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

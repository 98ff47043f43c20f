import {
  type AccountListItem,
  type Edition,
  type Input,
  LIFE_CYCLE_STATES,
  LIMITS,
  IDENTITY_MESSAGES,
  MESSAGES,
  type org,
  type Output,
} from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import type { Links } from '../link/service.ts'
import type { RequireAcceptedAddress } from '../mail/accepted-address.ts'
import type { Mails } from '../mail/service.ts'
import { type AccountRow, findAccount, makerOf, updateAccount } from './account-store.ts'
import { lockAccount, moveAccount } from './move-account.ts'
import { openAccount, openOrganisation, type OrganisationDraft } from './open-account.ts'
import { countAccounts, lockOrganisation } from './organisation-store.ts'
import { createOrgStore } from './store.ts'
import { hasOpenTrial } from './trial-store.ts'

export interface OrgOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly links: Links
  readonly mails: Pick<Mails, 'write'>
  readonly requireAccepted: RequireAcceptedAddress
  readonly region: string
  /** ACCOUNT-77: cards can be bound here. */
  readonly paymentEnabled: boolean
  /** Charges what runs up to now. */
  readonly meter: () => Promise<void>
  /** Told after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
}

type From = Caller & { readonly actor: Actor }

/** Of a new account, by whoever opens it. */
export interface NewAccountOrder extends Input<typeof org.createAccount> {
  /** One that is there, or a new one, of which this is the root account. */
  readonly organisation: { readonly id: string } | Omit<OrganisationDraft, 'at'>
  readonly begins: 'set up' | 'review'
  readonly by: Author
  readonly invitedBy: string
}

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

/** Also for a transaction of somebody else's. */
export async function requireAccount(db: Kysely<Schema>, accountId: string): Promise<AccountRow> {
  const row = await findAccount(db, accountId)
  if (!row) throw missing()
  return row
}

function requireReleasable(row: AccountRow, rootId: string | null): void {
  // ACCOUNT-36
  if (row.account_id === rootId) throw new AppError('Conflict', IDENTITY_MESSAGES.rootAccountStays)
  if (row.state === LIFE_CYCLE_STATES.Deleting)
    throw new AppError('Conflict', `The account ${row.name} is already being deleted.`)
}

/** The organisation's row is locked: two at the same moment cannot both be the last one that fits. */
async function reserveRoom(trx: Transaction<Schema>, organisationId: string): Promise<void> {
  if (!(await lockOrganisation(trx, organisationId)))
    throw new AppError('NotFound', 'There is no such organisation.')
  const count = await countAccounts(trx, organisationId)
  if (count >= LIMITS.accountsPerOrganisation)
    throw new AppError(
      'LimitReached',
      `An organisation has at most ${LIMITS.accountsPerOrganisation} accounts. Delete one that is no longer needed.`,
    )
}

/** Organisations and their accounts. Administrators of the root account act on all, others on their own. */
export function createOrgs(options: OrgOptions) {
  const { db, clock, links, mails, requireAccepted, region, paymentEnabled, meter, onMoved } = options
  const store = createOrgStore(db)

  /** Any account for the root account's people, else the own one; the rest does not exist for them. */
  async function find(actor: Actor, accountId: string) {
    const organisation = await store.organisationOf(actor.accountId)
    const rootId = organisation.root_account_id
    const isTheirs = accountId === actor.accountId || actor.accountId === rootId
    const row = isTheirs ? await store.account(organisation.organisation_id, accountId) : undefined
    if (!row) throw missing()
    return { row, rootId }
  }

  async function organisationFor(trx: Transaction<Schema>, { organisation }: NewAccountOrder) {
    if (!('id' in organisation)) return openOrganisation(trx, { ...organisation, at: clock.now() })
    await reserveRoom(trx, organisation.id)
    return organisation.id
  }

  /** Opens an account and invites its administrator, or does neither. */
  const create = (order: NewAccountOrder): Promise<string> =>
    db.transaction().execute(async (trx) => {
      const { accountId, userId } = await openAccount(trx, {
        organisationId: await organisationFor(trx, order),
        name: order.name,
        isRoot: !('id' in order.organisation),
        csp: 'local',
        region,
        edition: order.edition,
        administrator: { name: order.adminName, email: order.adminEmail, passwordHash: null },
        begins: order.begins,
        wantsSamples: order.sampleData,
        by: order.by,
        at: clock.now(),
      })
      const token = await links.create(trx, { purpose: 'invitation', subject: userId, accountId })
      await mails.write(trx, {
        to: order.adminEmail.toLowerCase(),
        accountId,
        kind: 'invitation',
        details: {
          accountId,
          accountName: order.name,
          user: order.adminName,
          invitedBy: order.invitedBy,
          token,
        },
      })
      return accountId
    })

  return {
    create,

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

    /** ACCOUNT-41. Everyone may change to another account, so everyone is told the names of those that are open. */
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

    /** ACCOUNT-25: for good. What was used before is charged at the price of the edition that it had. */
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

    async createByUser(from: From, draft: Input<typeof org.createAccount>): Promise<string> {
      const { actor } = from
      const organisation = await store.organisationOf(actor.accountId)
      if (organisation.root_account_id !== actor.accountId)
        throw new AppError('NoPermission', 'Accounts are created in the root account of the organisation.')
      // ACCOUNT-32
      if (await hasOpenTrial(db, organisation.organisation_id))
        throw new AppError('NotInTrial', IDENTITY_MESSAGES.notInTrial)
      requireAccepted(draft.adminEmail)
      return create({
        ...draft,
        organisation: { id: organisation.organisation_id },
        begins: 'set up',
        by: userAuthor(from),
        invitedBy: actor.user,
      })
    },

    /** ACCOUNT-33, ACCOUNT-34: nothing happens to the account until the mailed link is used. */
    async askForRelease(from: From, accountId: string, phrase: string): Promise<{ mailedTo: string }> {
      const { actor } = from
      const { row, rootId } = await find(actor, accountId)
      requireReleasable(row, rootId)
      if (phrase !== row.name) throw new AppError('BadInput', `phrase: ${IDENTITY_MESSAGES.deletionPhrase}`)
      const mailedTo = await store.emailOf(actor.accountId, actor.user)
      if (mailedTo === '')
        throw new AppError(
          'Conflict',
          'The deletion is confirmed by mail, and you have no mail address. Add one in your profile first.',
        )
      await db.transaction().execute(async (trx) => {
        const token = await links.create(trx, {
          purpose: 'accountDeletion',
          subject: accountId,
          accountId: actor.accountId,
        })
        const page = `/${row.region}/${actor.accountId}/admin/account`
        await mails.write(trx, {
          to: mailedTo,
          accountId: actor.accountId,
          kind: 'deletionConfirmation',
          details: { accountId, accountName: row.name, path: `${page}?release=${token}` },
        })
        await recordAudit(trx, {
          accountId,
          at: clock.now(),
          by: userAuthor(from),
          action: 'account.ask-release',
          object: { type: 'account', id: accountId, name: row.name },
          before: null,
          after: { mailedTo },
        })
      })
      return { mailedTo }
    },

    async confirmRelease(from: From, token: string): Promise<{ accountId: string; name: string }> {
      const { row, rootId } = await find(from.actor, await links.look('accountDeletion', token))
      requireReleasable(row, rootId)
      await db.transaction().execute(async (trx) => {
        const accountId = await links.take(trx, 'accountDeletion', token)
        await moveAccount(trx, { accountId, move: 'release', by: userAuthor(from), at: clock.now() })
      })
      onMoved([row.account_id])
      return { accountId: row.account_id, name: row.name }
    },
  }
}

export type Orgs = ReturnType<typeof createOrgs>

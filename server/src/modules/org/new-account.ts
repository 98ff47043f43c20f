import { type Input, LIMITS, IDENTITY_MESSAGES, type org } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, userAuthor } from '../audit/author.ts'
import {
  type AccountDraft,
  openAccount,
  openElsewhere,
  openOrganisation,
  type OrganisationDraft,
} from './open-account.ts'
import { countAccounts, lockOrganisation } from './organisation-store.ts'
import { hasOpenTrial } from './trial-store.ts'
import type { OrgOptions, From } from './service.ts'
import type { OrgStore } from './store.ts'

/** A new account, opened by a user or by the operator. */
export interface NewAccountOrder extends Input<typeof org.createAccount> {
  /** One that is there, or a new one, of which this is the root account. */
  readonly organisation: { readonly id: string } | Omit<OrganisationDraft, 'at'>
  readonly begins: 'set up' | 'review'
  readonly by: Author
  readonly invitedBy: string
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

/** Opens further accounts of organisations. */
export function createNewAccounts(
  { db, clock, links, mails, requireAccepted, placeOf, clusterEngine, central }: OrgOptions,
  store: Pick<OrgStore, 'organisationOf'>,
) {
  /** Organisations and their root accounts are on the central server, which knows all of their accounts. */
  function requirePlace(order: NewAccountOrder) {
    if (central) throw new AppError('Conflict', `Accounts of this region are created on ${central.url}.`)
    const place = placeOf(order)
    if (place.isElsewhere && !('id' in order.organisation))
      throw new AppError('BadInput', 'region: A root account is in the region of the central server.')
    if (place.isElsewhere && order.begins === 'review')
      throw new AppError('BadInput', 'review: Only an account in the region of this server can be reviewed.')
    if (place.isElsewhere && order.engines !== 'both')
      throw new AppError('BadInput', 'engines: Only an account in the region of this server can choose them.')
    if (order.engines === 'cluster' && clusterEngine === null)
      throw new AppError(
        'BadInput',
        "engines: Clusters are not offered here. 'npx boathouse status' says why.",
      )
    return place
  }

  async function organisationFor(trx: Transaction<Schema>, { organisation }: NewAccountOrder) {
    if (!('id' in organisation)) return openOrganisation(trx, { ...organisation, at: clock.now() })
    await reserveRoom(trx, organisation.id)
    return organisation.id
  }

  /** Opens an account and invites its administrator, or does neither. */
  async function create(order: NewAccountOrder): Promise<string> {
    const { csp, region, isElsewhere } = requirePlace(order)
    return db.transaction().execute(async (trx) => {
      const draft: AccountDraft = {
        organisationId: await organisationFor(trx, order),
        name: order.name,
        isRoot: !('id' in order.organisation),
        csp,
        region,
        edition: order.edition,
        engines: order.engines,
        firstEngine: order.engines === 'cluster' ? clusterEngine : null,
        administrator: { name: order.adminName, email: order.adminEmail, passwordHash: null },
        begins: order.begins,
        wantsSamples: order.sampleData,
        by: order.by,
        at: clock.now(),
      }
      if (isElsewhere) return openElsewhere(trx, { ...draft, invitedBy: order.invitedBy })
      const { accountId, userId } = await openAccount(trx, draft)
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
  }

  return {
    create,

    async createByUser(from: From, draft: Input<typeof org.createAccount>): Promise<string> {
      const { actor } = from
      const organisation = await store.organisationOf(actor.accountId)
      if (organisation.root_account_id !== actor.accountId)
        throw new AppError('NoPermission', 'Accounts are created in the root account of the organisation.')
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
  }
}

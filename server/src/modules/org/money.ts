import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { AppError } from '../../kernel/app-error.ts'
import { type Author, SERVICE } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { lockAccountsOf } from './account-store.ts'
import { moveAccount, type MoveOrder, statesOf } from './move-account.ts'
import { ORG_IDENTITIES, ORG_SOURCES } from './open-account.ts'
import { administratorsOf, lockOrganisation, setIdentity, setSource } from './organisation-store.ts'
import { type MoveName, statesAfter } from './states.ts'

/** Mails about money go to as many administrators. */
const READERS = 20

export const readersOfBills = (trx: Transaction<Schema>, organisationId: string) =>
  administratorsOf(trx, organisationId, READERS)

interface Order {
  readonly organisationId: string
  readonly move: Extract<MoveName, 'freeze' | 'freeze until deletion' | 'resume'>
  readonly at: Date
  readonly by?: Author
  readonly reason?: MoveOrder['reason']
  /** Only accounts that were frozen for one of these. */
  readonly frozenFor?: readonly (string | null)[]
}

/** Every account of the organisation that can be moved so, in the order of their ids, as their logs are written. */
export async function moveAccountsOf(trx: Transaction<Schema>, order: Order): Promise<string[]> {
  const { organisationId, move, at, by = SERVICE, reason, frozenFor } = order
  const rows = await lockAccountsOf(trx, organisationId)
  const movable = rows.filter(
    (row) =>
      statesAfter(statesOf(row), move) !== null && (!frozenFor || frozenFor.includes(row.freeze_reason)),
  )
  for (const { account_id: accountId } of movable)
    await moveAccount(trx, { accountId, move, by, at, ...(reason ? { reason } : {}) })
  return movable.map((row) => row.account_id)
}

interface ContractOrder {
  readonly organisationId: string
  readonly isContract: boolean
  readonly by: Author
  readonly at: Date
}

/** Whether the organisation pays by contract. It stays locked until the transaction ends. */
export async function setContract(trx: Transaction<Schema>, order: ContractOrder): Promise<void> {
  const { organisationId, isContract, by, at } = order
  const found = await lockOrganisation(trx, organisationId)
  if (!found) throw new AppError('NotFound', 'There is no such organisation.')
  if ((found.identity === ORG_IDENTITIES.Contract) === isContract)
    throw new AppError(
      'Conflict',
      isContract ? `${found.name} pays by contract already.` : `${found.name} does not pay by contract.`,
    )
  // Before any log is written: who moves these accounts at the same time waits here.
  await lockAccountsOf(trx, organisationId)
  const identity = isContract ? ORG_IDENTITIES.Contract : ORG_IDENTITIES.Company
  await setIdentity(trx, organisationId, identity)
  if (found.root_account_id === null) return
  await recordAudit(trx, {
    accountId: found.root_account_id,
    at,
    by,
    action: isContract ? 'organisation.begin-contract' : 'organisation.end-contract',
    object: { type: 'organisation', id: organisationId, name: found.name },
    before: { identity: found.identity },
    after: { identity },
  })
}

interface MarketplaceOrder {
  readonly organisationId: string
  readonly customer: string
  readonly by: Author
  readonly at: Date
}

/** The organisation pays through a marketplace from now on. It stays locked until the transaction ends. */
export async function setMarketplace(trx: Transaction<Schema>, order: MarketplaceOrder): Promise<void> {
  const { organisationId, customer, by, at } = order
  const found = await lockOrganisation(trx, organisationId)
  if (!found) throw new AppError('NotFound', 'There is no such organisation.')
  if (found.identity === ORG_IDENTITIES.Contract)
    throw new AppError('Conflict', `${found.name} pays by contract. End the contract first.`)
  if (found.source === ORG_SOURCES.Marketplace)
    throw new AppError('Conflict', `${found.name} pays through a marketplace already.`)
  await lockAccountsOf(trx, organisationId)
  await setSource(trx, organisationId, ORG_SOURCES.Marketplace)
  if (found.root_account_id === null) return
  await recordAudit(trx, {
    accountId: found.root_account_id,
    at,
    by,
    action: 'organisation.begin-marketplace',
    object: { type: 'organisation', id: organisationId, name: found.name },
    before: { source: found.source },
    after: { source: ORG_SOURCES.Marketplace, customer },
  })
}

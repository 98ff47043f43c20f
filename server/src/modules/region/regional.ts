import { isFrozen, LIFE_CYCLE_STATES, SHELL_STATES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import { SERVICE } from '../audit/author.ts'
import type { Links } from '../link/service.ts'
import type { Mails } from '../mail/service.ts'
import { moveAccount, statesOf } from '../org/move-account.ts'
import { openAccount } from '../org/open-account.ts'
import { keepOrganisationOfCentral } from '../org/regional-store.ts'
import type { Orgs } from '../org/service.ts'
import { type MoveName, statesAfter } from '../org/states.ts'
import { hasUnhandedStorage, markStorageHanded, unhandedStorage } from '../storage/handed-storage-store.ts'
import { hasUnhandedUsage, markUsageHanded, unhandedUsage } from '../warehouse/handed-usage-store.ts'
import { type AccountOrder, type AccountReport, MOST_ROWS, type Sync } from './messages.ts'

export interface RegionalOptions {
  readonly db: Kysely<Schema>
  readonly region: string
  readonly orgs: Pick<Orgs, 'findHeld' | 'upgrade'>
  readonly links: Links
  readonly mails: Pick<Mails, 'write'>
  /** Called after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
  /** Counts what runs up to now. */
  readonly meter: () => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

type Held = NonNullable<Awaited<ReturnType<Orgs['findHeld']>>['row']>

/** What has to be done to an account for it to be as it is wanted; null: nothing, or nothing that this server can do. */
function moveFor(row: Held, order: AccountOrder): MoveName | null {
  const wantsDeleted = order.state === LIFE_CYCLE_STATES.Deleting
  const isDeleting = row.state === LIFE_CYCLE_STATES.Deleting
  if (wantsDeleted !== isDeleting) return wantsDeleted ? 'release' : 'restore'
  if (order.state === LIFE_CYCLE_STATES.Pending && row.state === LIFE_CYCLE_STATES.Failed)
    return 'retry set-up'
  if (order.shellState === SHELL_STATES.FrozenForDeletion && row.shell_state !== order.shellState)
    return 'freeze until deletion'
  if (isFrozen(order.shellState) && !isFrozen(row.shell_state)) return 'freeze'
  const wantsOpen: boolean =
    order.shellState === SHELL_STATES.Resuming || order.shellState === SHELL_STATES.Active
  return wantsOpen && isFrozen(row.shell_state) ? 'resume' : null
}

/** Before the rows of an account go: the central server must have all that it bills. */
export async function requireHandedOver(trx: Transaction<Schema>, accountId: string): Promise<void> {
  if ((await hasUnhandedUsage(trx, accountId)) || (await hasUnhandedStorage(trx, accountId)))
    throw new AppError('Conflict', `The central server has not fetched all usage of ${accountId} yet.`)
}

const NOWHERE = { state: LIFE_CYCLE_STATES.Deleted, shellState: SHELL_STATES.Closed, freezeReason: null }

const keepOrganisation = (trx: Transaction<Schema>, { organisation }: AccountOrder) =>
  keepOrganisationOfCentral(trx, {
    organisation_id: organisation.id,
    name: organisation.name,
    identity: organisation.identity,
    source: organisation.source,
    created_at: organisation.createdAt,
  })

const reportOf = (row: Held): AccountReport => ({
  accountId: row.account_id,
  found: 'here',
  state: row.state,
  shellState: row.shell_state,
  edition: row.edition as AccountOrder['edition'],
  freezeReason: row.freeze_reason,
  deleteAt: row.delete_at?.toISOString() ?? null,
})

/** The region's part: it has the accounts, does what the central server orders, and hands over what was used. */
export function createRegional(options: RegionalOptions) {
  const { db, region, orgs, links, mails, onMoved, meter, clock, log } = options

  /** With its administrator, who is invited, or neither. */
  const open = (order: AccountOrder): Promise<void> =>
    db.transaction().execute(async (trx) => {
      await keepOrganisation(trx, order)
      const { accountId, userId } = await openAccount(trx, {
        accountId: order.accountId,
        organisationId: order.organisation.id,
        name: order.name,
        isRoot: false,
        csp: order.csp,
        region,
        edition: order.edition,
        administrator: { name: order.administrator, email: order.email, passwordHash: null },
        begins: 'set up',
        wantsSamples: order.samples,
        createdBy: order.createdBy,
        by: SERVICE,
        at: clock.now(),
      })
      const token = await links.create(trx, { purpose: 'invitation', subject: userId, accountId })
      const { name: accountName, administrator: user, invitedBy } = order
      await mails.write(trx, {
        to: order.email.toLowerCase(),
        accountId,
        kind: 'invitation',
        details: { accountId, accountName, user, invitedBy, token },
      })
    })

  async function follow(row: Held, order: AccountOrder): Promise<void> {
    const { accountId } = order
    if (order.edition === 'standard' && row.edition === 'lake') await orgs.upgrade(accountId, SERVICE)
    const move = moveFor(row, order)
    if (move === null || statesAfter(statesOf(row), move) === null) return
    const reason = order.freezeReason === null ? {} : { reason: order.freezeReason }
    await db
      .transaction()
      .execute((trx) => moveAccount(trx, { accountId, move, by: SERVICE, at: clock.now(), ...reason }))
    onMoved([accountId])
  }

  async function apply(order: AccountOrder): Promise<AccountReport> {
    const { accountId, edition } = order
    const found = await orgs.findHeld(accountId)
    const absent = { accountId, ...NOWHERE, edition, deleteAt: null }
    const isUnwanted = order.state === LIFE_CYCLE_STATES.Deleting
    if (found.wasDeleted || (!found.row && isUnwanted)) return { ...absent, found: 'gone' }
    if (!found.row && !order.isNew) return { ...absent, found: 'missing' }
    if (!found.row) await open(order)
    else {
      if (found.row.organisation_id !== order.organisation.id)
        throw new AppError(
          'Conflict',
          `The account ${accountId} of ${region} is one of another organisation.`,
        )
      await db.transaction().execute((trx) => keepOrganisation(trx, order))
      if (order.isOrder) await follow(found.row, order)
    }
    const { row } = await orgs.findHeld(accountId)
    return row ? reportOf(row) : { ...absent, found: 'gone' }
  }

  return {
    async answerSync({ accounts, keptUsage, keptStorage, wantsUsage }: Sync) {
      if (keptUsage.length > 0) await markUsageHanded(db, keptUsage)
      if (keptStorage.length > 0) await markStorageHanded(db, keptStorage)
      const reports: AccountReport[] = []
      for (const order of accounts)
        try {
          reports.push(await apply(order))
        } catch (error) {
          // Of one account: the others are not held up, and the central server asks again.
          log.error({ err: error, accountId: order.accountId }, 'an order of the central server failed')
        }
      if (!wantsUsage) return { accounts: reports, usage: [], storage: [] }
      await meter()
      return {
        accounts: reports,
        usage: await unhandedUsage(db, MOST_ROWS),
        storage: await unhandedStorage(db, MOST_ROWS),
      }
    },
  }
}

export type Regional = ReturnType<typeof createRegional>

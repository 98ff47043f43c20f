import { isBuiltIn, MESSAGES, objectText } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import type { Holders } from './holders.ts'
import type { LastAdministrator } from './last-administrator.ts'
import type { PassedOnRights, Revoked } from './passed-on.ts'
import type { RankRule } from './rank.ts'
import type { AccessStore } from './store.ts'
import type { PeopleStore, PersonRow } from '../user/people-with-roles-store.ts'

/** Somebody who changes what others may do, and from where. */
export type From = Pick<Caller, 'clientIp'> & {
  readonly actor: Actor
  /** Nothing is changed: what would go with it is thrown as a `Rehearsed`. */
  readonly isRehearsal?: true
}

export class Rehearsed extends Error {
  override readonly name = 'Rehearsed'

  constructor(readonly taken: readonly Revoked[]) {
    super('This was a dry run.')
  }
}

export interface ChangeParts {
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly store: AccessStore
  readonly people: PeopleStore
  readonly holders: Holders
  readonly rank: RankRule
  readonly passedOn: PassedOnRights
  readonly lastAdministrator: LastAdministrator
  readonly clock: Clock
  /**
   * Called after the change with the users whose privileges changed and their administrators; null: all users of the
   * account.
   */
  readonly onChanged: (accountId: string, userIds: readonly string[] | null) => void
}

/** If more users are affected, the whole account is notified. */
const MOST_NOTIFIED = 200
/** The audit log says of no more, and how many there were. */
const MOST_AUDITED = 50

export interface Changed {
  readonly audit: Pick<AuditEvent, 'action' | 'object' | 'before' | 'after'>
  readonly userIds: readonly string[]
}

/** Revokes what users passed on who have just lost something, as the last step before they are removed. */
type RevokePassedOn = (userIds: readonly string[]) => Promise<void>

const textOf = ({ key, privileges, ...object }: Revoked): string =>
  `${privileges.join(', ')} on ${objectText(object)} of ${'userId' in key ? `user ${key.userId}` : `role ${key.role}`}`

const withTaken = (audit: Changed['audit'], taken: readonly Revoked[]): Changed['audit'] =>
  taken.length === 0
    ? audit
    : {
        ...audit,
        before: {
          ...audit.before,
          passedOn: taken.slice(0, MOST_AUDITED).map(textOf),
          passedOnCount: taken.length,
        },
      }

/** Runs one change of an account's access: alone, recorded in the audit log, and announced to affected users. */
export function createChange(parts: Omit<ChangeParts, 'rank' | 'lastAdministrator' | 'people'>) {
  const { transaction, store, holders, passedOn, clock, onChanged } = parts
  return async function change(
    from: From,
    work: (trx: Transaction<Schema>, revokePassedOn: RevokePassedOn) => Promise<Changed>,
  ): Promise<void> {
    const { accountId } = from.actor
    const affected = await transaction(async (trx) => {
      await store.lock(trx, accountId)
      const taken: Revoked[] = []
      const changed = await work(trx, async (userIds) => {
        taken.push(...(await passedOn.revoke(trx, accountId, userIds)))
        if (from.isRehearsal) throw new Rehearsed(taken)
      })
      if (from.isRehearsal) throw new Rehearsed(taken)
      const audit = withTaken(changed.audit, taken)
      await recordAudit(trx, { accountId, at: clock.now(), by: userAuthor(from), ...audit })
      // Open pages of other administrators show it too.
      const administrators = await holders(trx, accountId, 'user_admin')
      const found = new Set([...changed.userIds, ...administrators.map(({ user_id }) => user_id)])
      for (const one of taken)
        for (const userId of await passedOn.usersOf(trx, accountId, one)) found.add(userId)
      return found
    })
    onChanged(accountId, affected.size > MOST_NOTIFIED ? null : [...affected])
  }
}

export type Change = ReturnType<typeof createChange>

/** A role of the account, built-in or not, with its true name. */
export async function requireRole(
  store: Pick<AccessStore, 'findRole'>,
  executor: Kysely<Schema> | undefined,
  { accountId, role }: { accountId: string; role: string },
): Promise<string> {
  const lower = role.toLowerCase()
  if (isBuiltIn(lower)) return lower
  const found = await store.findRole(accountId, role, executor)
  if (!found) throw new AppError('NotFound', `There is no role ${role} in this account.`)
  return found.name
}

export async function requirePerson(
  people: Pick<PeopleStore, 'find'>,
  executor: Kysely<Schema> | undefined,
  { accountId, user }: { accountId: string; user: string },
): Promise<PersonRow> {
  const found = await people.find(accountId, user, executor)
  if (!found) throw new AppError('NotFound', `There is no user ${user} in this account.`)
  return found
}

export function requireChangeable(role: string): void {
  if (isBuiltIn(role))
    throw new AppError('Conflict', `${role} is a built-in role. Nothing can be granted to it.`)
}

export function requireOther(actor: Actor, userId: string): void {
  if (actor.userId === userId)
    throw new AppError('Conflict', 'You cannot grant to yourself. Ask another user administrator.')
}

export function requireUserAdmin(actor: Actor): void {
  if (!actor.activeRoles.includes('user_admin')) throw new AppError('NoPermission', MESSAGES.noPermission)
}

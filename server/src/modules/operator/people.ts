import { randomUUID } from 'node:crypto'
import type { BuiltInRole } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import { OPERATOR, OPERATOR_NAME } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { giveSamples } from '../editor/saved-queries-store.ts'
import { requireAccount } from '../org/service.ts'
import { type AddressChangeParts, changeAddress } from '../user/address-change.ts'
import { endLoginsOf, type Logins } from '../user/logins.ts'
import { BY_OPERATOR, generatePassword, hashPassword } from '../user/passwords.ts'
import {
  deleteUser,
  findUser,
  insertUser,
  listUsers,
  othersHold,
  setPassword,
  type UserRow,
} from '../user/people-store.ts'
import { orTaken } from '../user/taken-name.ts'

const MOST_LISTED = 1_000

export interface OperatorPeopleOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly logins: Pick<Logins, 'notifyEnded'>
  readonly links: AddressChangeParts['links']
  readonly mails: AddressChangeParts['mails']
  /** What was granted to them goes, and what they passed on. */
  readonly beforeRemoval: (trx: Transaction<Schema>, accountId: string, userId: string) => Promise<void>
}

export interface NewPerson {
  readonly account: string
  readonly name: string
  readonly email: string | null
  readonly roles: readonly BuiltInRole[]
  /** For a program, with API keys alone. */
  readonly isService: boolean
}

/** An account that nobody can administer any more is of no use to anybody. */
async function requireOtherAdministrator(trx: Transaction<Schema>, user: UserRow) {
  if (!(await othersHold(trx, user, 'account_admin')))
    throw new AppError(
      'Conflict',
      `The only user with the role account_admin in ${user.account_id} cannot be deleted. Create another one first.`,
    )
}

async function find(executor: Kysely<Schema>, accountId: string, name: string): Promise<UserRow> {
  const row = await findUser(executor, accountId, name)
  if (!row) throw new AppError('NotFound', `There is no user ${name} in the account ${accountId}.`)
  return row
}

async function findPerson(executor: Kysely<Schema>, accountId: string, name: string): Promise<UserRow> {
  const row = await find(executor, accountId, name)
  if (row.is_service)
    throw new AppError('Conflict', `${row.name} is a service user, which has API keys and nothing else.`)
  return row
}

/** What an operator does with users of any account. */
export function createOperatorPeople(options: OperatorPeopleOptions) {
  const { db, clock, logins, links, mails, beforeRemoval } = options
  const record = (
    trx: Transaction<Schema>,
    user: { account_id: string; user_id: string; name: string },
    change: {
      action: `user.${string}`
      before: Record<string, unknown> | null
      after: Record<string, unknown> | null
    },
  ) =>
    recordAudit(trx, {
      accountId: user.account_id,
      at: clock.now(),
      by: OPERATOR,
      object: { type: 'user', id: user.user_id, name: user.name },
      ...change,
    })

  async function invite(trx: Transaction<Schema>, person: NewPerson & { userId: string; email: string }) {
    const { account: accountId, name: user, userId, email } = person
    const { name: accountName } = await requireAccount(trx, accountId)
    const token = await links.create(trx, { purpose: 'invitation', subject: userId, accountId })
    const details = { accountId, accountName, user, invitedBy: OPERATOR_NAME, token }
    await mails.write(trx, { to: email, accountId, kind: 'invitation', details })
  }

  return {
    list: (accountId: string) => listUsers(db, accountId, MOST_LISTED),

    /** Invited by mail, or without an address given a password that is answered once; a service user gets neither. */
    async create(
      person: NewPerson,
    ): Promise<{ user: string; password: string | null; mailedTo: string | null }> {
      const userId = randomUUID()
      const email = person.email?.trim().toLowerCase() ?? null
      const { isService } = person
      if (isService && email !== null) throw new AppError('BadInput', 'A service user has no mail address.')
      const password = email === null && !isService ? generatePassword() : null
      const at = clock.now()
      const passwordHash = password === null ? null : await hashPassword(password, BY_OPERATOR)
      const roles = person.roles.length > 0 ? person.roles : (['public'] as const)
      await orTaken({ name: person.name, email }, () =>
        db.transaction().execute(async (trx) => {
          await requireAccount(trx, person.account)
          await insertUser(trx, {
            userId,
            accountId: person.account,
            name: person.name,
            email,
            passwordHash,
            isOrgAdmin: roles.includes('org_admin'),
            isService,
            roles,
            at,
          })
          if (!isService) await giveSamples(trx, { accountId: person.account, userId, at })
          if (email !== null) await invite(trx, { ...person, userId, email })
          const user = { account_id: person.account, user_id: userId, name: person.name }
          await record(trx, user, { action: 'user.create', before: null, after: { email, roles } })
        }),
      )
      return { user: person.name, password, mailedTo: email }
    },

    async delete(accountId: string, name: string): Promise<void> {
      const ended = await db.transaction().execute(async (trx) => {
        const user = await find(trx, accountId, name)
        await requireOtherAdministrator(trx, user)
        const endedLogins = await endLoginsOf(trx, user.user_id)
        await beforeRemoval(trx, accountId, user.user_id)
        await deleteUser(trx, user.user_id)
        await record(trx, user, { action: 'user.delete', before: { email: user.email }, after: null })
        return endedLogins
      })
      logins.notifyEnded(ended)
    },

    /** Counts at once: the operator could set the password as well. */
    async setEmail(accountId: string, name: string, email: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const { user_id: userId } = await findPerson(trx, accountId, name)
        const audit = await changeAddress(options, trx, { userId, email, setBy: OPERATOR_NAME })
        if (audit) await recordAudit(trx, { accountId, at: clock.now(), by: OPERATOR, ...audit })
      })
    },

    /** A new password, shown to the operator once. All logins of the user end. */
    async resetPassword(accountId: string, name: string): Promise<string> {
      const password = generatePassword()
      const hash = await hashPassword(password, BY_OPERATOR)
      const ended = await db.transaction().execute(async (trx) => {
        const user = await findPerson(trx, accountId, name)
        await setPassword(trx, user.user_id, { hash, at: clock.now() })
        const endedLogins = await endLoginsOf(trx, user.user_id)
        await record(trx, user, { action: 'user.reset-password', before: null, after: null })
        return endedLogins
      })
      logins.notifyEnded(ended)
      return password
    },
  }
}

export type OperatorPeople = ReturnType<typeof createOperatorPeople>

import { randomUUID } from 'node:crypto'
import { decodePassword, LIMITS, type UserEntry } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { RequireAcceptedAddress } from '../mail/accepted-address.ts'
import { type AddressChangeParts, changeAddress } from '../user/address-change.ts'
import { endLoginsOf, type Logins } from '../user/logins.ts'
import { administering, hashPassword } from '../user/passwords.ts'
import { giveSamples } from '../editor/saved-queries-store.ts'
import { setPassword } from '../user/people-store.ts'
import { type Change, type ChangeParts, type From, requirePerson, requireRole } from './changes.ts'
import { entryOf } from '../user/people-with-roles-store.ts'
import { orTaken } from '../user/taken-name.ts'

export interface PeopleParts extends ChangeParts {
  readonly change: Change
  readonly links: AddressChangeParts['links']
  readonly mails: AddressChangeParts['mails']
  readonly logins: Pick<Logins, 'notifyEnded'>
  readonly requireAccepted: RequireAcceptedAddress
}

export interface PersonDraft {
  readonly user: string
  readonly email: string | null
  /** As it travels. */
  readonly password: string | null
  readonly roles: readonly string[]
}

/** The users of an account, as administrators of users see them. */
export function createPeople(parts: PeopleParts) {
  const { store, people, rank, lastAdministrator, clock, change } = parts
  const { links, mails, logins, requireAccepted } = parts

  return {
    list: people.list,

    async describe(accountId: string, user: string): Promise<UserEntry> {
      return entryOf(await requirePerson(people, undefined, { accountId, user }))
    },

    /** ROLE-41: invited by mail to choose a password, or with one that the administrator chose. */
    async create(from: From, draft: PersonDraft): Promise<{ user: string; mailedTo: string | null }> {
      const { accountId, user: invitedBy } = from.actor
      const { user, email, password } = draft
      if (email === null && password === null)
        throw new AppError('BadInput', 'Enter an email address for the invitation, or a password.')
      if (email !== null) requireAccepted(email)
      const passwordHash =
        password === null ? null : await hashPassword(decodePassword(password), administering(from.actor))
      const mailedTo = passwordHash === null ? email : null
      const userId = randomUUID()
      await orTaken({ name: user, email }, () =>
        change(from, async (trx) => {
          if ((await people.countAll(trx, accountId)) >= LIMITS.usersPerAccount)
            throw new AppError('LimitReached', `An account has at most ${LIMITS.usersPerAccount} users.`)
          const given = await Promise.all(
            draft.roles.map((role) => requireRole(store, trx, { accountId, role })),
          )
          await rank.require(trx, from.actor, { moved: given })
          const at = clock.now()
          const isOrgAdmin = given.includes('org_admin')
          const roles = [...new Set(['public', ...given])]
          await people.insert(trx, {
            userId,
            accountId,
            name: user,
            email,
            passwordHash,
            isOrgAdmin,
            roles,
            at,
          })
          await giveSamples(trx, { accountId, userId, at })
          if (mailedTo !== null) {
            const token = await links.create(trx, { purpose: 'invitation', subject: userId, accountId })
            const accountName = await people.accountName(trx, accountId)
            const details = { accountId, accountName, user, invitedBy, token }
            await mails.write(trx, { to: mailedTo, accountId, kind: 'invitation', details })
          }
          return {
            audit: {
              action: 'user.create',
              object: { type: 'user', id: userId, name: user },
              before: null,
              after: { email, roles: given },
            },
            userIds: [],
          }
        }),
      )
      return { user, mailedTo }
    },

    /** Chosen by an administrator and told to them; every login ends. */
    async setPassword(from: From, { user, password }: { user: string; password: string }): Promise<void> {
      const { accountId, userId } = from.actor
      const hash = await hashPassword(password, administering(from.actor))
      let ended: string[] = []
      await change(from, async (trx) => {
        const person = await requirePerson(people, trx, { accountId, user })
        if (person.user_id === userId)
          throw new AppError(
            'Conflict',
            'Change your own password in your profile, where you enter the current one.',
          )
        await rank.require(trx, from.actor, { of: person })
        await setPassword(trx, person.user_id, { hash, at: clock.now() })
        ended = await endLoginsOf(trx, person.user_id)
        return {
          audit: {
            action: 'user.set-password',
            object: { type: 'user', id: person.user_id, name: person.name },
            before: null,
            after: null,
          },
          userIds: [],
        }
      })
      logins.notifyEnded(ended)
    },

    /** Counts at once: who may set the password of a user may also say where a link to reset it goes, and nobody else. */
    async setEmail(from: From, { user, email }: { user: string; email: string }): Promise<void> {
      const { accountId, userId, user: setBy } = from.actor
      requireAccepted(email)
      await change(from, async (trx) => {
        const person = await requirePerson(people, trx, { accountId, user })
        if (person.user_id === userId)
          throw new AppError(
            'Conflict',
            'Change your own mail address in your profile: it asks for your password and mails a link.',
          )
        await rank.require(trx, from.actor, { of: person })
        const audit = await changeAddress(parts, trx, { userId: person.user_id, email, setBy })
        if (!audit) throw new AppError('Conflict', `${email} is the mail address of ${person.name} already.`)
        return { audit, userIds: [person.user_id] }
      })
    },

    async delete(from: From, user: string): Promise<void> {
      const { accountId, userId } = from.actor
      let ended: string[] = []
      await change(from, async (trx, takeBack) => {
        const person = await requirePerson(people, trx, { accountId, user })
        if (person.user_id === userId)
          throw new AppError('Conflict', 'You cannot remove yourself. Ask another user administrator.')
        await rank.require(trx, from.actor, { of: person })
        await lastAdministrator.requireOther(trx, accountId, person.user_id)
        await people.takeAllRoles(trx, person.user_id)
        await store.forgetUser(trx, accountId, person.user_id)
        await takeBack([person.user_id])
        ended = await endLoginsOf(trx, person.user_id)
        await people.delete(trx, person.user_id)
        await lastAdministrator.requireLeft(trx, accountId)
        return {
          audit: {
            action: 'user.delete',
            object: { type: 'user', id: person.user_id, name: person.name },
            before: { email: person.email, roles: person.roles },
            after: null,
          },
          userIds: [],
        }
      })
      logins.notifyEnded(ended)
    },
  }
}

export type People = ReturnType<typeof createPeople>

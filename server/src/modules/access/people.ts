import type { UserEntry } from '@boathouse/contract'
import { refuseKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { RequireAcceptedAddress } from '../mail/accepted-address.ts'
import { type AddressChangeParts, changeAddress } from '../user/address-change.ts'
import { endLoginsOf, type Logins } from '../user/logins.ts'
import { administering, hashPassword } from '../user/passwords.ts'
import { setPassword } from '../user/people-store.ts'
import { entryOf, type PersonRow } from '../user/people-with-roles-store.ts'
import { type Change, type ChangeParts, type From, requirePerson } from './changes.ts'
import { createNewPerson } from './new-person.ts'

export interface PeopleParts extends ChangeParts {
  readonly change: Change
  readonly links: AddressChangeParts['links']
  readonly mails: AddressChangeParts['mails']
  readonly logins: Pick<Logins, 'notifyEnded'>
  readonly requireAccepted: RequireAcceptedAddress
}

function requireHuman({ name, is_service: isService }: PersonRow): void {
  if (isService)
    throw new AppError(
      'Conflict',
      `${name} is a service user, without password and mail address. Create an API key for it.`,
    )
}

/** The users of an account, as administrators of users see them. */
export function createPeople(parts: PeopleParts) {
  const { store, people, rank, lastAdministrator, clock, change } = parts
  const { logins, requireAccepted } = parts

  return {
    create: createNewPerson(parts),
    list: people.list,

    async describe(accountId: string, user: string): Promise<UserEntry> {
      return entryOf(await requirePerson(people, undefined, { accountId, user }))
    },

    /** An administrator chooses the password and gives it to the user; all their logins end. */
    async setPassword(from: From, { user, password }: { user: string; password: string }): Promise<void> {
      const { accountId, userId } = from.actor
      refuseKey(from.actor)
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
        requireHuman(person)
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
      refuseKey(from.actor)
      requireAccepted(email)
      await change(from, async (trx) => {
        const person = await requirePerson(people, trx, { accountId, user })
        if (person.user_id === userId)
          throw new AppError(
            'Conflict',
            'Change your own mail address in your profile: it asks for your password and mails a link.',
          )
        await rank.require(trx, from.actor, { of: person })
        requireHuman(person)
        const audit = await changeAddress(parts, trx, { userId: person.user_id, email, setBy })
        if (!audit) throw new AppError('Conflict', `${email} is the mail address of ${person.name} already.`)
        return { audit, userIds: [person.user_id] }
      })
    },

    async delete(from: From, user: string): Promise<void> {
      const { accountId, userId } = from.actor
      let ended: string[] = []
      await change(from, async (trx, revokePassedOn) => {
        const person = await requirePerson(people, trx, { accountId, user })
        if (person.user_id === userId)
          throw new AppError('Conflict', 'You cannot remove yourself. Ask another user administrator.')
        await rank.require(trx, from.actor, { of: person })
        await lastAdministrator.requireOther(trx, accountId, person.user_id)
        await people.revokeAllRoles(trx, person.user_id)
        await store.forgetUser(trx, accountId, person.user_id)
        await revokePassedOn([person.user_id])
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

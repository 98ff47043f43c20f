import type { Kysely } from 'kysely'
import type { Actor, Caller } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, OPERATOR, userAuthor } from '../audit/author.ts'
import type { PeopleStore, PersonRow } from '../user/people-with-roles-store.ts'

export type From = Pick<Caller, 'clientIp'> & { readonly actor: Actor }

/** Whose keys they are. */
export interface Owner {
  readonly accountId: string
  readonly userId: string
  readonly user: string
  readonly heldRoles: readonly string[]
}

/** Somebody who looks after keys of a user, themselves or another. */
export interface Keeper {
  readonly by: Author
  /** `secret`: they are given the secret of a key, and so can act as its owner. */
  owner(db: Kysely<Schema>, purpose: 'look' | 'revoke' | 'secret'): Promise<Owner>
}

export interface KeeperParts {
  readonly people: Pick<PeopleStore, 'find'>
  /** Nobody changes who is above them. */
  readonly requireRank: (
    db: Kysely<Schema>,
    actor: Actor,
    change: { readonly of: PersonRow },
  ) => Promise<void>
}

const ownerOf = (accountId: string, { user_id, name, roles }: PersonRow): Owner => ({
  accountId,
  userId: user_id,
  user: name,
  heldRoles: roles,
})

/** People look after their own keys. Administrators of users see and revoke those of others, and make those of service users. */
export function createKeepers({ people, requireRank }: KeeperParts) {
  async function requirePerson(db: Kysely<Schema>, accountId: string, user: string): Promise<PersonRow> {
    const person = await people.find(accountId, user, db)
    if (!person) throw new AppError('NotFound', `There is no user ${user} in this account.`)
    return person
  }

  return {
    /** Of themselves where no user is named. */
    asUser: (from: From, user: string | undefined): Keeper => ({
      by: userAuthor(from),
      async owner(db, purpose) {
        const { actor } = from
        const { accountId, userId, heldRoles } = actor
        if (user === undefined || user.toLowerCase() === actor.user.toLowerCase())
          return { accountId, userId, user: actor.user, heldRoles: actor.key?.heldByUser ?? heldRoles }
        if (!actor.activeRoles.includes('user_admin'))
          throw new AppError('NoPermission', 'API keys of other users require the role user_admin.')
        const person = await requirePerson(db, accountId, user)
        if (purpose !== 'look') await requireRank(db, actor, { of: person })
        if (purpose === 'secret' && !person.is_service)
          throw new AppError(
            'NoPermission',
            `${person.name} is a person, and creates and rotates their API keys in their own profile.`,
          )
        return ownerOf(accountId, person)
      },
    }),

    asOperator: (accountId: string, user: string): Keeper => ({
      by: OPERATOR,
      owner: async (db) => ownerOf(accountId, await requirePerson(db, accountId, user)),
    }),
  }
}

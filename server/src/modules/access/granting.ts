import {
  type AccessObject,
  type Grantee,
  LIMITS,
  NOT_GRANTABLE,
  objectText,
  type Privilege,
  PRIVILEGES,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from './authority.ts'
import { type Change, type ChangeParts, type From, requireChangeable, requireOther } from './changes.ts'
import type { Given, Source } from './given-store.ts'
import type { FoundGrantee, Grants } from './grants.ts'
import type { Roles } from './roles.ts'
import type { GranteeKey } from './store.ts'
import { administersAll, placesOf, createGrantingPlaces } from './granting-place.ts'

export interface GrantOrder {
  readonly grantee: Grantee
  readonly object: AccessObject
  readonly privileges: readonly Privilege[]
}

export interface GrantingParts extends ChangeParts {
  readonly change: Change
  readonly authority: Authority
  readonly roles: Pick<Roles, 'holderIds'>
  readonly grants: Pick<Grants, 'findGrantee' | 'resolve'>
}

function requireOfType({ object, privileges }: GrantOrder): void {
  const known: readonly Privilege[] = PRIVILEGES[object.type]
  const wrong = privileges.find((privilege) => !known.includes(privilege))
  if (wrong)
    throw new AppError(
      'Conflict',
      `There is no privilege ${wrong} on a ${object.type}. There are ${known.join(', ')}.`,
    )
  const fixed = privileges.find((privilege) => NOT_GRANTABLE.has(privilege))
  if (fixed)
    throw new AppError(
      'Conflict',
      `${fixed} comes with the role user_admin and cannot be granted on its own.`,
    )
}

const union = (a: readonly Privilege[], b: readonly Privilege[]): Privilege[] =>
  [...new Set([...a, ...b])].sort()
const without = (a: readonly Privilege[], b: readonly Privilege[]): Privilege[] =>
  a.filter((privilege) => !b.includes(privilege))

function withSource(sources: readonly Source[], added: Source): Source[] {
  if (added.privileges.length === 0) return [...sources]
  const before = sources.find(({ grantorId }) => grantorId === added.grantorId)
  const merged = {
    grantorId: added.grantorId,
    privileges: union(before?.privileges ?? [], added.privileges),
    grantable: union(before?.grantable ?? [], added.grantable),
  }
  return [...sources.filter((source) => source !== before), merged]
}

const auditOf = (
  verb: 'grant' | 'revoke',
  { name, key }: FoundGrantee,
  details: Record<string, unknown>,
) => ({
  action: `privilege.${verb}` as const,
  object: { type: 'userId' in key ? 'user' : 'role', id: 'userId' in key ? key.userId : key.role, name },
  before: verb === 'revoke' ? details : null,
  after: verb === 'grant' ? details : null,
})

function requireNotOwner(
  actor: Actor,
  given: Given,
  { privilege, name }: { privilege: Privilege; name: string },
) {
  const isOwn = 'userId' in given.key && given.key.userId === actor.userId
  if (!given.isCreator || isOwn || administersAll(actor, given, privilege)) return
  const above = given.type === 'warehouse' ? 'cluster_admin' : 'db_admin'
  throw new AppError(
    'NoPermission',
    `${name} created this ${given.type} and owns it. Only a user with the active role ${above} can revoke ${privilege} on it from its owner.`,
  )
}

/** Privileges on objects: given and taken, each in somebody's place. */
export function createGranting(parts: GrantingParts) {
  const { store, passedOn, clock, change, roles, grants } = parts
  const { placeOfGrantor, placeOfRevoker } = createGrantingPlaces(parts)

  const affected = async (trx: Transaction<Schema>, accountId: string, key: GranteeKey) =>
    'userId' in key ? [key.userId] : roles.holderIds(trx, accountId, key.role)

  async function requireRoomFor(key: GranteeKey, accountId: string): Promise<void> {
    const one = { search: '', page: 1, pageSize: 1 }
    const { total } = await store.grantsTo(accountId, key, one)
    if (total >= LIMITS.grantsPerGrantee)
      throw new AppError(
        'LimitReached',
        `A user or role can have privileges on at most ${LIMITS.grantsPerGrantee} objects. Grant on all of a kind instead.`,
      )
  }

  return {
    async grant(from: From, asked: GrantOrder & { readonly withGrantOption: boolean }): Promise<void> {
      const { actor } = from
      const { accountId, userId, user } = actor
      requireOfType(asked)
      const object = await grants.resolve(actor, asked.object)
      await change(from, async (trx) => {
        const places = await placesOf(asked.privileges, (privilege) =>
          placeOfGrantor(trx, actor, { object, privilege }),
        )
        if (
          places.own.length > 0 &&
          !(await passedOn.mayPassOn(trx, actor, { object, privileges: places.own }))
        )
          throw new AppError('NoPermission', `You have just lost ${places.own.join(', ')} on this object.`)
        const grantee = await grants.findGrantee(trx, actor, asked.grantee)
        const { key } = grantee
        if ('role' in key) requireChangeable(key.role)
        else requireOther(actor, key.userId)
        const before = await store.findGiven(trx, accountId, { key, object })
        if (!before) await requireRoomFor(key, accountId)
        const option = (privileges: readonly Privilege[]) => (asked.withGrantOption ? privileges : [])
        const sources = [
          { grantorId: null, privileges: places.owner, grantable: option(places.owner) },
          { grantorId: userId, privileges: places.own, grantable: option(places.own) },
        ].reduce(withSource, [...(before?.sources ?? [])])
        await store.putGiven(trx, accountId, {
          ...object,
          grantId: before?.grantId ?? null,
          key,
          isCreator: before?.isCreator ?? false,
          sources,
          grantedBy: user,
          grantedAt: clock.now(),
        })
        const { privileges, withGrantOption } = asked
        const details = { on: objectText(asked.object), privileges, withGrantOption }
        return { audit: auditOf('grant', grantee, details), userIds: await affected(trx, accountId, key) }
      })
    },

    /** With what was passed on by whom it is taken from, and from there. */
    async revoke(from: From, asked: GrantOrder): Promise<void> {
      const { actor } = from
      const { accountId, userId } = actor
      requireOfType(asked)
      const object = await grants.resolve(actor, asked.object)
      await change(from, async (trx, revokePassedOn) => {
        const grantee = await grants.findGrantee(trx, actor, asked.grantee)
        const { key, name } = grantee
        if ('role' in key) requireChangeable(key.role)
        const places = await placesOf(asked.privileges, (privilege) =>
          placeOfRevoker(trx, actor, { object, privilege, grantee }),
        )
        const before = await store.findGiven(trx, accountId, { key, object })
        const held = before?.sources.flatMap(({ privileges }) => privileges) ?? []
        const missing = asked.privileges.find((privilege) => !held.includes(privilege))
        if (!before || missing)
          throw new AppError(
            'NotFound',
            `${name} was not granted ${missing} on ${objectText(asked.object)} directly. Revoke privileges of a role from that role.`,
          )
        for (const privilege of asked.privileges) requireNotOwner(actor, before, { privilege, name })
        const given = before.sources.find(({ grantorId }) => grantorId === userId)?.privileges ?? []
        const others = places.own.find((privilege) => !given.includes(privilege))
        if (others)
          throw new AppError(
            'NoPermission',
            `You did not grant ${others} on ${objectText(asked.object)} to ${name}. Its grantor, the owner of the object or a user administrator can revoke it.`,
          )
        const sources = before.sources.map((source) => {
          const taken = source.grantorId === userId ? asked.privileges : places.owner
          return {
            ...source,
            privileges: without(source.privileges, taken),
            grantable: without(source.grantable, taken),
          }
        })
        await store.putGiven(trx, accountId, { ...before, sources })
        const userIds = await affected(trx, accountId, key)
        await revokePassedOn(userIds)
        const details = { on: objectText(asked.object), privileges: asked.privileges }
        return { audit: auditOf('revoke', grantee, details), userIds }
      })
    },
  }
}

export type Granting = ReturnType<typeof createGranting>

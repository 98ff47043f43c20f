import {
  type AccessObject,
  BUILT_IN_GRANTS,
  type Grant,
  type Grantee,
  isBuiltIn,
  LIMITS,
  NOT_GRANTABLE,
  objectOf,
  objectText,
  type Privilege,
  PRIVILEGES,
} from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from './authority.ts'
import {
  type Change,
  type ChangeParts,
  type From,
  requireChangeable,
  requireOther,
  requirePerson,
  requireRole,
} from './changes.ts'
import type { Page } from '../../store/page.ts'
import type { Roles } from './roles.ts'
import type { GranteeKey, GrantRow } from './store.ts'

/** What there is in an account, whoever keeps it. */
export interface KnownObjects {
  /** As it is kept: by its true name, a warehouse by its id. Null when there is none. */
  resolve(actor: Actor, object: AccessObject): Promise<AccessObject | null>
  /** As people know it. What is gone keeps what it was kept by. */
  present(accountId: string, objects: readonly AccessObject[]): Promise<AccessObject[]>
}

export interface GrantOrder {
  readonly grantee: Grantee
  readonly object: AccessObject
  readonly privileges: readonly Privilege[]
}

export interface GrantParts extends ChangeParts {
  readonly change: Change
  readonly authority: Authority
  readonly roles: Pick<Roles, 'holderIds'>
  readonly objects: KnownObjects
}

interface Found {
  readonly key: GranteeKey
  readonly name: string
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
    throw new AppError('Conflict', `${fixed} comes with the role user_admin and is not granted by itself.`)
}

const union = (a: readonly Privilege[], b: readonly Privilege[]): Privilege[] =>
  [...new Set([...a, ...b])].sort()
const without = (a: readonly Privilege[], b: readonly Privilege[]): Privilege[] =>
  a.filter((privilege) => !b.includes(privilege))

const auditOf = (verb: 'grant' | 'revoke', { name, key }: Found, told: Record<string, unknown>) => ({
  action: `privilege.${verb}` as const,
  object: { type: 'userId' in key ? 'user' : 'role', id: 'userId' in key ? key.userId : key.role, name },
  before: verb === 'revoke' ? told : null,
  after: verb === 'grant' ? told : null,
})

/** Privileges on objects: given, taken, listed. */
export function createGrants(parts: GrantParts) {
  const { store, people, clock, change, authority, roles, objects } = parts

  async function findGrantee(
    trx: Transaction<Schema> | undefined,
    actor: Actor,
    { kind, name }: Grantee,
  ): Promise<Found> {
    const { accountId } = actor
    if (kind === 'role') {
      const role = await requireRole(store, trx, { accountId, role: name })
      return { key: { role }, name: role }
    }
    const person = await requirePerson(people, trx, { accountId, user: name })
    return { key: { userId: person.user_id }, name: person.name }
  }

  async function resolve(actor: Actor, object: AccessObject): Promise<AccessObject> {
    const found = await objects.resolve(actor, object)
    if (!found) throw new AppError('NotFound', `There is no ${objectText(object)}, or it was dropped.`)
    return found
  }

  /** Administrators of users pass on everything, others what they hold with that option. */
  async function requireGrantable(actor: Actor, order: GrantOrder): Promise<void> {
    if (actor.activeRoles.includes('user_admin')) return
    const holding = await authority.holding(actor, order.object)
    const missing = order.privileges.find((privilege) => holding.get(privilege) !== true)
    if (missing)
      throw new AppError(
        'NoPermission',
        `You do not hold ${missing} with the option to pass it on. A user administrator can grant or revoke it.`,
      )
  }

  async function affected(
    trx: Transaction<Schema>,
    accountId: string,
    key: GranteeKey,
  ): Promise<readonly string[]> {
    return 'userId' in key ? [key.userId] : roles.holderIds(trx, accountId, key.role)
  }

  async function toGrants(accountId: string, rows: readonly GrantRow[]): Promise<Grant[]> {
    const shown = await objects.present(accountId, rows)
    return rows.map((row, index) => {
      const { type, catalog, database, name } = shown[index] ?? row
      const object = { type, catalog, database, name }
      return {
        object,
        objectText: objectText(object),
        privileges: [...row.privileges],
        grantable: [...row.grantable],
        grantedBy: row.grantedBy,
        grantedAt: row.grantedAt.toISOString(),
      }
    })
  }

  return {
    resolve,
    findGrantee,
    toGrants,

    async give(from: From, asked: GrantOrder & { readonly withGrantOption: boolean }): Promise<void> {
      const { actor } = from
      const { accountId, user } = actor
      requireOfType(asked)
      const order = { ...asked, object: await resolve(actor, asked.object) }
      await requireGrantable(actor, order)
      await change(from, async (trx) => {
        const grantee = await findGrantee(trx, actor, asked.grantee)
        if ('role' in grantee.key) requireChangeable(grantee.key.role)
        else requireOther(actor, grantee.key.userId)
        const before = await store.findGrant(trx, accountId, { key: grantee.key, object: order.object })
        if (!before) await requireRoomFor(grantee.key, accountId)
        const privileges = union(before?.privileges ?? [], order.privileges)
        const grantable = union(before?.grantable ?? [], asked.withGrantOption ? order.privileges : [])
        const grant = { ...order.object, privileges, grantable, grantedBy: user, grantedAt: clock.now() }
        await store.putGrant(trx, accountId, { key: grantee.key, grant })
        const told = {
          on: objectText(asked.object),
          privileges: order.privileges,
          withGrantOption: asked.withGrantOption,
        }
        return {
          audit: auditOf('grant', grantee, told),
          userIds: await affected(trx, accountId, grantee.key),
        }
      })
    },

    async take(from: From, asked: GrantOrder): Promise<void> {
      const { actor } = from
      const { accountId } = actor
      requireOfType(asked)
      const order = { ...asked, object: await resolve(actor, asked.object) }
      await requireGrantable(actor, order)
      await change(from, async (trx) => {
        const grantee = await findGrantee(trx, actor, asked.grantee)
        if ('role' in grantee.key) requireChangeable(grantee.key.role)
        const before = await store.findGrant(trx, accountId, { key: grantee.key, object: order.object })
        const missing = order.privileges.find((privilege) => !before?.privileges.includes(privilege))
        if (!before || missing)
          throw new AppError(
            'NotFound',
            `${grantee.name} was not given ${missing} on ${objectText(asked.object)} itself. What comes from a role is revoked there.`,
          )
        const grant = {
          ...before,
          privileges: without(before.privileges, order.privileges),
          grantable: without(before.grantable, order.privileges),
        }
        await store.putGrant(trx, accountId, { key: grantee.key, grant })
        const told = { on: objectText(asked.object), privileges: order.privileges }
        return {
          audit: auditOf('revoke', grantee, told),
          userIds: await affected(trx, accountId, grantee.key),
        }
      })
    },

    async list(actor: Actor, grantee: Grantee, page: Page): Promise<{ list: Grant[]; total: number }> {
      const { key } = await findGrantee(undefined, actor, grantee)
      if ('role' in key && isBuiltIn(key.role)) {
        const list = BUILT_IN_GRANTS[key.role].map(({ type, privileges }): Grant => {
          const object = objectOf(type)
          const text = objectText(object)
          return {
            object,
            objectText: text,
            privileges: [...privileges],
            grantable: [],
            grantedBy: null,
            grantedAt: null,
          }
        })
        return { list, total: list.length }
      }
      const { list, total } = await store.grantsTo(actor.accountId, key, page)
      return { list: await toGrants(actor.accountId, list), total }
    },
  }

  async function requireRoomFor(key: GranteeKey, accountId: string): Promise<void> {
    const one = { search: '', page: 1, pageSize: 1 }
    const { total } = await store.grantsTo(accountId, key, one)
    if (total >= LIMITS.grantsPerGrantee)
      throw new AppError(
        'LimitReached',
        `A user or role is given privileges on at most ${LIMITS.grantsPerGrantee} objects. Grant on all of a kind instead.`,
      )
  }
}

export type Grants = ReturnType<typeof createGrants>

import { type AccessObject, objectOf } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { ObjectChange, ObjectName } from '../../engines/engine/objects.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Schema } from '../../store/schema.ts'
import type { Authority } from './authority.ts'
import { boundOf } from '../query/gate/bound-definitions.ts'
import type { GrantToCreator } from './creator-grants.ts'
import type { AccessStore } from './store.ts'

/** Of what can be granted on; null for the rest. */
function accessObject({ type, catalog, database, name }: ObjectName): AccessObject | null {
  if (type === 'database') return objectOf(type, { catalog, database: database ?? '' })
  if (type !== 'table' && type !== 'view' && type !== 'function') return null
  return objectOf(type, { catalog, database: database ?? '', name: name ?? '' })
}

export interface ObjectChangesParts {
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly store: Pick<
    AccessStore,
    | 'forgetObject'
    | 'renameObject'
    | 'forgetViewOwners'
    | 'renameOwnedViews'
    | 'putViewOwner'
    | 'macroChanged'
  >
  readonly authority: Pick<Authority, 'holdsAll'>
  readonly grantToCreator: GrantToCreator
}

/**
 * Grants follow their objects: they keep up with a new name and end with the object. A new object starts without
 * grants, even if another object had its name before; then its creator gets all privileges on it, unless they have them
 * anyway. The owner of a view follows in the same way.
 */
export function createObjectChanges({ transaction, store, authority, grantToCreator }: ObjectChangesParts) {
  async function followOwner(trx: Transaction<Schema>, actor: Actor, change: ObjectChange): Promise<void> {
    const { accountId, userId } = actor
    const view = accessObject(change.object)
    if (view?.type !== 'view' && view?.type !== 'database') return
    if (change.change === 'renamed')
      return store.renameOwnedViews(trx, accountId, { object: view, to: change.to.name ?? '' })
    await store.forgetViewOwners(trx, accountId, view)
    if (change.change === 'created' && view.type === 'view') {
      const bound = change.bound ? boundOf(change.bound) : null
      await store.putViewOwner(trx, accountId, { view, userId, bound })
    }
  }

  async function follow(trx: Transaction<Schema>, actor: Actor, change: ObjectChange): Promise<void> {
    const object = accessObject(change.object)
    if (!object || change.object.catalog === 'temp') return
    if (change.change === 'renamed')
      await store.renameObject(trx, actor.accountId, { object, to: change.to.name ?? '' })
    else await store.forgetObject(trx, actor.accountId, object)
    await followOwner(trx, actor, change)
    if (change.change === 'created' && object.type === 'function') {
      const { accountId, userId } = actor
      await store.macroChanged(trx, accountId, { macro: object, userId, mayAll: authority.holdsAll(actor) })
    }
    if (change.change === 'created' && !authority.holdsAll(actor)) await grantToCreator(trx, actor, object)
  }

  return (actor: Actor, changes: readonly ObjectChange[]): Promise<void> =>
    transaction(async (trx) => {
      for (const change of changes) await follow(trx, actor, change)
    })
}

export type ObjectChanges = ReturnType<typeof createObjectChanges>

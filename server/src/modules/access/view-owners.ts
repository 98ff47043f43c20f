import { type AccessObject, objectText } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { ViewReads } from '../query/gate/authorize-statement.ts'
import type { Authority } from './authority.ts'
import { type BoundName, boundText, isOutdated, newlyUsed } from '../query/gate/bound-definitions.ts'
import type { AccessStore } from './store.ts'

export interface ViewOwnerParts {
  readonly store: Pick<AccessStore, 'viewOwner' | 'bindView'>
  readonly authority: Pick<Authority, 'closure' | 'holdsAll' | 'may'>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
}

/** Names no object that the view reads: its reader need not know them. */
const refusal = (view: AccessObject, why: string): string =>
  `The ${objectText(view)} cannot be read: ${why}. A database administrator can recreate it with CREATE OR REPLACE VIEW.`

const CHANGED = 'an object that it uses was changed by another user, and its owner has not confirmed it'

/** Views of which is remembered whose they are. */
const REMEMBERED = 10_000

/** Whose a view is; undefined: somebody who was removed. Null: nobody's, of before owners were kept. */
type Owner = { readonly actor: Actor | undefined; readonly bound: readonly BoundName[] | null } | null

type Requester = Pick<Actor, 'accountId' | 'identityVersion' | 'userId'>

/** A view runs as its owner, with the privileges that the owner has when it is read. */
export function createViewOwners({ store, authority, actorOf }: ViewOwnerParts) {
  const owners = new BoundedMap<Owner>(REMEMBERED)

  /** Cached for a version of the account's identities, which changes with every change of an owner. */
  async function ownerOf({ accountId, identityVersion }: Requester, view: AccessObject): Promise<Owner> {
    const { catalog, database, name } = view
    const key = JSON.stringify([accountId, identityVersion, catalog, database, name])
    const known = owners.get(key)
    if (known !== undefined) return known
    const kept = await store.viewOwner(accountId, view)
    const owner = kept ? { actor: await actorOf(kept.userId), bound: kept.bound } : null
    owners.set(key, owner, 1)
    return owner
  }

  /** With all roles that they were given: what somebody switches off for themselves does not end what others read. */
  async function mayAll(owner: Actor, wanted: ViewReads['wanted']): Promise<boolean> {
    const whole = { ...owner, activeRoles: await authority.closure(owner, owner.heldRoles) }
    if (authority.holdsAll(whole)) return true
    if (wanted === null) return false
    for (const { privilege, object } of wanted)
      if (!(await authority.may(whole, privilege, object))) return false
    return true
  }

  /**
   * Null when the view uses what it used when its owner created it: another user may have changed a macro since, and an
   * unqualified name may mean another object. For views that are older than this record, the first read counts as
   * confirmed.
   */
  async function whyNotAsMade(requester: Requester, { view, bound }: ViewReads, owner: NonNullable<Owner>) {
    const { bound: before } = owner
    const other = before && newlyUsed(before, bound)
    if (!other) {
      if (!before || isOutdated(before, bound))
        await store.bindView(requester.accountId, view, { before, bound })
      return null
    }
    if (owner.actor?.userId !== requester.userId) return refusal(view, CHANGED)
    return `The ${objectText(view)} cannot be read: ${boundText(other)}, which it uses, was changed by another user after you created the view. Check it, then confirm the view with CREATE OR REPLACE VIEW.`
  }

  return {
    /** Null when every owner may still read what their view reads, else why not. */
    async whyNotThrough(requester: Requester, reads: readonly ViewReads[]): Promise<string | null> {
      for (const one of reads) {
        const { view, wanted } = one
        const owner = await ownerOf(requester, view)
        if (owner === null) continue
        if (!owner.actor) return refusal(view, 'its owner was removed')
        if (!(await mayAll(owner.actor, wanted)))
          return refusal(view, 'its owner may not read any more what it reads')
        const changed = await whyNotAsMade(requester, one, owner)
        if (changed !== null) return changed
      }
      return null
    },
  }
}

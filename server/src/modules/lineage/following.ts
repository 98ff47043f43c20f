import type { ObjectChange } from '../../engines/engine/objects.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { FactStore, Named } from './fact-store.ts'
import type { TableUses } from './uses.ts'

type ObjectChanges = (actor: Actor, changes: readonly ObjectChange[]) => Promise<void>

const FOLLOWED: ReadonlySet<string> = new Set(['database', 'table', 'view'])

export interface FollowingParts {
  readonly store: FactStore
  readonly uses: Pick<TableUses, 'flush'>
  readonly clock: Clock
}

/** What is known of tables and views keeps up with their names, ends with them, and begins when they are created. */
export function createFollowing({ store, uses, clock }: FollowingParts) {
  async function follow(actor: Actor, { object, ...change }: ObjectChange): Promise<void> {
    const { accountId, user } = actor
    const { type, catalog, database, name } = object
    if (database === null || (type !== 'database' && name === null)) return
    const named: Named = { catalog, database, name: type === 'database' ? null : name }
    if (change.change === 'renamed')
      return store.rename(accountId, named, change.to.name ?? change.to.database ?? '')
    await store.forget(accountId, named)
    if (change.change === 'created' && named.name !== null)
      await store.created(accountId, { ...named, name: named.name }, { by: user, at: clock.now() })
  }

  return (before: ObjectChanges): ObjectChanges =>
    async (actor, changes) => {
      await before(actor, changes)
      const followed = changes.filter(({ object }) => FOLLOWED.has(object.type) && object.catalog !== 'temp')
      if (followed.length === 0) return
      // What was used under the old name is written under it, and then follows.
      await uses.flush()
      for (const change of followed) await follow(actor, change)
    }
}

import type { Actor } from '../../../kernel/actor.ts'
import type { Authority } from '../../access/authority.ts'
import type { Looking, LookFor } from './looking.ts'
import { findObject, type FoundObject, type WantedObject } from './place-of.ts'

export interface ObjectFinder {
  readonly look: LookFor
  readonly authority: Pick<Authority, 'visible' | 'may'>
  /** By `viewKey`: they are tables to an engine. */
  readonly materialized: { keysOf(accountId: string): Promise<ReadonlySet<string>> }
}

export interface AskedObject {
  readonly actor: Actor
  readonly wanted: WantedObject
}

/** Works with a table, view or materialized view that is there and that the actor may see. */
export const withObject = <T>(
  { look, authority, materialized }: ObjectFinder,
  { actor, wanted }: AskedObject,
  work: (found: FoundObject, looking: Looking) => Promise<T>,
): Promise<T> =>
  look(actor, async (looking) => {
    const { lists, catalogNamed } = looking
    const seeking = { actor, authority, materialized: materialized.keysOf, wanted, catalogNamed }
    return work(await findObject(lists, seeking), looking)
  })

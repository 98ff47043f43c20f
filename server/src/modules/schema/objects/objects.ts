import type { ColumnDetail } from '@boathouse/contract'
import type { DescribedColumn } from '../../../engines/engine/descriptions.ts'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Authority } from '../../access/authority.ts'
import type { Readers } from '../../access/readers.ts'
import type { Lister } from '../../query/gate/authorize-statement.ts'
import { existingOf, type PlacedObject } from './existing.ts'
import type { MaterializedViews, ViewPlace } from './materialized-views.ts'
import { allUsersOf, allUsesOf, type Dependent, seenOf } from './dependencies.ts'
import { detailOf } from './detail.ts'
import { createLookingFor, type Looking } from './looking.ts'
import type { FoundObject, WantedObject } from './place-of.ts'
import { sampleOf } from './sample.ts'
import { withObject } from './with-object.ts'

export interface ObjectParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'visible' | 'may' | 'require'> & Lister
  readonly readers: Readers
  readonly materialized: Dependent['materialized'] & Pick<MaterializedViews, 'find' | 'createStatement'>
}

interface Range {
  readonly offset: number
  readonly limit: number
}

const columnOf = ({ key, ...column }: DescribedColumn): ColumnDetail => ({
  ...column,
  primaryKey: key === 'PRI',
})

/** What is shown of one table, view or materialized view. */
export function createObjects({ useServiceEngine, authority, readers, materialized }: ObjectParts) {
  const finder = { look: createLookingFor({ useServiceEngine, authority }), authority, materialized }
  const { visible, may } = authority

  async function dependencies(actor: Actor, found: FoundObject, looking: Looking) {
    const { catalog } = found.place
    const dependent = { accountId: actor.accountId, materialized }
    const { refs, broken } = await allUsesOf(looking, found, dependent)
    const users = await allUsersOf(looking, found.place, dependent)
    const uses = await seenOf(visible, actor, { catalog, refs })
    const usedBy = await seenOf(visible, actor, { catalog, refs: users })
    const hidden = refs.length + users.length - uses.length - usedBy.length
    return { uses, usedBy, hidden, broken }
  }

  return {
    describe: (actor: Actor, wanted: WantedObject) =>
      withObject(finder, { actor, wanted }, (found, looking) =>
        detailOf(found, looking, { actor, may, materialized }),
      ),

    columns: (actor: Actor, wanted: WantedObject, page: Range) =>
      withObject(finder, { actor, wanted }, async ({ kind, place }, { describe }) => {
        const { total, columns } = await describe().columns(place, page)
        return { tableName: place.name, type: kind, columns: columns.map(columnOf), total }
      }),

    /** CATALOG-07: the text of a view reveals as much as its rows, so it needs the same privilege. */
    createStatement: (actor: Actor, wanted: WantedObject): Promise<string> =>
      withObject(finder, { actor, wanted }, async ({ kind, place, access }, { describe }) => {
        if (kind === 'materialized_view') return materialized.createStatement(actor, place)
        await authority.require(actor, { privilege: 'SELECT', object: access })
        return (await describe().definition(place)) ?? ''
      }),

    sample: (actor: Actor, wanted: WantedObject) =>
      withObject(finder, { actor, wanted }, async (found, looking) => {
        const views = await materialized.keysOf(actor.accountId)
        return sampleOf(found, looking, { actor, authority, views })
      }),

    /** It, if it is there and the actor may see it. */
    find: (actor: Actor, wanted: WantedObject): Promise<FoundObject> =>
      withObject(finder, { actor, wanted }, (found) => Promise.resolve(found)),

    /** Of these names those that are there and that the actor may see, by their true names. */
    existing: (actor: Actor, places: readonly ViewPlace[]): Promise<PlacedObject[]> =>
      finder.look(actor, (looking) => existingOf(looking, places, { actor, authority, materialized })),

    dependencies: (actor: Actor, wanted: WantedObject) =>
      withObject(finder, { actor, wanted }, (found, looking) => dependencies(actor, found, looking)),

    readers: (actor: Actor, wanted: WantedObject, page: Range) =>
      withObject(finder, { actor, wanted }, ({ access }) => readers(actor, access, page)),
  }
}

export type Objects = ReturnType<typeof createObjects>

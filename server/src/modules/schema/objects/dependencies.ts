import { type ObjectRef, foldedName, isSameName } from '@boathouse/contract'
import type { ObjectPlace } from '../../../engines/engine/names.ts'
import type { ObjectName, ObjectUse } from '../../../engines/engine/objects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Authority } from '../../access/authority.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import type { MaterializedViews, ViewPlace } from './materialized-views.ts'
import { type Looking, NotFinished } from './looking.ts'
import type { FoundObject } from './place-of.ts'

/** Views that have the name in their text; nobody reads a longer list. */
const MOST_LOOKED_AT = 200

const LOOKED = 'looked at, not run'

const isSame = (a: string | null, b: string): boolean => a !== null && isSameName(a, b)

const isObject = ({ catalog, database, name }: ObjectName, place: ObjectPlace): boolean =>
  isSame(catalog, place.catalog) && isSame(database, place.database) && isSame(name, place.name)

interface Read {
  readonly objects: readonly ObjectName[]
  /** Why the engine cannot tell, as when a table is gone. */
  readonly broken: string
}

/** What a view reads itself, as the engine binds it. The engine asks before it runs anything, and nothing is run. */
async function readBy({ describe }: Looking, view: ObjectPlace): Promise<Read> {
  let uses: readonly ObjectUse[] = []
  const authorize = async (asked: readonly ObjectUse[]) => {
    uses = asked
    return { message: LOOKED }
  }
  const broken = await describe({ authorize })
    .sample(view, 1)
    .then(() => '', whyBroken)
  const own = uses.filter(({ through }) => through !== null && isObject(through, view))
  return { objects: own.map(({ object }) => object), broken }
}

function whyBroken(error: unknown): string {
  if (!(error instanceof NotFinished)) throw error
  const { outcome } = error
  return outcome.state === 'failed' && outcome.error.message !== LOOKED ? outcome.error.message : ''
}

const refOf = ({ type, database, name }: ObjectName): ObjectRef[] =>
  (type === 'table' || type === 'view') && database !== null && name !== null
    ? [{ type, database, name }]
    : []

function distinct(refs: readonly ObjectRef[]): ObjectRef[] {
  const byKey = new Map(refs.map((ref) => [JSON.stringify([ref.type, ref.database, ref.name]), ref]))
  return [...byKey.values()]
}

/** Views that read it, and tables whose foreign keys refer to it. */
async function usedBy(looking: Looking, place: ObjectPlace): Promise<ObjectRef[]> {
  const found: ObjectRef[] = []
  for (const user of await looking.describe().mayUse(place, MOST_LOOKED_AT)) {
    const { type, database, name } = user
    const isUser =
      type === 'table' || (await readBy(looking, user)).objects.some((object) => isObject(object, place))
    if (isUser) found.push({ type, database, name })
  }
  return found
}

async function usesOf(looking: Looking, place: ObjectPlace): Promise<{ refs: ObjectRef[]; broken: string }> {
  if (place.type !== 'view') return { refs: [], broken: '' }
  const { objects, broken } = await readBy(looking, place)
  return { refs: distinct(objects.flatMap(refOf)), broken }
}

/** The same with materialized views distinguished from tables. */
function withMaterialized(
  refs: readonly ObjectRef[],
  { catalog, isMaterialized }: { catalog: string; isMaterialized: (place: ViewPlace) => boolean },
): ObjectRef[] {
  return refs.map((ref) =>
    ref.type === 'table' && isMaterialized({ catalog, database: ref.database, name: ref.name })
      ? { ...ref, type: 'materialized_view' }
      : ref,
  )
}

export interface Dependent {
  readonly accountId: string
  readonly materialized: Pick<MaterializedViews, 'readersOf' | 'readBy' | 'keysOf'>
}

/** Views, materialized views and tables that use it. */
export async function allUsersOf(
  looking: Looking,
  place: ObjectPlace,
  { accountId, materialized }: Dependent,
): Promise<ObjectRef[]> {
  const readers = await materialized.readersOf(accountId, place)
  return [
    ...(await usedBy(looking, place)),
    ...readers.map(({ database, name }): ObjectRef => ({ type: 'materialized_view', database, name })),
  ]
}

/** What a view reads, or a materialized view has read when it was refreshed last. */
export async function allUsesOf(
  looking: Looking,
  { kind, place }: Pick<FoundObject, 'kind' | 'place'>,
  { accountId, materialized }: Dependent,
): Promise<{ refs: ObjectRef[]; broken: string }> {
  const keys = await materialized.keysOf(accountId)
  const { catalog } = place
  const isMaterialized = (one: ViewPlace) => keys.has(viewKey(one))
  if (kind !== 'materialized_view') {
    const { refs, broken } = await usesOf(looking, place)
    return { refs: withMaterialized(refs, { catalog, isMaterialized }), broken }
  }
  const refs: ObjectRef[] = []
  for (const { database, name } of await materialized.readBy(accountId, place)) {
    const view = await looking.lists.objectNamed({ catalog, database }, { type: 'view', name })
    refs.push({ type: view === null ? 'table' : 'view', database, name })
  }
  return { refs: withMaterialized(refs, { catalog, isMaterialized }), broken: '' }
}

/** Of these, those that somebody may see. */
export async function seenOf(
  visible: Authority['visible'],
  actor: Actor,
  { catalog, refs }: { catalog: string; refs: readonly ObjectRef[] },
): Promise<ObjectRef[]> {
  const seen: ObjectRef[] = []
  for (const ref of refs) {
    const names = await visible(actor, { type: ref.type, catalog, database: ref.database })
    if (names === 'all' || names.has(foldedName(ref.name))) seen.push(ref)
  }
  return seen
}

import type { ObjectRef } from '@boathouse/contract'
import type { ObjectPlace } from '../../engines/dialect.ts'
import type { ObjectName, ObjectUse } from '../../engines/objects.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Authority } from '../access/authority.ts'
import type { Looking } from './looking.ts'

/** Views that have the name in their text; nobody reads a longer list. */
const MOST_LOOKED_AT = 200

const LOOKED = 'looked at, not run'

const isSame = (a: string | null, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

const isObject = ({ catalog, database, name }: ObjectName, place: ObjectPlace): boolean =>
  isSame(catalog, place.catalog) && isSame(database, place.database) && isSame(name, place.name)

interface Read {
  readonly objects: readonly ObjectName[]
  /** Why the engine cannot tell, as when a table is gone. */
  readonly broken: string
}

/** What a view reads itself, as the engine binds it. The engine asks before it runs anything, and nothing is run. */
export async function readBy({ run, descriptions }: Looking, view: ObjectPlace): Promise<Read> {
  let uses: readonly ObjectUse[] = []
  const outcome = await run(descriptions().sample(view, 1), {
    takenFor: 'reads',
    maxRows: 1,
    authority: async (asked) => {
      uses = asked
      return { message: LOOKED }
    },
  })
  const own = uses.filter(({ through }) => through !== null && isObject(through, view))
  const isTold = outcome.state === 'failed' && outcome.error.message === LOOKED
  const broken = isTold || outcome.state !== 'failed' ? '' : outcome.error.message
  return { objects: own.map(({ object }) => object), broken }
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
export async function usedBy(looking: Looking, place: ObjectPlace): Promise<ObjectRef[]> {
  const { rows, descriptions } = looking
  const found: ObjectRef[] = []
  for (const [database, name, type] of await rows(
    descriptions().mayUse(place, MOST_LOOKED_AT),
    MOST_LOOKED_AT,
  )) {
    if (database == null || name == null) continue
    if (type === 'table') found.push({ type: 'table', database, name })
    else {
      const view = { type: 'view', catalog: place.catalog, database, name } as const
      const { objects } = await readBy(looking, view)
      if (objects.some((object) => isObject(object, place))) found.push({ type: 'view', database, name })
    }
  }
  return found
}

export async function usesOf(
  looking: Looking,
  place: ObjectPlace,
): Promise<{ refs: ObjectRef[]; broken: string }> {
  if (place.type !== 'view') return { refs: [], broken: '' }
  const { objects, broken } = await readBy(looking, place)
  return { refs: distinct(objects.flatMap(refOf)), broken }
}

/** Of these, those that somebody may see. */
export async function seenOf(
  visible: Authority['visible'],
  actor: Actor,
  { catalog, refs }: { catalog: string; refs: readonly ObjectRef[] },
): Promise<ObjectRef[]> {
  const seen: ObjectRef[] = []
  for (const ref of refs) {
    const type = ref.type === 'view' ? 'view' : 'table'
    const names = await visible(actor, { type, catalog, database: ref.database })
    if (names === 'all' || names.has(ref.name.toLowerCase())) seen.push(ref)
  }
  return seen
}

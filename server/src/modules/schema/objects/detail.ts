import type { AccessObject, ObjectAction, ObjectDetail, Privilege } from '@boathouse/contract'
import type { ObjectPlace } from '../../../engines/engine/names.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Authority } from '../../access/authority.ts'
import type { MaterializedViews } from './materialized-views.ts'
import { type Looking, NotFinished } from './looking.ts'
import type { FoundObject } from './place-of.ts'

/** Longer, and an estimate or nothing is shown instead. */
const FIGURE_MS = 2_000

const ACTIONS: Readonly<Record<ObjectAction, Privilege>> = {
  read: 'SELECT',
  refresh: 'REFRESH',
  alter: 'ALTER',
  drop: 'DROP',
}

async function actionsOf(may: Authority['may'], actor: Actor, access: AccessObject): Promise<ObjectAction[]> {
  const actions: ObjectAction[] = []
  for (const [action, privilege] of Object.entries(ACTIONS) as [ObjectAction, Privilege][])
    if (await may(actor, privilege, access)) actions.push(action)
  return actions
}

/** A number that is left out when it takes long to be found. */
async function figure(found: Promise<number | null>): Promise<number | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof NotFinished) return null
    throw error
  }
}

async function rowsOf(
  { describe }: Looking,
  place: ObjectPlace,
  isCounted: boolean,
): Promise<ObjectDetail['rows']> {
  if (place.type !== 'table') return null
  const descriptions = describe({ withinMs: FIGURE_MS })
  const exact = isCounted ? await figure(descriptions.countRows(place)) : null
  const count = exact ?? (await figure(descriptions.estimate(place)))
  return count === null ? null : { count, exact: exact !== null }
}

async function sizeOf({ sizes }: Looking, place: ObjectPlace): Promise<ObjectDetail['size']> {
  if (place.type !== 'table') return null
  const { catalog, database, name } = place
  const found = await sizes?.({ catalog, database, names: [name], withinMs: FIGURE_MS })
  const bytes = found?.get(name)
  return bytes === undefined ? null : { bytes, exact: false }
}

interface DetailParts {
  readonly actor: Actor
  readonly may: Authority['may']
  readonly materialized: Pick<MaterializedViews, 'find'>
}

/** What the page of a table, view or materialized view shows first. */
export async function detailOf(
  { kind, place, access }: FoundObject,
  looking: Looking,
  { actor, may, materialized }: DetailParts,
): Promise<ObjectDetail> {
  const facts = await looking.describe().object(place)
  const allowed = await actionsOf(may, actor, access)
  // Materialized views are changed by the service, wherever their rows are.
  const fixed = kind === 'materialized_view' ? '' : (looking.catalogs.whyFixed?.(place.catalog) ?? '')
  const actions = fixed ? allowed.filter((action) => action === 'read') : allowed
  const rows = await rowsOf(looking, place, actions.includes('read'))
  const size = await sizeOf(looking, place)
  const view = kind === 'materialized_view' ? await materialized.find(actor, place) : null
  return {
    name: place.name,
    type: kind,
    comment: view?.comment ?? facts?.comment ?? '',
    columnCount: facts?.columnCount ?? 0,
    rows,
    size,
    actions,
    fixed,
  }
}

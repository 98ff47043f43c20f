import { objectOf, type Privilege, foldedName } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { isFirst } from '../../kernel/first-catalog.ts'
import { accessOf, type TaskParts } from './task-parts.ts'
import type { ViewPlace, ViewRow } from './view-store.ts'

const missing = ({ catalog, database, name }: ViewPlace) =>
  new AppError(
    'NotFound',
    `There is no materialized view ${name} in ${catalog}.${database} that you may see, or it was dropped.`,
  )

/** Finds a materialized view for a user. One that the user has no privilege on is not found. */
export function createViewLookup({ views, authority }: Pick<TaskParts, 'views' | 'authority'>) {
  /** A view that the user has no access to is reported as missing. */
  async function find(actor: Actor, place: ViewPlace): Promise<ViewRow> {
    const { catalog, database, name } = place
    const isOpen = isFirst(catalog) || (await authority.may(actor, 'USAGE', objectOf('catalog', { catalog })))
    const seen = await authority.visible(actor, { type: 'materialized_view', catalog, database })
    if (!isOpen || (seen !== 'all' && !seen.has(foldedName(name)))) throw missing(place)
    const view = await views.find(actor.accountId, place)
    if (view?.state !== 'there') throw missing(place)
    return view
  }

  async function findFor(actor: Actor, place: ViewPlace, privilege: Privilege): Promise<ViewRow> {
    const view = await find(actor, place)
    await authority.require(actor, { privilege, object: accessOf(view) })
    return view
  }

  return { find, findFor }
}

export type ViewLookup = ReturnType<typeof createViewLookup>

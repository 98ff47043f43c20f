import {
  foldedName,
  objectOf,
  type PlaceAction,
  type PlaceActions,
  type TableLike,
} from '@boathouse/contract'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import type { Authority, Wanted } from '../../access/authority.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import { catalogMissing } from '../catalogs/catalogs.ts'
import { createLookingFor, type Looking } from '../objects/looking.ts'
import type { ApplyChange, Who } from './apply-change.ts'
import { findDatabase } from './change-run.ts'
import { hasSamples, isSamples, neededToRestore, restoreSamples, type RestoreParts } from './sample-data.ts'

export interface PlaceParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'visible' | 'may' | 'whyNot'>
  readonly apply: ApplyChange
  readonly materialized: Pick<RestoreParts, 'whileWriting'> & {
    /** By `viewKey`: they are tables to an engine. */
    keysOf(accountId: string): Promise<ReadonlySet<string>>
  }
}

/** A catalog, a database in it, or something in that. */
interface AskedPlace {
  readonly catalog: string
  readonly database: string | null
  readonly object: AskedObject | null
}

interface AskedObject {
  readonly type: TableLike
  readonly name: string
}

/** In whose name it is asked what may be done in a place. */
interface Asked extends Pick<PlaceParts, 'authority' | 'materialized'> {
  readonly actor: Actor
}

const inCatalog = (catalog: string): Wanted => ({
  privilege: 'CREATE DATABASE',
  object: objectOf('catalog', { catalog }),
})

const onDatabase = (privilege: Wanted['privilege'], place: DatabasePlace): Wanted => ({
  privilege,
  object: objectOf('database', { ...place }),
})

/** Of each action why it is refused, or nothing. */
async function reasons(
  { authority, actor }: Asked,
  needed: Partial<Record<PlaceAction, readonly Wanted[]>>,
): Promise<PlaceActions> {
  const refusals: PlaceActions = {}
  for (const [action, wanted] of Object.entries(needed) as [PlaceAction, readonly Wanted[]][])
    refusals[action] = (await authority.whyNot(actor, wanted)) ?? ''
  return refusals
}

async function seenCatalog({ authority, actor }: Asked, looking: Looking, name: string): Promise<string> {
  const catalog = looking.catalogNamed(name)
  const usage: Wanted = { privilege: 'USAGE', object: objectOf('catalog', { catalog }) }
  if (isFirst(catalog) || (await authority.whyNot(actor, [usage])) === null) return catalog
  throw catalogMissing(name)
}

async function catalogActions(asked: Asked, looking: Looking, catalog: string): Promise<PlaceActions> {
  const elsewhere = looking.catalogs.whyNoDatabases?.(catalog) ?? null
  if (elsewhere !== null) return { createDatabase: elsewhere }
  const create = { createDatabase: [inCatalog(catalog)] }
  const lacksSamples = isFirst(catalog) && looking.sampleData !== null && !(await hasSamples(looking))
  return reasons(asked, lacksSamples ? { ...create, restoreSamples: neededToRestore(false) } : create)
}

async function requireSeen({ authority, actor }: Asked, place: DatabasePlace): Promise<void> {
  const seen = await authority.visible(actor, { type: 'database', catalog: place.catalog })
  if (seen === 'all' || seen.has(foldedName(place.database))) return
  throw new AppError(
    'NotFound',
    `There is no database ${place.database} in the catalog ${place.catalog} that you may see, or it was dropped.`,
  )
}

async function databaseActions(asked: Asked, looking: Looking, wanted: DatabasePlace): Promise<PlaceActions> {
  await requireSeen(asked, wanted)
  const place = await findDatabase(looking, wanted)
  const isOwn = !looking.catalogs.permanent.has(foldedName(place.database))
  const restores = looking.sampleData && isSamples(place)
  const fixed = looking.catalogs.whyFixed?.(place.catalog) ?? null
  const kept = looking.catalogs.whyNoDatabases?.(place.catalog) ?? null
  const refusals = await reasons(asked, {
    createTable: [onDatabase('CREATE TABLE', place)],
    createView: [onDatabase('CREATE VIEW', place)],
    createMaterializedView: [onDatabase('CREATE MATERIALIZED VIEW', place)],
    ...(isOwn ? { dropDatabase: [onDatabase('DROP', place)] } : {}),
    ...(restores ? { restoreSamples: neededToRestore(true) } : {}),
  })
  if (fixed === null) return { ...refusals, loadData: '' }
  const others = kept === null ? {} : { createMaterializedView: kept, dropDatabase: kept }
  return { ...refusals, ...others, createTable: fixed, createView: fixed, loadData: fixed }
}

/** A table that is a materialized view is treated as that. */
async function typeOf(
  { materialized, actor }: Asked,
  place: DatabasePlace,
  { type, name }: AskedObject,
): Promise<TableLike> {
  if (type === 'view') return type
  const isView = (await materialized.keysOf(actor.accountId)).has(viewKey({ ...place, name }))
  return isView ? 'materialized_view' : 'table'
}

async function objectActions(
  asked: Asked,
  { catalogs }: Looking,
  { place, object }: { readonly place: DatabasePlace; readonly object: AskedObject },
): Promise<PlaceActions> {
  const type = await typeOf(asked, place, object)
  const seen = await asked.authority.visible(asked.actor, { ...place, type })
  if (seen !== 'all' && !seen.has(foldedName(object.name)))
    throw new AppError(
      'NotFound',
      `There is no ${object.type.replace('_', ' ')} ${object.name} that you may see, or it was dropped.`,
    )
  const wanted: Wanted = { privilege: 'DROP', object: objectOf(type, { ...place, name: object.name }) }
  const fixed = type === 'materialized_view' ? null : (catalogs.whyFixed?.(place.catalog) ?? null)
  return fixed === null ? reasons(asked, { dropObject: [wanted] }) : { dropObject: fixed }
}

/** What somebody may do in a catalog or with a database, and the sample data, which can be created any number of times. */
export function createPlaceActions({ useServiceEngine, authority, materialized, apply }: PlaceParts) {
  const look = createLookingFor({ useServiceEngine, authority })
  const { whileWriting } = materialized
  const restoring = new Set<string>()

  return {
    actions: (actor: Actor, wanted: AskedPlace): Promise<PlaceActions> =>
      look(actor, async (looking) => {
        const asked = { actor, authority, materialized }
        const catalog = await seenCatalog(asked, looking, wanted.catalog)
        if (wanted.database === null) return catalogActions(asked, looking, catalog)
        const place = { catalog, database: wanted.database }
        return wanted.object
          ? objectActions(asked, looking, { place, object: wanted.object })
          : databaseActions(asked, looking, place)
      }),

    async restoreSamples(who: Who): Promise<void> {
      const { accountId } = who.actor
      if (restoring.has(accountId))
        throw new AppError('Conflict', 'The sample data is already being created. Check again in a moment.')
      restoring.add(accountId)
      try {
        await restoreSamples({ look, authority, apply, whileWriting }, who)
      } finally {
        restoring.delete(accountId)
      }
    },
  }
}

export type PlaceActionsService = ReturnType<typeof createPlaceActions>

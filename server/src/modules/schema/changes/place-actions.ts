import {
  DEFAULT_CATALOG,
  objectOf,
  type PlaceAction,
  type PlaceActions,
  SAMPLE_DATABASE,
  type TableLike,
  foldedName,
  isSameName,
} from '@boathouse/contract'
import type { DatabasePlace } from '../../../engines/engine/names.ts'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { ObjectChange } from '../../../engines/engine/objects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Authority, Wanted } from '../../access/authority.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import { type ApplyChange, type Change, pathOf, type Who } from './apply-change.ts'
import { catalogMissing, isFirst } from '../catalogs/catalogs.ts'
import { findDatabase } from './change-run.ts'
import { createLookingFor, type Looking } from '../objects/looking.ts'

export interface PlaceParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'visible' | 'may' | 'whyNot'>
  readonly apply: ApplyChange
  readonly materialized: {
    /** By `viewKey`: engines take them for tables. */
    keysOf(accountId: string): Promise<ReadonlySet<string>>
    /** Those that read something of this database are refreshed when it is over. */
    whileWriting(accountId: string, place: DatabasePlace, work: () => Promise<void>): Promise<void>
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

/** Of one of its tables, on a machine that has other things to do. */
const SAMPLE_TABLE_MS = 2 * 60_000
const SAMPLES: DatabasePlace = { catalog: DEFAULT_CATALOG, database: SAMPLE_DATABASE }

const inCatalog = (catalog: string): Wanted => ({
  privilege: 'CREATE DATABASE',
  object: objectOf('catalog', { catalog }),
})
const onDatabase = (privilege: Wanted['privilege'], place: DatabasePlace): Wanted => ({
  privilege,
  object: objectOf('database', { ...place }),
})

/** Where there is no database it is made; else what is in it is replaced, which is as much as dropping it. */
const neededToRestore = (exists: boolean): Wanted[] => [
  exists ? onDatabase('DROP', SAMPLES) : inCatalog(SAMPLES.catalog),
]

const isSamples = ({ catalog, database }: DatabasePlace): boolean =>
  catalog === SAMPLES.catalog && isSameName(database, SAMPLES.database)

const noSamples = () => new AppError('NotFound', 'The engine of this account has no sample data.')

async function isThere({ rows, catalogs }: Looking, place: DatabasePlace): Promise<boolean> {
  return (await rows(catalogs.databaseNamed(place), 1)).length > 0
}

/** Names in the database, as they are compared, before it is filled anew; the empty one is its own. */
async function namesIn({ rows, catalogs }: Looking, place: DatabasePlace): Promise<Set<string>> {
  const most = 1_000
  const found = await rows(catalogs.tables(place, { table: 'all', view: 'all' }, most), most)
  return new Set(['', ...found.flatMap(([name]) => (name == null ? [] : foldedName(name)))])
}

/** What somebody may do in a catalog or with a database, and the sample data, which is made as often as one likes. */
export function createPlaceActions({ useServiceEngine, authority, materialized, apply }: PlaceParts) {
  const look = createLookingFor({ useServiceEngine, authority })
  const restoring = new Set<string>()

  async function reasons(
    actor: Actor,
    needed: Partial<Record<PlaceAction, readonly Wanted[]>>,
  ): Promise<PlaceActions> {
    const said: PlaceActions = {}
    for (const [action, wanted] of Object.entries(needed) as [PlaceAction, readonly Wanted[]][])
      said[action] = (await authority.whyNot(actor, wanted)) ?? ''
    return said
  }

  async function seenCatalog(actor: Actor, { catalogNamed }: Looking, name: string): Promise<string> {
    const catalog = catalogNamed(name)
    const usage: Wanted = { privilege: 'USAGE', object: objectOf('catalog', { catalog }) }
    if (isFirst(catalog) || (await authority.whyNot(actor, [usage])) === null) return catalog
    throw catalogMissing(name)
  }

  async function catalogActions(actor: Actor, looking: Looking, catalog: string): Promise<PlaceActions> {
    const create = { createDatabase: [inCatalog(catalog)] }
    const isMissing = isFirst(catalog) && looking.sampleData !== null && !(await isThere(looking, SAMPLES))
    return reasons(actor, isMissing ? { ...create, restoreSamples: neededToRestore(false) } : create)
  }

  async function databaseActions(
    actor: Actor,
    looking: Looking,
    asked: DatabasePlace,
  ): Promise<PlaceActions> {
    await requireSeen(actor, asked)
    const place = await findDatabase(looking, asked)
    const isOwn = !looking.catalogs.permanent.has(foldedName(place.database))
    const restores = looking.sampleData && isSamples(place)
    return reasons(actor, {
      createTable: [onDatabase('CREATE TABLE', place)],
      createView: [onDatabase('CREATE VIEW', place)],
      createMaterializedView: [onDatabase('CREATE MATERIALIZED VIEW', place)],
      ...(isOwn ? { dropDatabase: [onDatabase('DROP', place)] } : {}),
      ...(restores ? { restoreSamples: neededToRestore(true) } : {}),
    })
  }

  async function requireSeen(actor: Actor, place: DatabasePlace): Promise<void> {
    const seen = await authority.visible(actor, { type: 'database', catalog: place.catalog })
    if (seen === 'all' || seen.has(foldedName(place.database))) return
    throw new AppError(
      'NotFound',
      `There is no database ${place.database} in the catalog ${place.catalog} that you may see, or it was dropped.`,
    )
  }

  /** Whoever asks about a table that is a materialized view asks about that. */
  async function typeOf({ accountId }: Actor, place: DatabasePlace, { type, name }: AskedObject) {
    if (type === 'view') return type
    const isView = (await materialized.keysOf(accountId)).has(viewKey({ ...place, name }))
    return isView ? 'materialized_view' : 'table'
  }

  async function objectActions(
    actor: Actor,
    place: DatabasePlace,
    object: AskedObject,
  ): Promise<PlaceActions> {
    const type = await typeOf(actor, place, object)
    const seen = await authority.visible(actor, { ...place, type })
    if (seen !== 'all' && !seen.has(foldedName(object.name)))
      throw new AppError(
        'NotFound',
        `There is no ${object.type.replace('_', ' ')} ${object.name} that you may see, or it was dropped.`,
      )
    const wanted: Wanted = { privilege: 'DROP', object: objectOf(type, { ...place, name: object.name }) }
    return reasons(actor, { dropObject: [wanted] })
  }

  async function restore(who: Who): Promise<void> {
    const { actor } = who
    await look(actor, async (looking) => {
      if (!looking.sampleData) throw noSamples()
      const exists = await isThere(looking, SAMPLES)
      const refusal = await authority.whyNot(actor, neededToRestore(exists))
      if (refusal !== null) throw new AppError('NoPermission', refusal)
      const before = exists ? await namesIn(looking, SAMPLES) : new Set<string>()
      const statements = looking.sampleData(SAMPLES.database)
      const change: Change = {
        statements: statements.map((sql) => ({ sql, authorize: 'all' })),
        withinMs: SAMPLE_TABLE_MS,
        denied: () => false,
        place: SAMPLES,
        grantsFollow: ({ object }: ObjectChange) => !before.has(foldedName(object.name ?? '')),
        audit: {
          action: 'samples.restore',
          object: { type: 'database', id: pathOf(SAMPLES) },
          before: null,
          after: { name: SAMPLES.database },
        },
      }
      await materialized.whileWriting(actor.accountId, SAMPLES, () => apply(who, looking, change))
    })
  }

  return {
    actions: (actor: Actor, asked: AskedPlace): Promise<PlaceActions> =>
      look(actor, async (looking) => {
        const catalog = await seenCatalog(actor, looking, asked.catalog)
        if (asked.database === null) return catalogActions(actor, looking, catalog)
        const place = { catalog, database: asked.database }
        return asked.object
          ? objectActions(actor, place, asked.object)
          : databaseActions(actor, looking, place)
      }),

    async restoreSamples(who: Who): Promise<void> {
      const { accountId } = who.actor
      if (restoring.has(accountId))
        throw new AppError('Conflict', 'The sample data is already being created. Check again in a moment.')
      restoring.add(accountId)
      try {
        await restore(who)
      } finally {
        restoring.delete(accountId)
      }
    },
  }
}

export type PlaceActionsService = ReturnType<typeof createPlaceActions>

import { type NewTable, objectOf, isSameName } from '@boathouse/contract'
import type { DatabasePlace, ObjectPlace } from '../../../engines/engine/names.ts'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { ObjectName } from '../../../engines/engine/objects.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Authority } from '../../access/authority.ts'
import { authorizeStatement, type Lister } from '../../query/gate/authorize-statement.ts'
import { type ApplyChange, pathOf, type Who } from './apply-change.ts'
import { type ChangeRun, findDatabase, ofService, requireFree } from './change-run.ts'
import { newDatabaseName, notEmpty, requireOwn } from '../names/database-names.ts'
import { allUsersOf, type Dependent, seenOf } from '../objects/dependencies.ts'
import { createLookingFor, type Looking } from '../objects/looking.ts'
import type { MaterializedViews } from '../objects/materialized-views.ts'
import { findObject, type FoundObject, type WantedObject } from '../objects/place-of.ts'

export interface ChangeParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'visible' | 'may' | 'require'> & Lister
  readonly materialized: Dependent['materialized'] & Pick<MaterializedViews, 'drop' | 'rename' | 'comment'>
  readonly apply: ApplyChange
}

const databaseOf = (place: DatabasePlace): ObjectName => ({ type: 'database', ...place, name: null })

const notForMaterialized = (what: string) =>
  new AppError(
    'Conflict',
    `A materialized view ${what}: its table is recreated with each refresh. Drop it and create another one.`,
  )

/** What the pages of catalogs make, change and drop: the same privileges as statements, in the engine, without a warehouse. */
export function createCatalogChanges({ useServiceEngine, authority, materialized, apply }: ChangeParts) {
  const look = createLookingFor({ useServiceEngine, authority })

  /** By the privileges of whoever asks, as if they had sent the statement. */
  function decided(actor: Actor, sql: string): ChangeRun {
    const { authorize: statement, hasDenied } = authorizeStatement(actor, authority)
    return { statements: [{ sql, authorize: statement }], denied: hasDenied }
  }

  const withObject = <T>(
    actor: Actor,
    wanted: WantedObject,
    work: (found: FoundObject, looking: Looking) => Promise<T>,
  ): Promise<T> =>
    look(actor, async (looking) => {
      const { ask, catalogNamed } = looking
      const seeking = { actor, authority, materialized: materialized.keysOf, wanted, catalogNamed }
      return work(await findObject(ask, seeking), looking)
    })

  /** CATALOG-13: what reads it is named first, and is then said to be no matter. */
  async function requireUnused(actor: Actor, looking: Looking, place: ObjectPlace): Promise<void> {
    const { accountId } = actor
    const users = await allUsersOf(looking, place, { accountId, materialized })
    if (users.length === 0) return
    const seen = await seenOf(authority.visible, actor, { catalog: place.catalog, refs: users })
    const names = seen.slice(0, 5).map(({ database, name }) => `${database}.${name}`)
    const others = users.length - names.length
    const more = others > 0 ? [`${others} ${names.length > 0 ? 'more' : 'that you may not see'}`] : []
    throw new AppError(
      'Conflict',
      `${place.name} is used by ${[...names, ...more].join(', ')}, which would stop working.`,
    )
  }

  async function drop(who: Who, wanted: WantedObject, evenIfUsed: boolean): Promise<void> {
    const { actor } = who
    await withObject(actor, wanted, async ({ kind, place, access }, looking) => {
      await authority.require(actor, { privilege: 'DROP', object: access })
      if (!evenIfUsed) await requireUnused(actor, looking, place)
      if (kind === 'materialized_view') return materialized.drop(who, place)
      await apply(who, looking, {
        ...decided(actor, looking.descriptions().drop(place)),
        place,
        follows: [{ change: 'dropped', object: place }],
        audit: {
          action: `${place.type}.drop`,
          object: { type: place.type, id: pathOf(place, place.name) },
          before: { name: place.name },
          after: null,
        },
      })
    })
  }

  return {
    drop,

    async createDatabase(who: Who, asked: DatabasePlace): Promise<void> {
      const { actor } = who
      await look(actor, async (looking) => {
        const { rows, catalogs, catalogNamed } = looking
        const catalog = catalogNamed(asked.catalog)
        await authority.require(actor, {
          privilege: 'CREATE DATABASE',
          object: objectOf('catalog', { catalog }),
        })
        const place = { catalog, database: newDatabaseName(asked.database, catalogs) }
        if ((await rows(catalogs.databaseNamed(place), 1)).length > 0)
          throw new AppError(
            'NameTaken',
            `The database ${place.database} already exists in the catalog ${catalog}. Choose another name.`,
          )
        await apply(who, looking, {
          ...ofService(catalogs.createDatabase(place, { ifNotExists: false })),
          place,
          follows: [{ change: 'created', object: databaseOf(place) }],
          audit: {
            action: 'database.create',
            object: { type: 'database', id: pathOf(place) },
            before: null,
            after: { name: place.database },
          },
        })
      })
    },

    /** CATALOG-10 */
    async dropDatabase(who: Who, asked: DatabasePlace, cascade: boolean): Promise<void> {
      const { actor } = who
      const { database } = asked
      await look(actor, async (looking) => {
        const { rows, catalogs, catalogNamed } = looking
        const object = objectOf('database', { catalog: catalogNamed(asked.catalog), database })
        await authority.require(actor, { privilege: 'DROP', object })
        requireOwn(database, catalogs)
        const place = await findDatabase(looking, asked)
        const held = cascade ? [] : await rows(catalogs.tables(place, { table: 'all', view: 'all' }, 4), 4)
        if (held.length > 0)
          throw new AppError(
            'Conflict',
            notEmpty(
              place.database,
              held.map(([name]) => name),
            ),
          )
        await apply(who, looking, {
          ...ofService(catalogs.dropDatabase(place, { ifExists: false, cascade })),
          place,
          follows: [{ change: 'dropped', object: databaseOf(place) }],
          audit: {
            action: 'database.drop',
            object: { type: 'database', id: pathOf(place) },
            before: { name: place.database },
            after: null,
          },
        })
      })
    },

    async createTable(
      who: Who,
      { catalog, databaseName, tableName, comment, columns }: NewTable,
    ): Promise<void> {
      const { actor } = who
      await look(actor, async (looking) => {
        const database = await findDatabase(looking, { catalog, database: databaseName })
        const object = objectOf('database', database)
        await authority.require(actor, { privilege: 'CREATE TABLE', object })
        await requireFree(looking, database, tableName)
        const place = { type: 'table', ...database, name: tableName } as const
        const words = looking.descriptions()
        const { statements, denied } = decided(actor, words.createTable(place, columns))
        const said = [
          ...(comment === '' ? [] : [words.comment(place, comment, null)]),
          ...columns.flatMap((column) =>
            column.comment === '' ? [] : [words.comment(place, column.comment, column.name)],
          ),
        ]
        await apply(who, looking, {
          // Whoever makes the table holds everything on it once it is there; until then nobody has given it to them.
          statements: [...statements, ...said.map((sql) => ({ sql, authorize: 'all' as const }))],
          denied,
          place,
          follows: [{ change: 'created', object: place }],
          audit: {
            action: 'table.create',
            object: { type: 'table', id: pathOf(place, tableName) },
            before: null,
            after: { name: tableName, columns: columns.length },
          },
        })
      })
    },

    async rename(
      who: Who,
      wanted: WantedObject,
      to: { newName: string; evenIfUsed: boolean },
    ): Promise<void> {
      const { actor } = who
      await withObject(actor, wanted, async ({ kind, place, access }, looking) => {
        await authority.require(actor, { privilege: 'ALTER', object: access })
        if (!isSameName(to.newName, place.name)) await requireFree(looking, place, to.newName)
        if (!to.evenIfUsed) await requireUnused(actor, looking, place)
        if (kind === 'materialized_view') return materialized.rename(who, place, to.newName)
        await apply(who, looking, {
          ...decided(actor, looking.descriptions().rename(place, to.newName)),
          place,
          follows: [{ change: 'renamed', object: place, to: { ...place, name: to.newName } }],
          audit: {
            action: `${place.type}.rename`,
            object: { type: place.type, id: pathOf(place, place.name) },
            before: { name: place.name },
            after: { name: to.newName },
          },
        })
      })
    },

    async comment(
      who: Who,
      wanted: WantedObject,
      said: { comment: string; column?: string | undefined },
    ): Promise<void> {
      const { actor } = who
      const { comment, column } = said
      await withObject(actor, wanted, async ({ kind, place, access }, looking) => {
        await authority.require(actor, { privilege: 'ALTER', object: access })
        if (kind === 'materialized_view') {
          if (column !== undefined) throw notForMaterialized('has no comments on its columns')
          return materialized.comment(who, place, comment)
        }
        await apply(who, looking, {
          ...decided(actor, looking.descriptions().comment(place, comment, column ?? null)),
          place,
          audit: {
            action: `${place.type}.comment`,
            object: { type: place.type, id: pathOf(place, place.name) },
            before: null,
            after: { comment, ...(column === undefined ? {} : { column }) },
          },
        })
      })
    },
  }
}

export type CatalogChanges = ReturnType<typeof createCatalogChanges>

import { buildOutside } from './build-outside.ts'
import { createDefinitions } from './modules/query/running/definitions.ts'
import { foldersFor } from './catalog-folders.ts'
import type { Further } from './compute/local/local-provisioner.ts'
import type { Config } from './config.ts'
import type { UseEngine, UseEngineOf } from './engines/engine/engine.ts'
import { extensionsBeside } from './extensions-directory.ts'
import type { ObjectChange } from './engines/engine/objects.ts'
import type { Job } from './jobs/jobs.ts'
import type { Actor } from './kernel/actor.ts'
import type { Clock } from './kernel/clock.ts'
import type { Events } from './kernel/events.ts'
import type { ImplementedCall } from './kernel/implement.ts'
import type { Log } from './kernel/log.ts'
import type { Sealer } from './kernel/sealing.ts'
import type { Authority } from './modules/access/authority.ts'
import { createReaders } from './modules/access/readers.ts'
import type { AccessStore } from './modules/access/store.ts'
import type { Announcements } from './modules/announcement/service.ts'
import type { Lister } from './modules/query/gate/authorize-statement.ts'
import type { Connections } from './modules/query/sessions/connections.ts'
import { unfinishedIn } from './modules/query/unfinished-store.ts'
import { createApplyChange } from './modules/schema/changes/apply-change.ts'
import { createChangeNotes } from './modules/query/running/change-notes.ts'
import { createChangeNoteStore } from './modules/query/running/change-note-store.ts'
import { schemaCalls, type SchemaCallParts } from './modules/schema/calls.ts'
import { createCatalogChanges } from './modules/schema/changes/changes.ts'
import { createExternalCatalogs } from './modules/schema/catalogs/external-catalogs.ts'
import { createFilePlaces } from './modules/schema/catalogs/file-places.ts'
import { createAllCatalogs } from './modules/schema/catalogs/all-catalogs.ts'
import { createInternalCatalogs } from './modules/schema/catalogs/internal-catalogs.ts'
import type { InternalStore } from './modules/schema/catalogs/internal-store.ts'
import { createOpenedCatalogs } from './modules/schema/catalogs/opened-catalogs.ts'
import { createNameSearch } from './modules/schema/names/name-search.ts'
import { createObjects } from './modules/schema/objects/objects.ts'
import { createPlaceActions } from './modules/schema/changes/place-actions.ts'
import { createSchemas } from './modules/schema/service.ts'
import { catalogStatements } from './modules/schema/statements/catalog-statements.ts'
import { SCHEMA_STATEMENTS } from './modules/schema/statements/object-statements.ts'
import { createTableSizes } from './modules/schema/objects/table-sizes.ts'
import type { Tasks } from './build-tasks.ts'
import type { Lakes } from './lakes.ts'
import type { Store } from './store/store.ts'

interface CatalogParts {
  readonly store: Store
  readonly internalStore: InternalStore
  readonly config: Pick<Config, 'catalogFolders' | 'catalogEndpoints' | 'glueUrl' | 'aws'>
  readonly accountsDirectory: string
  readonly sealer: Sealer
  readonly authority: Authority
  readonly accessStore: AccessStore
  readonly announcements: Announcements
  readonly events: Events
  readonly materialized: Tasks['materialized']
  readonly useServiceEngine: UseEngine
  readonly useRemembering: UseEngineOf
  /** Their places name catalogs, which can be renamed. */
  readonly connections: Pick<Connections, 'forgetAllOf' | 'beginRenaming'>
  readonly endsWritten: () => Promise<void>
  readonly clusters: {
    catalogsChanged(accountId: string, catalog: string): Promise<string | null>
    openedTo(accountId: string): readonly string[]
  }
  readonly lakes: Lakes | null
  readonly clock: Clock
  readonly log: Log
}

/** What is known only once it is known who people are and how statements run. */
interface LaterParts {
  readonly privileges: Authority & Lister
  readonly objects: SchemaCallParts['objects']
  readonly objectsChanged: (actor: Actor, changes: readonly ObjectChange[]) => Promise<void>
  readonly queries: SchemaCallParts['queries']
}

interface RecoverParts extends Pick<LaterParts, 'objectsChanged'> {
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
}

const MINUTE_MS = 60_000

/** The catalogs whose data the account itself has. */
function buildInternal(parts: CatalogParts) {
  const { store, internalStore, authority, accessStore, announcements, materialized } = parts
  const { useServiceEngine, lakes: lake, clock, log } = parts
  return createInternalCatalogs({
    store: internalStore,
    transaction: store.transaction,
    authority,
    forgetGrants: accessStore.forgetObject,
    forgetViewOwners: async (trx, accountId, object) => {
      await accessStore.forgetViewOwners(trx, accountId, object)
      await materialized.catalogForgotten(trx, accountId, object.catalog)
    },
    useServiceEngine,
    renaming: {
      beginRenaming: parts.connections.beginRenaming,
      async statementsIn(trx, accountId, catalog) {
        await parts.endsWritten()
        return unfinishedIn(trx, accountId, catalog)
      },
      viewsNaming: materialized.namingCatalog,
      onRenamed(accountId) {
        parts.connections.forgetAllOf(accountId)
        materialized.forgetKnown(accountId)
      },
    },
    announce: async (announcement) => {
      materialized.forgetKnown(announcement.accountId)
      await announcements.announce(announcement)
    },
    lake,
    clock,
    log,
  })
}

/** Wires what there is in an account; a part of `build`. */
export async function buildCatalog(parts: CatalogParts) {
  const { store, sealer, authority, accessStore, announcements, events, materialized } = parts
  const { config, internalStore, useServiceEngine, clock, log } = parts
  const openFolders = (accountId: string) => foldersFor(config.catalogFolders, accountId)
  const { announce } = announcements
  const { externalStore, outside, forExternal, iamRoles, close } = buildOutside(parts)
  const external = createExternalCatalogs({
    ...forExternal,
    transaction: store.transaction,
    sealer,
    authority,
    forgetGrants: accessStore.forgetObject,
    useServiceEngine,
    openFolders,
    followInClusters: parts.clusters.catalogsChanged,
    announce,
    clock,
    log,
  })
  await external.reseal()
  const internal = buildInternal(parts)
  const notes = createChangeNotes({
    store: createChangeNoteStore(store.db),
    transaction: store.transaction,
    useEngine: parts.useRemembering,
    log,
  })
  const opened = createOpenedCatalogs({
    openedTo: parts.clusters.openedTo,
    internal: internalStore,
    external: externalStore,
    authority,
  })
  const all = createAllCatalogs({ internal, external, opened })
  const schemas = createSchemas({ useServiceEngine, authority, internal, external, opened, materialized })

  return {
    schemas,
    notes,
    /** Definitions of statements use the same notes. */
    definitions: createDefinitions({ notes, clock, log }),
    /** What an account's engine has beside its own data. */
    further: async (accountId: string): Promise<Further> => ({
      catalogs: [...(await internalStore.attached(accountId)), ...(await external.attached(accountId))],
      folders: openFolders(accountId).map(({ path }) => path),
      extensions: extensionsBeside(parts.accountsDirectory),
      outside: outside.of(accountId),
    }),
    outside,
    givenToClusters: (accountId: string) => external.givenToClusters(accountId),
    filePlaces: createFilePlaces({ store: externalStore, authority, openFolders }),
    iamRoles,
    close,
    jobs: [{ name: 'record changes of catalogs', everyMs: MINUTE_MS, run: () => notes.settle() }] as Job[],
    /** Before anyone can work: what the last server has started is recorded, and grants follow it. */
    recover: ({ objectsChanged, actorOf }: RecoverParts): Promise<void> =>
      notes.settle(async ({ told: { event, follows } }) => {
        const { userId } = event.by
        const actor = userId === null ? undefined : await actorOf(userId)
        if (actor && follows.length > 0) await objectsChanged(actor, follows)
      }),
    statements: { ...SCHEMA_STATEMENTS, ...catalogStatements(all) },
    /** What is shown of one table or view. */
    objects: (privileges: LaterParts['privileges']) =>
      createObjects({
        useServiceEngine,
        authority: privileges,
        materialized,
        readers: createReaders({ store: accessStore, authority }),
      }),
    calls({ privileges, objects, objectsChanged, queries }: LaterParts): ImplementedCall[] {
      const shared = { useServiceEngine, authority: privileges, materialized }
      const apply = createApplyChange({ objectsChanged, announce, notes, clock, log })
      return schemaCalls({
        schemas,
        objects,
        changes: createCatalogChanges({ ...shared, apply }),
        places: createPlaceActions({ ...shared, apply }),
        sizes: createTableSizes(shared),
        search: createNameSearch({ ...shared, catalogsOf: all.list, events, log }),
        external,
        all,
        materialized,
        queries,
      })
    },
  }
}

export type Catalog = Awaited<ReturnType<typeof buildCatalog>>

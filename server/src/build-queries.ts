import type { Catalog } from './build-catalog.ts'
import type { Ground } from './build-ground.ts'
import type { Identity } from './build-identity.ts'
import type { BuildOptions } from './build-options.ts'
import { statementsOf } from './build-statements.ts'
import { createSystemSources } from './build-system-tables.ts'
import type { LineageBase } from './build-lineage.ts'
import type { Tasks } from './build-tasks.ts'
import { createObjectChanges } from './modules/access/object-changes.ts'
import { createViewOwners } from './modules/access/view-owners.ts'
import type { LoadList } from './modules/load/load-list.ts'
import type { Pipes } from './modules/load/pipes/service.ts'
import { pipeStatements } from './modules/load/pipes/statements.ts'
import { loadStatements } from './modules/load/statements.ts'
import { createAnalyses } from './modules/query/analysis/analyses.ts'
import { createChangeAnnouncements } from './modules/query/answers/change-announcements.ts'
import { createActivity } from './modules/query/history/activity.ts'
import { createHistory } from './modules/query/history/history.ts'
import { processRows } from './modules/query/history/process-statements.ts'
import { createOldEffects } from './modules/query/history/old-effects.ts'
import { createEffects } from './modules/query/running/effects.ts'
import { createSecondRuns } from './modules/query/running/second-run.ts'
import { createQueries } from './modules/query/service.ts'
import { createWarnings } from './modules/query/sessions/warnings.ts'

interface QueryBuildParts
  extends
    Pick<BuildOptions, 'analysisWorker' | 'engines' | 'store' | 'clock' | 'log'>,
    Pick<
      Ground,
      | 'queryStore'
      | 'endsWritten'
      | 'connections'
      | 'sessions'
      | 'useEngine'
      | 'useRemembering'
      | 'useServiceEngine'
    >,
    Pick<
      Ground,
      'accessStore' | 'authority' | 'grantToCreator' | 'announcements' | 'metrics' | 'warehouses'
    > {
  readonly catalog: Pick<Catalog, 'definitions' | 'statements'>
  readonly tasks: Pick<Tasks, 'following' | 'materialized' | 'sourceWrites' | 'statements'>
  readonly lineage: Pick<LineageBase, 'uses' | 'following'>
  readonly loads: () => LoadList
  readonly pipes: () => Pipes
  readonly identity: Pick<Identity, 'access' | 'native' | 'requireLetIn' | 'users'>
}

/** Wires how statements run and what is recorded of them; a part of `build`. */
export function buildQueries(parts: QueryBuildParts) {
  const {
    store,
    engines,
    queryStore,
    endsWritten,
    connections,
    sessions,
    useEngine,
    useRemembering,
    useServiceEngine,
  } = parts
  const { accessStore, authority, grantToCreator, announcements, metrics, warehouses, clock, log } = parts
  const { catalog, tasks, identity } = parts
  const { db } = store
  const { users } = identity
  const effects = createEffects({ store: queryStore, useEngine: useRemembering, log })
  const oldEffects = createOldEffects({ store: queryStore, useEngine: useRemembering, clock, log })
  const analyses = createAnalyses({ workerPath: parts.analysisWorker, names: engines.nameRules })
  const privileges = {
    ...authority,
    ...createViewOwners({ store: accessStore, authority, actorOf: users.actorOf }),
    materialized: tasks.materialized.keysOf,
  }
  const grantsFollow = createObjectChanges({
    transaction: store.transaction,
    store: accessStore,
    authority,
    grantToCreator,
  })
  const objectsChanged = parts.lineage.following(tasks.following(grantsFollow))
  const history = createHistory({ db, endsWritten, costsOf: warehouses.costsOf })
  const queries = createQueries({
    analyses,
    store: queryStore,
    connections,
    sessions,
    warnings: createWarnings(),
    admission: warehouses,
    requireLetIn: identity.requireLetIn,
    privileges,
    objectsChanged,
    definitions: catalog.definitions,
    secondRuns: createSecondRuns(),
    writeWatch: tasks.sourceWrites,
    tableUses: parts.lineage.uses,
    effects,
    useEngine,
    useServiceEngine,
    warehouses,
    systemTables: createSystemSources({
      db,
      history,
      warehouses,
      accessStore,
      loads: parts.loads,
      pipes: parts.pipes,
      processes: (actor) => processRows(activity, { actor, now: clock.now() }),
    }),
    statements: statementsOf({
      warehouses,
      access: { ...identity.access, native: identity.native },
      others: {
        ...catalog.statements,
        ...tasks.statements,
        ...loadStatements(parts.loads),
        ...pipeStatements(parts.pipes),
      },
      activity: () => activity,
      clock,
    }),
    changes: createChangeAnnouncements({ announce: announcements.announce, log }),
    onEnded: (state) => metrics.statements.inc({ state }),
    clock,
    log,
  })
  const activity = createActivity({ db, endsWritten, queries, warehouses, clock })
  return { effects, oldEffects, analyses, privileges, objectsChanged, history, queries, activity }
}

export type QueryServices = ReturnType<typeof buildQueries>

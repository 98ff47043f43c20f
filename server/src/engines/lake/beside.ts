import type { Beside } from '../beside/engine.ts'
import { DONE, failed, type InCluster, noDatabase } from '../beside/session.ts'
import type { AccountLake } from '../engine/lake.ts'
import type { DatabasePlace } from '../engine/names.ts'
import type { ObjectName } from '../engine/objects.ts'
import type { Outcome } from '../engine/outcome.ts'
import { lakeDescriptions } from './descriptions.ts'
import { effectsWithLake } from './effects.ts'
import { lakeLists } from './lists.ts'
import { type DatabaseChange, LAKE_DATABASE_STATEMENTS, leaveBy, readIn } from './statements.ts'
import { CHANGED_ELSEWHERE, LAKE_TABLE_STATEMENTS } from './table-statements.ts'

export interface LakeOfEngine {
  readonly catalog: string
  readonly lake: AccountLake
  /** Since its first cluster, which may start while the engine runs. */
  isThere(): boolean
  /** A place that every account has in the engine. */
  readonly home: DatabasePlace
  readonly inCluster: InCluster
}

const NOT_LOADED =
  'A warehouse of the embedded engine does not load data into tables of a lake. Send it as a stream load in a warehouse that is a cluster, insert the rows with INSERT there, or load them into a table of the embedded engine.'

/** The lake of an account, as one more catalog of its engine. */
export function lakeBeside(scene: LakeOfEngine): Beside<DatabaseChange> {
  const { catalog, lake, home, inCluster } = scene
  return {
    home,
    inCluster,
    notLoaded: NOT_LOADED,
    whyFixed: CHANGED_ELSEWHERE,
    named: (name) => (name.toLowerCase() === catalog && scene.isThere() ? catalog : null),
    check: () => null,
    lists: () => lakeLists(lake),
    descriptions: (asking) => lakeDescriptions(lake, asking),
    databaseStatements: LAKE_DATABASE_STATEMENTS,
    tableStatements: LAKE_TABLE_STATEMENTS,
    leaveBy,
    readIn,
    effects: (inner) => effectsWithLake(inner, scene),
    isThere: async (place) => (await lakeLists(lake).databaseNamed(place)) !== null,
    placeInCluster: () => ({ catalog, database: null, timeZone: 'UTC', variables: {} }),
    perform: (change, { queryId }) => changed(scene, change, queryId),
  }
}

async function changed(
  { catalog, lake }: Pick<LakeOfEngine, 'catalog' | 'lake'>,
  { does, database, isLenient }: DatabaseChange,
  queryId: string,
): Promise<Outcome> {
  const object: ObjectName = { type: 'database', catalog, database, name: null }
  if (does === 'create') {
    if (await lake.createDatabase(database, queryId))
      return { ...DONE, changed: [{ change: 'created', object }] }
    if (isLenient) return DONE
    return failed({ kind: 'data', message: `The database ${catalog}.${database} already exists.` })
  }
  const done = await lake.dropDatabase(database, queryId)
  if (done === 'dropped') return { ...DONE, changed: [{ change: 'dropped', object }] }
  if (done === 'missing') return isLenient ? DONE : noDatabase({ catalog, database })
  const message = `The database ${catalog}.${database} has tables or views. Drop them in a warehouse that is a cluster, then the database.`
  return failed({ kind: 'data', message })
}

import type { Beside } from '../../beside/engine.ts'
import { DONE, type InCluster } from '../../beside/session.ts'
import type { Asking } from '../../engine/asking.ts'
import { EngineUnavailable } from '../../engine/engine.ts'
import type { DatabasePlace } from '../../engine/names.ts'
import type { OpenedCatalogs } from '../../engine/opened-catalogs.ts'
import type { Cell } from '../../engine/rows.ts'
import { catalogsOf } from '../catalogs.ts'
import { FIRST_DATABASE } from '../places.ts'
import { openedDescriptions } from './descriptions.ts'
import {
  askCluster,
  DATABASES_ELSEWHERE,
  leaveBy,
  type NameQuestion,
  OPENED_DATABASE_STATEMENTS,
  OPENED_TABLE_STATEMENTS,
  readIn,
  TABLES_ELSEWHERE,
} from './statements.ts'

interface OpenedToAccount {
  readonly accountId: string
  readonly opened: OpenedCatalogs
  /** A place that every account has in the engine. */
  readonly home: DatabasePlace
  readonly inCluster: InCluster
}

/** In the cluster, where a session of a user belongs: a session of the service would see what others have. */
const NOBODY = 'boathouse'
const MOST_NAMES = 100_000

const NOT_LOADED =
  'Files and streams are not loaded into tables of a cluster that exists already. Insert the rows with INSERT in a warehouse that is a cluster, or load them into a table of the embedded engine.'

/** The same place, asked of the cluster. */
const inNames = (asking: Asking): Asking => ({
  ...asking,
  read: (sql, most = MOST_NAMES) => asking.read(askCluster(sql), most),
})

/** What is asked for there are names. */
const textColumns = ([first = []]: readonly (readonly Cell[])[]) =>
  first.map((_, at) => ({ name: `c${at}`, type: 'VARCHAR', family: 'text' as const }))

/** Catalogs that the operator of a cluster has opened to an account, beside those of its engine. */
export function openedBeside({ accountId, opened, home, inCluster }: OpenedToAccount): Beside<NameQuestion> {
  const ask = (sql: string, most: number, user: string | undefined) =>
    opened.ask({ accountId, user: user ?? NOBODY, sql, most })
  return {
    home,
    inCluster,
    notLoaded: NOT_LOADED,
    whyFixed: TABLES_ELSEWHERE,
    whyNoDatabases: DATABASES_ELSEWHERE,
    named: (name) => opened.of(accountId).find((one) => one === name.toLowerCase()) ?? null,
    check: (catalog) => opened.whyNot(catalog),
    lists: (asking) => catalogsOf([]).in(inNames(asking)),
    descriptions: (asking) => openedDescriptions({ lists: inNames(asking), rows: asking }),
    databaseStatements: OPENED_DATABASE_STATEMENTS,
    tableStatements: OPENED_TABLE_STATEMENTS,
    leaveBy,
    readIn,
    effects: (inner) => inner,
    async isThere({ catalog, database }, user) {
      const why = opened.whyNot(catalog)
      if (why !== null) throw new EngineUnavailable(why)
      if (database === FIRST_DATABASE) return true
      const read = async (sql: string, most = MOST_NAMES) => ({
        columns: [],
        rows: await ask(sql, most, user),
        truncated: false,
        rowsChanged: null,
      })
      const reader = catalogsOf([]).in({ read, inTransaction: false })
      return (await reader.databaseNamed({ catalog, database })) !== null
    },
    placeInCluster: (user = NOBODY) => ({ ...home, timeZone: 'UTC', variables: {}, user }),
    async perform({ sql }, { maxRows }, user) {
      const rows = await ask(sql, maxRows + 1, user)
      const shown = rows.slice(0, maxRows)
      const result = { columns: textColumns(shown), rows: shown, rowsChanged: null }
      return { ...DONE, result: { ...result, truncated: rows.length > maxRows } }
    },
  }
}

import { markedTexts } from '../../beside/marked-texts.ts'
import type { DatabaseStatements } from '../../engine/catalogs.ts'
import type { TableStatements } from '../../engine/descriptions.ts'
import { EngineUnavailable } from '../../engine/engine.ts'

export const DATABASES_ELSEWHERE =
  'Databases of this catalog are created and dropped by those who run the cluster.'
export const TABLES_ELSEWHERE =
  'Tables and views of this catalog are created, changed and dropped by statements in a warehouse that is a cluster.'
const NOT_MATERIALIZED =
  'Materialized views are not kept in a catalog of a cluster that exists already. Create them in default_catalog.'

/** A query about names, which the cluster answers without a warehouse. */
export interface NameQuestion {
  readonly sql: string
}

const { textOf, readIn } = markedTexts<NameQuestion>()
export { readIn }

export const askCluster = (sql: string): string => textOf({ does: 'own', own: { sql } })

export const runInCluster = (sql: string): string => textOf({ does: 'run', texts: [sql] })

export const leaveBy = (sql: string): string => textOf({ does: 'leave', sql })

const refuse = (why: string) => (): never => {
  throw new EngineUnavailable(why)
}

export const OPENED_DATABASE_STATEMENTS: DatabaseStatements = {
  createDatabase: refuse(DATABASES_ELSEWHERE),
  dropDatabase: refuse(DATABASES_ELSEWHERE),
  enter: ({ catalog, database }) =>
    textOf({
      does: 'enter',
      place: { catalog: catalog.toLowerCase(), database: database.toLowerCase() },
    }),
}

export const OPENED_TABLE_STATEMENTS: TableStatements = {
  drop: refuse(TABLES_ELSEWHERE),
  dropIfThere: refuse(NOT_MATERIALIZED),
  rename: refuse(TABLES_ELSEWHERE),
  comment: refuse(TABLES_ELSEWHERE),
  createTable: refuse(TABLES_ELSEWHERE),
  materialize: refuse(NOT_MATERIALIZED),
  tidy: () => null,
}

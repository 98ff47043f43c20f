import { markedTexts } from '../beside/marked-texts.ts'
import type { DatabaseStatements } from '../engine/catalogs.ts'

/** Of names alone: no cluster is asked. */
export interface DatabaseChange {
  readonly does: 'create' | 'drop'
  readonly database: string
  /** By IF EXISTS or IF NOT EXISTS. */
  readonly isLenient: boolean
}

const { textOf, readIn } = markedTexts<DatabaseChange>()
export { readIn }

const changeOf = (own: DatabaseChange): string => textOf({ does: 'own', own })

export const runInCluster = (...texts: readonly string[]): string => textOf({ does: 'run', texts })

export const leaveBy = (sql: string): string => textOf({ does: 'leave', sql })

export const LAKE_DATABASE_STATEMENTS: DatabaseStatements = {
  createDatabase: ({ database }, { ifNotExists }) =>
    changeOf({ does: 'create', database: database.toLowerCase(), isLenient: ifNotExists }),
  dropDatabase: ({ database }, { ifExists }) =>
    changeOf({ does: 'drop', database: database.toLowerCase(), isLenient: ifExists }),
  enter: ({ catalog, database }) =>
    textOf({
      does: 'enter',
      place: { catalog: catalog.toLowerCase(), database: database.toLowerCase() },
    }),
}

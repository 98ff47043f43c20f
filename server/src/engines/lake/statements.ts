import { randomUUID } from 'node:crypto'
import type { DatabaseStatements } from '../engine/catalogs.ts'

/** What is done in a lake by a session of the engine in front of it. */
export type LakeStatement =
  | { readonly does: 'create'; readonly database: string; readonly isLenient: boolean }
  | {
      readonly does: 'drop'
      readonly database: string
      readonly isLenient: boolean
      readonly cascade: boolean
    }
  | { readonly does: 'enter'; readonly database: string }
  /** To a place outside, by a statement of the engine itself. */
  | { readonly does: 'leave'; readonly sql: string }
  /** One after the other in one session, for any cluster of the account that runs. The last one is what is answered. */
  | { readonly does: 'run'; readonly texts: readonly string[] }

/** Nobody else can write it: what a user sends is never taken for a statement of ours. */
const MARK = `lake ${randomUUID()} `

const textOf = (statement: LakeStatement): string => `${MARK}${JSON.stringify(statement)}`

/** Null for a text that somebody else wrote. */
export const lakeStatementIn = (text: string): LakeStatement | null =>
  text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as LakeStatement) : null

export const runInCluster = (...texts: readonly string[]): string => textOf({ does: 'run', texts })

export const leaveBy = (sql: string): string => textOf({ does: 'leave', sql })

export const LAKE_DATABASE_STATEMENTS: DatabaseStatements = {
  createDatabase: ({ database }, { ifNotExists }) =>
    textOf({ does: 'create', database: database.toLowerCase(), isLenient: ifNotExists }),
  dropDatabase: ({ database }, { ifExists, cascade }) =>
    textOf({ does: 'drop', database: database.toLowerCase(), isLenient: ifExists, cascade }),
  enter: ({ database }) => textOf({ does: 'enter', database: database.toLowerCase() }),
}

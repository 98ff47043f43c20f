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
  /** A query, for any cluster of the account that runs. */
  | { readonly does: 'read'; readonly sql: string }

/** Nobody else can write it: what a user sends is never taken for a statement of ours. */
const MARK = `lake ${randomUUID()} `

const textOf = (statement: LakeStatement): string => `${MARK}${JSON.stringify(statement)}`

/** Null for a text that somebody else wrote. */
export const lakeStatementIn = (text: string): LakeStatement | null =>
  text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as LakeStatement) : null

export const readInCluster = (sql: string): string => textOf({ does: 'read', sql })

export const leaveBy = (sql: string): string => textOf({ does: 'leave', sql })

export const LAKE_DATABASE_STATEMENTS: DatabaseStatements = {
  createDatabase: ({ database }, { ifNotExists }) =>
    textOf({ does: 'create', database: database.toLowerCase(), isLenient: ifNotExists }),
  dropDatabase: ({ database }, { ifExists, cascade }) =>
    textOf({ does: 'drop', database: database.toLowerCase(), isLenient: ifExists, cascade }),
  enter: ({ database }) => textOf({ does: 'enter', database: database.toLowerCase() }),
}

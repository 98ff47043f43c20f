import type { CodeName } from './api.ts'

/**
 * What went wrong: a code of the server, or one of ours. NetworkError: no answer; TimedOut: none in time; BadAnswer: not
 * an answer of Boathouse; UnknownCode: a number that this version does not know; Dropped: the channel gave a statement
 * up, and whether it ran is in the history; Incomplete: the server keeps fewer rows than the result has.
 */
export type ErrorName =
  | CodeName
  | 'NetworkError'
  | 'TimedOut'
  | 'BadAnswer'
  | 'UnknownCode'
  | 'Dropped'
  | 'Incomplete'

interface What {
  readonly codeName: ErrorName
  /** 0 where the server gave none. */
  readonly code: number
  readonly message: string
  readonly cause?: unknown
}

/** Everything that this package rejects with, but for the reason of an aborted signal. */
export class BoathouseError extends Error {
  readonly codeName: ErrorName
  readonly code: number

  constructor({ codeName, code, message, cause }: What) {
    super(message, { cause })
    this.name = new.target.name
    this.codeName = codeName
    this.code = code
  }
}

/** A call was refused, or got no answer. */
export class CallError extends BoathouseError {
  /** As in `/warehouse/list`. */
  readonly path: string

  constructor(what: What & { readonly path: string }) {
    super(what)
    this.path = what.path
  }
}

/** The realtime channel cannot be opened, or gave a statement up. */
export class ChannelError extends BoathouseError {}

/** Of an error in a text: offset from 0 in UTF-16 units, line and column from 1. */
export interface Position {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** A statement was refused or failed. */
export class StatementError extends BoathouseError {
  /** Under which the history has it; empty if the text was refused as a whole. */
  readonly queryId: string
  /** Which statement of the text it is, from 0. */
  readonly statementIndex: number
  /** Null when it is not known where in the text the error is. */
  readonly position: Position | null
  /** As in `syntax`, `missing`, `permission`, `data`, `resource`; empty if it is not the engine that refused it. */
  readonly kind: string

  constructor(what: What & Pick<StatementError, 'queryId' | 'statementIndex' | 'position' | 'kind'>) {
    super(what)
    this.queryId = what.queryId
    this.statementIndex = what.statementIndex
    this.position = what.position
    this.kind = what.kind
  }
}

/** Every row that the server keeps was read, and the result has more. */
export class IncompleteError extends BoathouseError {
  /** How many were read. */
  readonly rows: number

  constructor(rows: number) {
    super({
      codeName: 'Incomplete',
      code: 0,
      message: `The result has more rows than these ${rows}, which are all that is kept of it. Ask for fewer rows or columns, or write them into a table.`,
    })
    this.rows = rows
  }
}

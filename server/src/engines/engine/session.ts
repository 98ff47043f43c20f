import type { EngineError } from './outcome.ts'
import type { ExecuteOptions, QueryRun } from './run.ts'

/** A session is plain data: kept by the query service, replayed into whichever engine runs next. */
export interface SessionState {
  readonly catalog: string
  readonly database: string | null
  readonly timeZone: string
  readonly variables: Readonly<Record<string, string>>
  /** The name of the session's user, which is its `current_user`; sessions of the service itself have none. */
  readonly user?: string
}

/** What a user chooses for a session. It is sent with each statement, so that it holds in whichever engine runs it. */
export interface SessionSettings {
  /** By the names that SET knows; those that are missing are as the engine has them. */
  readonly chosen: Readonly<Record<string, string>>
  /** What users keep under names of their own (SET VARIABLE), by names in small letters. */
  readonly variables: Readonly<Record<string, SessionVariable>>
}

/** A value as the text that the engine makes of it, null for SQL's NULL, and the engine's name of its type. */
export interface SessionVariable {
  readonly text: string | null
  readonly type: string
}

export interface EngineSession {
  /** One statement; a text with several is refused. */
  execute(sql: string, options: ExecuteOptions): QueryRun
  close(): Promise<void>
  /** It ended without being closed, see `sessionEnded`: another one must be opened. */
  readonly hasEnded?: boolean
}

/** What of a session would be gone with its engine. */
export interface SessionFacts {
  readonly inTransaction: boolean
  readonly hasTemporary: boolean
}

export const NOTHING_TO_LOSE: SessionFacts = { inTransaction: false, hasTemporary: false }

export class SessionRefused extends Error {
  override readonly name = 'SessionRefused'

  constructor(readonly error: EngineError) {
    super(error.message)
  }
}

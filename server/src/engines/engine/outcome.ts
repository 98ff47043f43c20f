import type { ErrorDetail } from '../../kernel/error-detail.ts'
import type { Described } from './describing.ts'
import type { FileReport } from './files.ts'
import type { ObjectChange, ObjectName } from './objects.ts'
import type { ResultRows } from './rows.ts'
import type { SessionFacts } from './session.ts'

export type Outcome =
  | FinishedOutcome
  | (UnfinishedOutcome & { readonly state: 'failed'; readonly error: EngineError })
  | (UnfinishedOutcome & { readonly state: 'cancelled' })
  /** The engine ended in the middle; `effects` of the next one says whether the statement took effect. */
  | { readonly state: 'lost'; readonly reason: string }

interface UnfinishedOutcome {
  /** What it has, or had when it ended with this statement. */
  readonly session: SessionFacts
  /** The statement could not be interrupted, so its session was given up for it. Nothing that it does takes effect. */
  readonly sessionEnded?: boolean
  /** As of one that finished. */
  readonly peakMemoryBytes?: number | null
  readonly measured?: Measured
  /** What is known of the file that it was about. */
  readonly file?: FileReport
}

/** What an engine measures of a run, as far as it does. */
export interface Measured {
  /** Until it was bound and its objects were decided on; null when it did not get so far. */
  readonly compileMs: number | null
  /** From its last row to the last one handed over. */
  readonly fetchMs: number | null
  /** The most that was seen written to disk for want of memory while it ran, as of the memory. */
  readonly peakSpillBytes: number | null
}

export interface FinishedOutcome {
  readonly state: 'finished'
  readonly result: ResultRows
  /** Of the values in `result` or in the sink, whole, as text in UTF-8. */
  readonly bytes: number
  /** How many rows the sink has taken; missing without one. */
  readonly sinkRows?: number
  /** Of a statement that was described: nothing of it has run. */
  readonly described?: Described
  readonly kept: KeptResult | null
  /** How it ran, when that was requested; of an EXPLAIN, its plan. */
  readonly profile: ProfileNode | null
  /**
   * The most memory that was seen in use for statements while it ran, those that ran beside it included; null where
   * nobody looked in time.
   */
  readonly peakMemoryBytes: number | null
  readonly measured?: Measured
  readonly session: SessionFacts
  /**
   * What it created, dropped or renamed for everyone; missing when that is nothing. A transaction reports all of it
   * with its COMMIT.
   */
  readonly changed?: readonly ObjectChange[]
  /**
   * Reported with `changed` when something is defined: what was altered and kept its name, and whether something may
   * have changed that is in neither list. Missing of an engine that cannot say.
   */
  readonly defined?: Defined
  /** Of a file that was read. */
  readonly file?: FileReport
  /** What of the statement was not done as it was written. */
  readonly warnings?: readonly string[]
}

export interface Defined {
  readonly altered: readonly ObjectName[]
  readonly isUntold: boolean
}

export interface KeptResult {
  readonly rows: number
  /** False: the statement gave more rows than are kept. May still become so when the file turns out too large. */
  readonly complete: boolean
  /** 0: it is written after the answer. */
  readonly bytes: number
}

/** What an operator does, in words that hold of every engine. The contract says them to users. */
export type OperatorKind =
  | 'scan'
  | 'values'
  /** Reads again what another operator has kept. */
  | 'kept'
  | 'filter'
  | 'project'
  | 'join'
  /** Joins by comparing every row of one input with every row of the other. */
  | 'compare'
  | 'aggregate'
  | 'window'
  | 'order'
  | 'top'
  | 'limit'
  | 'union'
  /** A common table expression. */
  | 'common'
  | 'unnest'
  | 'exchange'
  | 'output'
  | 'write'

/** An operator and what it reads from. Null: not known. */
export interface ProfileNode {
  /** In the engine's words. */
  readonly operator: string
  /** Missing where there is no word for it. */
  readonly kind?: OperatorKind | undefined
  readonly detail: string
  /** Its own, without what it reads from. */
  readonly timeMs: number | null
  readonly rows: number | null
  /** The rows are what was expected, not what was seen. */
  readonly isEstimate?: boolean
  /** Of one that reads a table: rows read, before its filter. */
  readonly readRows?: number
  /** Its filter is computed for every row, so that nothing of a table can be skipped. */
  readonly filtersEachRow?: boolean
  /** Steps that only store values another way; their time is in this one's. */
  readonly folded?: number
  readonly children: readonly ProfileNode[]
}

export interface EngineError {
  /**
   * `syntax`: the statement makes no sense; `missing`: it names what is not there; `permission`: the engine never
   * does this, or not for this user; `data`: the values do not allow it; `resource`: memory, disk or another limit;
   * `unavailable`: the engine or session is gone and nothing was run; `internal`: a fault of the engine.
   */
  readonly kind: 'syntax' | 'missing' | 'permission' | 'data' | 'resource' | 'unavailable' | 'internal'
  readonly message: string
  /** Details, where the engine knows more than the kind. */
  readonly code?: ErrorDetail
  /** Place in the statement's text as it was handed over, 0-based UTF-16 offset, where the engine reports it. */
  readonly offset?: number
}

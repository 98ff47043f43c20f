import type { StatementKind } from '@boathouse/sql'
import type { FileOrder } from '../../../engines/engine/files.ts'
import type { RowSink } from '../../../engines/engine/sink.ts'
import type { AcceptedRequest } from '../accepting/accepting.ts'
import type { AnalysedStatement } from '../analysis/analysed-text.ts'
import type { RequestAnswers } from '../answers/request-answers.ts'
import type { Verdict } from '../gate/gate.ts'
import type { Requester } from '../requester.ts'
import type { Connection } from '../sessions/connection.ts'
import type { ParameterValue } from '../sessions/parameters.ts'
import type { Waiting } from './waiting.ts'
import type { WatchedSink } from './watched-sink.ts'

/** A file is loaded into the catalog of its statement, whatever its name is by now. */
export const orderIn = ({ catalog }: Connection, order: FileOrder): FileOrder =>
  order.does === 'load'
    ? { ...order, table: { ...order.table, catalog } }
    : order.does === 'stream'
      ? { ...order, parts: order.parts.map((part) => ({ ...part, table: { ...part.table, catalog } })) }
      : order

/** Statements of the service that define something in the engine; others are recorded where they are made. */
export const ENGINE_DEFINES: ReadonlySet<StatementKind> = new Set(['create-database', 'drop-database'])

/** How a statement comes to run, and where its rows go. */
export interface Way {
  readonly waiting: Waiting
  readonly sink?: WatchedSink | undefined
}

/** A statement that an engine runs. */
export interface InEngine extends Way {
  readonly statement: AnalysedStatement
  readonly queryId: string
  readonly verdict: Verdict & { allowed: true }
  /** Of an EXECUTE: its parameters that stand for variables of the session. */
  readonly variables?: Readonly<Record<string, string>>
  readonly forService?: { readonly longestCell: number }
  /** The service has put it together: whose words those of the session are does not matter. */
  readonly isInEngineWords?: boolean
}

export interface ExecutionOptions {
  readonly request: AcceptedRequest
  readonly requester: Requester
  readonly answers: RequestAnswers
  /** Aborted when the user stops it. */
  readonly stop: AbortSignal
  /** Takes the rows of its statements as they come. */
  readonly sink?: RowSink | undefined
  /** Values for the parameters of its one statement. */
  readonly parameters?: readonly ParameterValue[] | undefined
}

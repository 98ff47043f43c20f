import type { CodeName, EngineErrorKind } from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import type { Progress } from '../../../engines/engine/run.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import type { ErrorDetail } from '../../../kernel/error-detail.ts'
import type { Needed } from '../gate/authorize-statement.ts'
import type { Ending } from '../running/ending.ts'
import type { SessionPlace } from '../sessions/connection.ts'

/** What every door gets of one statement of a request: while it runs, and once when it has ended. */
export interface StatementAnswer {
  readonly requestId: string
  readonly queryId: string
  readonly connectionId: number
  readonly index: number
  readonly count: number
  /** Place of the statement in the text that was sent. */
  readonly start: number
  readonly end: number
  readonly state: 'running' | 'finished' | 'failed'
  readonly code: CodeName
  readonly message: string
  /** Null when it is not the engine that says what is wrong. */
  readonly errorKind: EngineErrorKind | null
  /** What is the matter, where the kind is too coarse; missing when nobody says. */
  readonly errorDetail?: ErrorDetail | undefined
  /** Place of the error in the text that was sent. */
  readonly errorOffset: number | null
  readonly result: ResultRows | null
  /** How many rows came before or beside its end: to a sink, or when it was answered the first time. */
  readonly rowsBefore?: number | undefined
  readonly timeUsedMs: number
  /** While it runs. */
  readonly progress: Progress | null
  /** From 1 on while it waits for a slot. */
  readonly queuePlace: number | null
  readonly notice: string
  /** How many lines SHOW WARNINGS has of it. */
  readonly warnings: number
  /** What was run, also in place of an EXECUTE; missing while it runs and of one that is answered again. */
  readonly kind?: StatementKind | undefined
  /** The rows can be read again under the query id. */
  readonly isKept: boolean
  /** There are more rows, and these are the first so many of them; null when they are all. */
  readonly firstRows: number | null
  readonly place: SessionPlace
  /** The privileges without which nobody gets its end again; empty while it runs. */
  readonly needed: Needed
  readonly moved: { readonly catalog: boolean; readonly database: boolean; readonly warehouse: boolean }
}

export const NOT_MOVED: StatementAnswer['moved'] = { catalog: false, database: false, warehouse: false }

export const EMPTY_RESULT: ResultRows = { columns: [], rows: [], truncated: false, rowsChanged: null }

/** Which statement of which request it is, and where its session is. */
type Known = Pick<
  StatementAnswer,
  'requestId' | 'queryId' | 'connectionId' | 'index' | 'count' | 'start' | 'end' | 'place'
>

// Every field by its name: V8 takes far longer for an object of this size that is put together of others.

export const runningAnswer = (
  known: Known,
  { timeUsedMs, progress, queuePlace }: Pick<StatementAnswer, 'timeUsedMs' | 'progress' | 'queuePlace'>,
): StatementAnswer => ({
  requestId: known.requestId,
  queryId: known.queryId,
  connectionId: known.connectionId,
  index: known.index,
  count: known.count,
  start: known.start,
  end: known.end,
  state: 'running',
  code: 'Ok',
  message: '',
  errorKind: null,
  errorOffset: null,
  result: null,
  timeUsedMs,
  progress,
  queuePlace,
  notice: '',
  warnings: 0,
  isKept: false,
  firstRows: null,
  place: known.place,
  needed: [],
  moved: NOT_MOVED,
})

const firstRowsOf = (result: Ending['result'], kept: Ending['kept']): number | null => {
  if (kept) return kept.complete ? null : kept.rows
  return result?.truncated ? result.rows.length : null
}

/** Of one that has ended, just now or long ago. */
export const endedAnswer = (
  known: Known,
  { state, error, result, rowsTaken, notice, warnings, kept, needed }: Ending,
  { timeUsedMs, moved, kind }: Pick<StatementAnswer, 'timeUsedMs' | 'moved' | 'kind'>,
): StatementAnswer => ({
  requestId: known.requestId,
  queryId: known.queryId,
  connectionId: known.connectionId,
  index: known.index,
  count: known.count,
  start: known.start,
  end: known.end,
  state: state === 'finished' ? 'finished' : 'failed',
  code: error?.code ?? 'Ok',
  message: error?.message ?? '',
  errorKind: error?.kind ?? null,
  errorDetail: error?.detail,
  errorOffset: error?.offset == null ? null : known.start + error.offset,
  result,
  rowsBefore: rowsTaken,
  timeUsedMs,
  progress: null,
  queuePlace: null,
  notice,
  warnings: (warnings?.length ?? 0) + (notice ? 1 : 0) + (error ? 1 : 0),
  kind,
  isKept: kept !== null,
  firstRows: firstRowsOf(result, kept),
  place: known.place,
  needed: needed ?? [],
  moved,
})

import type { CodeName, EngineErrorKind } from '@boathouse/contract'
import type { Progress, ResultRows } from '../../engines/engine.ts'

/** Where a session stands after a statement, and what the statement moved. */
export interface SessionPlace {
  readonly catalog: string
  readonly database: string | null
  readonly warehouse: string
}

/** What every door is told about one statement of a request: while it runs, and once when it has ended. */
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
  /** Place of the error in the text that was sent. */
  readonly errorOffset: number | null
  readonly result: ResultRows | null
  /** How many rows came with its end, when it is told again without them. */
  readonly rowsBefore?: number
  readonly timeUsedMs: number
  /** While it runs. */
  readonly progress: Progress | null
  /** From 1 on while it waits for a slot. */
  readonly queuePlace: number | null
  readonly notice: string
  /** The rows can be read again under the query id. */
  readonly isKept: boolean
  readonly place: SessionPlace
  readonly moved: { readonly catalog: boolean; readonly database: boolean; readonly warehouse: boolean }
}

export const NOT_MOVED: StatementAnswer['moved'] = { catalog: false, database: false, warehouse: false }

export const EMPTY_RESULT: ResultRows = { columns: [], rows: [], truncated: false, rowsChanged: null }

type Known = Pick<StatementAnswer, 'requestId' | 'queryId' | 'connectionId' | 'index' | 'count' | 'place'>
export type Told = Pick<StatementAnswer, 'state' | 'timeUsedMs'> & Partial<Omit<StatementAnswer, keyof Known>>

/**
 * Of a statement that runs or has just ended. Every field by its name: V8 takes far longer for an object of this size
 * that is put together of others.
 */
export const answerOf = (
  { start, end }: Pick<StatementAnswer, 'start' | 'end'>,
  known: Known,
  told: Told,
): StatementAnswer => ({
  requestId: known.requestId,
  queryId: known.queryId,
  connectionId: known.connectionId,
  index: known.index,
  count: known.count,
  start,
  end,
  state: told.state,
  code: told.code ?? 'Ok',
  message: told.message ?? '',
  errorKind: told.errorKind ?? null,
  errorOffset: told.errorOffset ?? null,
  result: told.result ?? null,
  timeUsedMs: told.timeUsedMs,
  progress: told.progress ?? null,
  queuePlace: told.queuePlace ?? null,
  notice: told.notice ?? '',
  isKept: told.isKept ?? false,
  place: known.place,
  moved: told.moved ?? NOT_MOVED,
})

import type { DropReason } from '@boathouse/client/realtime-client'
import { codeNumber } from '@boathouse/contract/codes'
import type { BoundValues } from '@boathouse/contract/parameters'
import {
  type Field,
  type LongCell,
  QUERY_STATES,
  type QueryRsp,
  type QueryState,
  type Row,
} from '@boathouse/contract/realtime'

/** Why the console itself ended a run; the server said nothing about it. */
/** A reset does not end the run: its outcome is requested. */
export type LocalFailure =
  | Exclude<DropReason, 'reset'>
  | 'tooLong'
  | 'stoppedOffline'
  | 'notSent'
  | 'notPrepared'

type ErrorPosition = NonNullable<QueryRsp['errPosition']>

/** What one statement of a run answered. */
export interface StatementResult {
  readonly requestId: string
  readonly index: number
  readonly sql: string
  /** Of the statement in the text that was sent. */
  readonly start: number
  readonly queryId: string
  readonly fields: readonly Field[]
  readonly rows: readonly Row[]
  readonly totalRows: number
  readonly truncated: boolean
  readonly state: QueryState
  /** Milliseconds since the epoch, on this browser's clock. */
  readonly startTime: number
  readonly endTime: number | null
  /** Milliseconds. */
  readonly timeUsed: number
  /** 0 to 100, null while the engine cannot tell. */
  readonly progress: number | null
  /** Rows read so far and all of them, as the engine estimates. */
  readonly progressRows: number | null
  readonly progressTotalRows: number | null
  /** Place in the warehouse's line, from 1 on; null when it does not wait. */
  readonly queuePlace: number | null
  /** What the user should know beside the result; may be empty. */
  readonly notice: string
  readonly longCells: readonly LongCell[]
  /** Its rows can be read and exported under the query id. */
  readonly isKept: boolean
  readonly errCode: number
  readonly errMsg: string
  /** In the text that was sent, not in the statement. */
  readonly errPosition: ErrorPosition | null
  readonly errKind: QueryRsp['errKind']
  readonly errDetail: string | undefined
  /** Null when it changed nothing about the session. */
  readonly change: SessionChange | null
}

/** What a statement changed about its session; null: unchanged. */
export interface SessionChange {
  readonly catalog: string | null
  readonly database: string | null
  readonly warehouse: string | null
}

/** Why a run has not left yet: there is no connection; or there is one again, and what writes is not sent unasked. */
export type Held = 'offline' | 'ask'

/** One text that was sent, with one result for each of its statements. */
export interface Run {
  readonly requestId: string
  readonly sql: string
  /** Where the text stood in the tab when it was sent. */
  readonly from: number
  /** For its parameters; missing: it has none. */
  readonly values?: BoundValues | undefined
  /** Statements of the console's own are not shown. */
  readonly visible: boolean
  readonly state: QueryState
  readonly startTime: number
  readonly endTime: number | null
  readonly stopping: boolean
  /** Null: it was sent, or is about to be. */
  readonly held: Held | null
  /** When it ended, if that was before this page was loaded: its kept result is shown again. */
  readonly endedBefore: number | null
  readonly failure: LocalFailure | null
  /** What is known beyond `failure`; may be empty. */
  readonly failureDetail: string
  /** Of the answer that led to it; 0 when there was none. */
  readonly failureCode: number
  /** Null until the first answer says it. */
  readonly statementCount: number | null
  readonly statements: readonly StatementResult[]
}

export interface RunStart {
  readonly requestId: string
  readonly sql: string
  readonly from: number
  readonly values?: BoundValues | undefined
  readonly visible: boolean
  readonly now: number
}

export interface RunEnd {
  readonly failure: LocalFailure
  readonly detail: string
  readonly code: number
  readonly now: number
}

/** A query starts as running. */
export const newRun = ({ requestId, sql, from, values, visible, now }: RunStart): Run => ({
  requestId,
  sql,
  from,
  ...(values && { values }),
  visible,
  state: QUERY_STATES.Running,
  startTime: now,
  endTime: null,
  stopping: false,
  held: null,
  endedBefore: null,
  failure: null,
  failureDetail: '',
  failureCode: 0,
  statementCount: null,
  statements: [],
})

export const isFinal = (state: QueryState): boolean =>
  state === QUERY_STATES.Finished || state === QUERY_STATES.Failed

export const isRunning = (run: Run): boolean => !isFinal(run.state)

const isCancelled = (statement: StatementResult): boolean =>
  statement.state === QUERY_STATES.Failed && statement.errCode === codeNumber('Cancelled')

/** Never started, because an earlier one did not finish. */
export const isSkipped = (run: Run, statement: StatementResult): boolean =>
  isCancelled(statement) &&
  run.statements.some(({ index, state }) => index < statement.index && state === QUERY_STATES.Failed)

export const isStopped = (run: Run, statement: StatementResult): boolean =>
  isCancelled(statement) && !isSkipped(run, statement)

/** By its user, while nothing could be sent. */
export const isStoppedHere = ({ failure }: Run): boolean =>
  failure === 'notSent' || failure === 'stoppedOffline'

function sessionChange(rsp: QueryRsp): SessionChange | null {
  if (!rsp.catalogChange && !rsp.dbChange && !rsp.warehouseChange) return null
  return {
    catalog: rsp.catalogChange ? rsp.catalog : null,
    // A new catalog has its own databases, so the old choice cannot stay.
    database: rsp.catalogChange || rsp.dbChange ? rsp.db : null,
    warehouse: rsp.warehouseChange ? rsp.warehouse : null,
  }
}

function statementResult(run: Run, rsp: QueryRsp, now: number): StatementResult {
  const known = run.statements.find((statement) => statement.index === rsp.statementIndex)
  // A failure before the text was read names no statement: it belongs to all of it.
  const named = rsp.statementEnd > rsp.statementStart
  return {
    requestId: run.requestId,
    index: rsp.statementIndex,
    sql: named ? run.sql.slice(rsp.statementStart, rsp.statementEnd) : run.sql,
    start: named ? rsp.statementStart : 0,
    queryId: rsp.queryId,
    fields: rsp.fields,
    rows: rsp.result,
    totalRows: rsp.totalRows,
    truncated: rsp.truncated,
    state: rsp.queryState,
    startTime: known?.startTime ?? now - rsp.timeUsed,
    endTime: isFinal(rsp.queryState) ? now : null,
    timeUsed: rsp.timeUsed,
    progress: rsp.progress,
    progressRows: rsp.progressRows,
    progressTotalRows: rsp.progressTotalRows,
    queuePlace: rsp.queuePlace,
    notice: rsp.notice,
    longCells: rsp.longCells,
    isKept: rsp.resultKept,
    errCode: rsp.errCode,
    errMsg: rsp.errMsg,
    errPosition: rsp.errPosition,
    errKind: rsp.errKind,
    errDetail: rsp.errDetail,
    change: rsp.queryState === QUERY_STATES.Finished ? sessionChange(rsp) : null,
  }
}

/** A text stops at its first error; otherwise it is over when its last statement is. */
function stateOf(statements: readonly StatementResult[], count: number): QueryState {
  if (statements.some((statement) => statement.state === QUERY_STATES.Failed)) return QUERY_STATES.Failed
  const finished = statements.filter((statement) => statement.state === QUERY_STATES.Finished)
  return finished.length >= count ? QUERY_STATES.Finished : QUERY_STATES.Running
}

/** What the server says replaces what the console assumed; a late 'running' changes nothing. */
export function answerRun(run: Run, rsp: QueryRsp, heardAt: number): Run {
  const now = run.endedBefore ?? heardAt
  const known = run.statements.find((statement) => statement.index === rsp.statementIndex)
  if (known && isFinal(known.state)) return isAsked(run) ? { ...run, state: QUERY_STATES.Running } : run
  const result = statementResult(run, rsp, now)
  const statements = [...run.statements.filter(({ index }) => index !== result.index), result].toSorted(
    (one, other) => one.index - other.index,
  )
  const statementCount = Math.max(rsp.statementCount, statements.length)
  const state = stateOf(statements, statementCount)
  const over = isFinal(state)
  return {
    ...run,
    statements,
    statementCount,
    state,
    endTime: over ? now : null,
    stopping: run.stopping && !over,
    failure: null,
  }
}

/** The channel was lost for so long that nothing is known of the run, so its outcome is requested. */
export const askRun = (run: Run): Run => (isRunning(run) ? { ...run, state: QUERY_STATES.Unknown } : run)

export const isAsked = (run: Run): boolean => run.state === QUERY_STATES.Unknown

/** The console gives the run up, because no answer can be expected any more. */
export function failRun(run: Run, { failure, detail, code, now }: RunEnd): Run {
  if (!isRunning(run)) return run
  const why = { failure, failureDetail: detail, failureCode: code }
  return { ...run, ...why, state: QUERY_STATES.Failed, endTime: now, stopping: false, held: null }
}

/** Milliseconds, still growing while the run is under way. */
export const elapsedOf = (timed: { startTime: number; endTime: number | null }, now: number): number =>
  Math.max(0, (timed.endTime ?? now) - timed.startTime)

import type { StreamCounts } from '../../../engines/engine/files.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Origin } from '../../query/connections/origin.ts'
import type { StatementAnswer } from '../../query/answers/answer.ts'
import type { Requester } from '../../query/requester.ts'
import type { StreamOptions } from './stream-options.ts'
import type { FoundTarget } from './stream-target.ts'

/** A program that sends data, and how it came in. */
export type StreamSender = Requester & Origin

/** A load that was judged and has its label, and whose data is awaited. */
export interface LiveLoad {
  readonly taskId: string
  readonly label: string
  /** Null until it is known: of one without a label of its sender it is when it runs. */
  transactionId: number | null
  /** There is a row of it. Of several small loads without labels that run together, one stands for all. */
  isWritten: boolean
  /** In that row, beside its own. */
  rowsOfOthers: number
  /** Its row says how it ended. */
  isEnded: boolean
  readonly actor: Actor
  readonly sender: StreamSender
  readonly target: FoundTarget
  readonly options: StreamOptions
  readonly beganAt: number
  readonly stopping: AbortController
  /** When it is over and written down. */
  readonly ended: Promise<void>
  /** Under which it runs; null until it does. */
  requestId: string | null
  /** Stops it again until it has stopped. */
  again?: NodeJS.Timeout
  received: number
  progress: number | null
}

/** Why nothing was loaded, for doors that number errors. */
export type FailureCause = Pick<StatementAnswer, 'code'> &
  Partial<Pick<StatementAnswer, 'errorKind' | 'errorDetail'>>

/** What is said of a load at its end. */
export interface StreamAnswer {
  readonly status: 'loaded' | 'failed' | 'label exists'
  readonly label: string
  readonly transactionId: number
  readonly message: string
  readonly cause?: FailureCause | undefined
  readonly counts: StreamCounts
  readonly bytes: number
  readonly times: StreamTimes
  /** Under which its rejected rows are read; null when there are none. */
  readonly errorsOf: string | null
  /** Of a label that is taken. */
  readonly existing?: 'RUNNING' | 'FINISHED' | undefined
}

interface StreamTimes {
  readonly totalMs: number
  readonly beginMs: number
  readonly readMs: number
  readonly writeMs: number
}

/** How long the rejected rows of a load are kept for reading. */
export const REJECTIONS_KEPT_MS = 24 * 3_600_000

export const NO_COUNTS: StreamCounts = { total: 0, loaded: 0, filtered: 0, unselected: 0, rejected: [] }

/** Another load has this label. */
export class LabelTaken extends AppError {
  constructor(
    readonly label: string,
    readonly transactionId: number,
    readonly existing: 'RUNNING' | 'FINISHED',
  ) {
    super('Conflict', `Label [${label}] has already been used, relate to txn [${transactionId}]`)
  }
}

export const causeOf = ({ code, detail: errorDetail }: AppError): FailureCause => ({ code, errorDetail })

/** Of what is not foreseen, its sender learns no more than this. */
export const messageOf = (error: unknown): string =>
  error instanceof AppError ? error.message : 'Something went wrong in the service. It was logged.'

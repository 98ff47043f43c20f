import { CODES } from '@boathouse/contract'
import type { AppError } from '../../kernel/app-error.ts'
import { LabelTaken, type StreamAnswer } from '../../modules/load/stream/live-load.ts'

/** As clients of stream load read it, to the letter. */
export interface StreamResponse {
  readonly TxnId: number
  readonly Label: string
  readonly Status: 'Success' | 'Fail' | 'Label Already Exists'
  readonly ExistingJobStatus?: 'RUNNING' | 'FINISHED'
  readonly Message: string
  readonly NumberTotalRows: number
  readonly NumberLoadedRows: number
  readonly NumberFilteredRows: number
  readonly NumberUnselectedRows: number
  readonly LoadBytes: number
  readonly LoadTimeMs: number
  readonly BeginTxnTimeMs: number
  readonly StreamLoadPlanTimeMs: number
  readonly ReadDataTimeMs: number
  readonly WriteDataTimeMs: number
  readonly CommitAndPublishTimeMs: number
  readonly ErrorURL?: string
}

const NOTHING = {
  TxnId: -1,
  Label: '',
  NumberTotalRows: 0,
  NumberLoadedRows: 0,
  NumberFilteredRows: 0,
  NumberUnselectedRows: 0,
  LoadBytes: 0,
  LoadTimeMs: 0,
  BeginTxnTimeMs: 0,
  StreamLoadPlanTimeMs: 0,
  ReadDataTimeMs: 0,
  WriteDataTimeMs: 0,
  CommitAndPublishTimeMs: 0,
} as const

/** Of one that was refused before its body came. */
export function refusedResponse(error: AppError, label: string): StreamResponse {
  if (!(error instanceof LabelTaken))
    return { ...NOTHING, Label: label, Status: 'Fail', Message: error.message }
  const { transactionId: TxnId, existing: ExistingJobStatus, message: Message } = error
  return { ...NOTHING, TxnId, Label: label, Status: 'Label Already Exists', ExistingJobStatus, Message }
}

const whole = Math.round

/** `errorUrl` makes the address of the rejected rows of a load. */
export function responseOf(answer: StreamAnswer, errorUrl: (taskId: string) => string): StreamResponse {
  const { counts, times, errorsOf } = answer
  return {
    TxnId: answer.transactionId,
    Label: answer.label,
    Status: answer.status === 'loaded' ? 'Success' : 'Fail',
    Message: answer.message,
    NumberTotalRows: counts.total,
    NumberLoadedRows: counts.loaded,
    NumberFilteredRows: counts.filtered,
    NumberUnselectedRows: counts.unselected,
    LoadBytes: answer.bytes,
    LoadTimeMs: whole(times.totalMs),
    BeginTxnTimeMs: whole(times.beginMs),
    StreamLoadPlanTimeMs: 0,
    ReadDataTimeMs: whole(times.readMs),
    WriteDataTimeMs: whole(times.writeMs),
    CommitAndPublishTimeMs: 0,
    ...(errorsOf !== null && { ErrorURL: errorUrl(errorsOf) }),
  }
}

/** Programs read the body of a 200; a status of its own has only what a proxy or a retry must know. */
const STATUSES = new Set<string>([
  'LoginFailed',
  'TooManyAttempts',
  'AccountFrozen',
  'IpBlocked',
  'LoginRequired',
])

export const statusOf = ({ code }: AppError): number => (STATUSES.has(code) ? CODES[code].http : 200)

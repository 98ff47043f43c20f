import type { AppError } from '../../kernel/app-error.ts'
import { LabelTaken } from '../../modules/load/stream/live-load.ts'
import {
  PartsArriving,
  type RowCounts,
  type TransactionAnswer,
  TransactionFailed,
} from '../../modules/load/stream/transactions/transaction-answer.ts'

/** As clients of the transaction interface of stream load read it, to the letter. */
export interface TransactionResponse {
  readonly Status: 'OK' | 'FAILED' | 'LABEL_ALREADY_EXISTS' | 'TXN_IN_PROCESSING'
  readonly Message: string
  readonly Label: string
  readonly TxnId?: number
  readonly ExistingJobStatus?: 'RUNNING' | 'FINISHED'
  readonly Seq?: number
  readonly NumberTotalRows?: number
  readonly NumberLoadedRows?: number
  readonly NumberFilteredRows?: number
  readonly NumberUnselectedRows?: number
  readonly LoadBytes?: number
  readonly LoadTimeMs?: number
  readonly BeginTxnTimeMs?: number
  readonly ErrorURL?: string
}

const countsOf = (counts: RowCounts) => ({
  NumberTotalRows: counts.total,
  NumberLoadedRows: counts.loaded,
  NumberFilteredRows: counts.filtered,
  NumberUnselectedRows: counts.unselected,
})

/** Rows are counted when they are read: the answer to a part has none of them. */
export const transactionResponse = (
  { label, transactionId, place, counts, bytes, ms = 0 }: TransactionAnswer,
  step: 'begin' | 'other',
): TransactionResponse => ({
  Status: 'OK',
  Message: '',
  Label: label,
  TxnId: transactionId,
  ...(place !== undefined && { Seq: place }),
  ...(counts && countsOf(counts)),
  ...(bytes !== undefined && { LoadBytes: bytes }),
  [step === 'begin' ? 'BeginTxnTimeMs' : 'LoadTimeMs']: Math.round(ms),
})

/** `errorUrl` makes the address of the rejected rows of a load. */
export function refusedTransaction(
  error: AppError,
  label: string,
  errorUrl: (taskId: string) => string,
): TransactionResponse {
  const said = { Message: error.message, Label: label }
  if (error instanceof LabelTaken)
    return {
      ...said,
      Status: 'LABEL_ALREADY_EXISTS',
      TxnId: error.transactionId,
      ExistingJobStatus: error.existing,
    }
  if (error instanceof PartsArriving) return { ...said, Status: 'TXN_IN_PROCESSING' }
  if (!(error instanceof TransactionFailed)) return { ...said, Status: 'FAILED' }
  const { counts, errorsOf } = error
  return {
    ...said,
    Status: 'FAILED',
    ...countsOf(counts),
    ...(errorsOf !== null && { ErrorURL: errorUrl(errorsOf) }),
  }
}

import type { StreamCounts } from '../../../../engines/engine/files.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { TaskRow } from '../../task-store.ts'
import { NO_COUNTS } from '../live-load.ts'

export type RowCounts = Omit<StreamCounts, 'rejected'>

/** What is said of a step of a transaction that was taken; a step that was not is an AppError. */
export interface TransactionAnswer {
  readonly label: string
  readonly transactionId: number
  /** Of the part that was stored, from 0. */
  readonly place?: number
  /** Of all rows, as far as they were read. */
  readonly counts?: RowCounts
  /** As they were sent. */
  readonly bytes?: number
  /** Of all of it. */
  readonly ms?: number
}

/** There is none with this label, or it is another user's. */
export class NoTransaction extends AppError {
  constructor() {
    super('NotFound', 'TXN_NOT_EXISTS')
  }
}

/** Parts of it are on their way: the same may be asked again when they have arrived. */
export class PartsArriving extends AppError {
  constructor() {
    super('Conflict', 'Parts of this transaction are still arriving. Ask again when they were answered.')
  }
}

/** It failed, and these rows are why. */
export class TransactionFailed extends AppError {
  constructor(
    message: string,
    readonly counts: RowCounts,
    /** Under which its rejected rows are read; null when there are none. */
    readonly errorsOf: string | null,
  ) {
    super('QueryFailed', message)
  }
}

export const sumOf = (all: readonly StreamCounts[]): StreamCounts =>
  all.reduce(
    (sum, one) => ({
      total: sum.total + one.total,
      loaded: sum.loaded + one.loaded,
      filtered: sum.filtered + one.filtered,
      unselected: sum.unselected + one.unselected,
      rejected: [...sum.rejected, ...one.rejected],
    }),
    NO_COUNTS,
  )

const countsIn = (row: TaskRow): StreamCounts => ({
  total: row.rows_total ?? 0,
  loaded: row.rows_loaded ?? 0,
  filtered: row.rows_rejected,
  unselected: row.rows_unselected ?? 0,
  rejected: [],
})

export const labelOf = (row: TaskRow): Pick<TransactionAnswer, 'label' | 'transactionId'> => ({
  label: row.label ?? '',
  transactionId: row.transaction_id ?? 0,
})

/** Of what was prepared or committed: always the same, whenever it is asked for. */
export const answerIn = (row: TaskRow): TransactionAnswer => {
  const until = row.ended_at ?? row.prepared_at ?? row.created_at
  const ms = until.getTime() - row.created_at.getTime()
  return { ...labelOf(row), counts: countsIn(row), bytes: row.size_bytes, ms }
}

/** As far as it is known how many rows a commit has loaded, of which only this number is left. */
export const countsAfter = (row: TaskRow, loaded: number | null): StreamCounts =>
  row.prepared_at !== null || loaded === null ? countsIn(row) : { ...NO_COUNTS, total: loaded, loaded }

const reasonOf = ({ state, stage, error }: TaskRow): string => {
  if (stage === 'committing') return 'Whether it is committed is not known yet. Ask again in a moment.'
  if (stage !== null) return 'It takes no more data.'
  return state === 'finished' ? 'It was committed.' : `It was rolled back. ${error}`.trim()
}

/** Why this step cannot be taken where it is. */
export const invalidState = (row: TaskRow): AppError =>
  new AppError('Conflict', `Transaction State Invalid: ${reasonOf(row)}`)

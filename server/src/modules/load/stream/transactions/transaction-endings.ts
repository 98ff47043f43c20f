import type { StreamCounts } from '../../../../engines/engine/files.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Log } from '../../../../kernel/log.ts'
import type { TaskRow, TaskStore } from '../../task-store.ts'
import type { UploadFiles } from '../../upload-files.ts'
import { MOST_REPORTED } from '../stream-options.ts'
import type { LiveTransactions } from './live-transactions.ts'
import type { Stage } from './transaction-lock-store.ts'
import type { TransactionStore } from './transaction-store.ts'

export interface EndingParts {
  readonly store: Pick<TransactionStore, 'end'>
  readonly rejections: Pick<TaskStore, 'keepRejections'>
  readonly files: Pick<UploadFiles, 'remove'>
  readonly live: LiveTransactions
  readonly clock: Clock
  readonly log: Log
}

interface TransactionEnd {
  readonly state: 'finished' | 'failed' | 'cancelled'
  readonly error: string
  readonly queryId?: string | null
  readonly counts?: StreamCounts | null
  /** It is over only if it is at one of these. */
  readonly from: readonly Stage[]
}

/** Ends transactions, and removes what they have stored. */
export function createTransactionEndings({ store, rejections, files, live, clock, log }: EndingParts) {
  /** False when it was not at such a stage any more. */
  return async function end(
    { task_id: taskId, account_id: accountId }: Pick<TaskRow, 'task_id' | 'account_id'>,
    { state, error, from, queryId = null, counts = null }: TransactionEnd,
  ): Promise<boolean> {
    const rejected = counts?.rejected.slice(0, MOST_REPORTED) ?? []
    if (rejected.length > 0) await rejections.keepRejections(taskId, rejected)
    const left = await store.end(
      { taskId, state, error, queryId: queryId || null, counts },
      clock.now(),
      from,
    )
    if (!left) return false
    live.close(taskId, new AppError('Cancelled', error || 'The transaction has ended.'))
    // What cannot be removed now has no row any more, and goes with the next look at all files.
    for (const uploadId of left)
      await files
        .remove({ accountId, uploadId })
        .catch((cause: unknown) => log.warn({ err: cause, taskId }, 'a part was not removed'))
    return true
  }
}

export type EndTransaction = ReturnType<typeof createTransactionEndings>

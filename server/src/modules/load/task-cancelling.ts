import { AppError } from '../../kernel/app-error.ts'
import type { TaskRow } from './task-store.ts'
import type { TaskParts } from './tasks.ts'

/** Ends loads that have not ended yet. */
export function createTaskCancelling({
  store,
  uploads,
  runs,
  streams,
  clock,
}: Pick<TaskParts, 'store' | 'uploads' | 'runs' | 'streams' | 'clock'>) {
  async function cancelStream(row: TaskRow): Promise<void> {
    const wasRunning = row.state === 'running' && (await streams.cancel(row.task_id))
    const { state } = (wasRunning && (await store.find(row.account_id, row.task_id))) || row
    if (wasRunning && state === 'cancelled') return
    throw new AppError(
      'Conflict',
      state === 'running'
        ? 'Whether this load has taken effect is not known yet. Look again in a moment.'
        : `This load is ${state}. It stays in the list until its label expires, so that nothing is loaded twice.`,
    )
  }

  /** False when it is over. */
  async function cancelFile(row: TaskRow): Promise<boolean> {
    const { task_id, account_id, upload_id } = row
    if (await store.want(task_id, 'cancelled')) {
      await runs.stop(row)
      return true
    }
    const paused = await store.change(task_id, 'cancel', { ended_at: clock.now() })
    if (paused && upload_id) await uploads.remove({ account_id, upload_id })
    return paused !== undefined
  }

  /** Throws when it was over before; it stays what it is then, and in the list. */
  async function cancel(row: TaskRow): Promise<void> {
    if (row.label !== null) return cancelStream(row)
    const isCancelled = await cancelFile(row)
    const { state } = (isCancelled && (await store.find(row.account_id, row.task_id))) || row
    if (!isCancelled || state === 'finished' || state === 'failed')
      throw new AppError('Conflict', `This load is ${state}. You can cancel a load only before it has ended.`)
  }

  return { cancelStream, cancelFile, cancel }
}

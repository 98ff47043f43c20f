import type { FileColumn, NulledColumn, Rejection, WidenedColumn } from '../../engines/engine/files.ts'
import { jsonText } from '../../store/json-text.ts'
import type { LoadEvent } from './states.ts'
import type { TaskRow } from './task-store.ts'
import { WAITING_MS } from './uploads.ts'
import type { TaskRunParts } from './task-runs.ts'

const DAY_MS = 24 * 3_600_000

const UNNOTED =
  'The file was loaded. Which rows were rejected and which values became NULL is unknown, because the service ended before it could record them.'

/** What is known when a run has ended. */
export interface Ended {
  readonly event: Extract<LoadEvent, 'done' | 'refused' | 'stopped'>
  readonly error: string
  readonly rowsLoaded: number | null
  /** Null when nobody can say. */
  readonly rejected: readonly Rejection[] | null
  readonly widened: readonly WidenedColumn[]
  readonly nulled: readonly NulledColumn[]
}

const mayLeaveOut = ({ most_rejected, columns }: TaskRow): boolean =>
  most_rejected > 0 || (columns as FileColumn[]).some(({ misfits }) => misfits === 'null')

/** Records how a load task ended, and what follows for its file. */
export function createTaskEndings({
  store,
  uploads,
  announce,
  clock,
}: Pick<TaskRunParts, 'store' | 'uploads' | 'announce' | 'clock'>) {
  /** It was asked to stop, and the server that was to do so has ended. */
  async function leave({ task_id }: TaskRow, wanted: string): Promise<void> {
    const isPause = wanted === 'paused'
    const changed = await store.change(task_id, isPause ? 'pause' : 'cancel', {
      wanted: null,
      ended_at: isPause ? null : clock.now(),
    })
    if (changed) await followUp(changed)
  }

  async function finish(row: TaskRow, end: Ended, queryId: string | null): Promise<void> {
    const { task_id } = row
    const wanted = end.event === 'stopped' ? (await store.find(row.account_id, task_id))?.wanted : null
    const event = wanted === 'paused' ? 'pause' : wanted === 'cancelled' ? 'cancel' : end.event
    const isUnnoted = end.event === 'done' && end.rejected === null && mayLeaveOut(row)
    if (end.rejected) await store.keepRejections(task_id, end.rejected)
    const changed = await store.change(task_id, event, {
      wanted: null,
      query_id: queryId,
      rows_loaded: end.rowsLoaded,
      rows_rejected: end.rejected?.length ?? 0,
      widened: end.widened.length > 0 ? jsonText(end.widened) : null,
      nulled: end.nulled.length > 0 ? jsonText(end.nulled) : null,
      error: event === 'pause' ? '' : isUnnoted ? UNNOTED : end.error,
      ended_at: event === 'pause' ? null : clock.now(),
    })
    if (changed) await followUp(changed)
  }

  /** The file of what is over goes; one that failed can be resumed for a day. */
  async function followUp(row: TaskRow): Promise<void> {
    const { account_id, upload_id, catalog, database_name: database } = row
    if (upload_id) {
      if (row.state === 'finished' || row.state === 'cancelled')
        await uploads.remove({ account_id, upload_id })
      else await uploads.keepUntil(upload_id, row.state === 'failed' ? DAY_MS : WAITING_MS)
    }
    if (row.state === 'finished' && row.makes_table)
      await announce({
        accountId: account_id,
        userId: null,
        type: 'GlobalEventTypeDatabaseChanged',
        data: { catalog, database },
      })
  }

  return { leave, finish }
}

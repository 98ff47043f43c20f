import type { LoadState } from '@boathouse/contract'
import type { SystemRow } from '../../engines/engine/system-tables.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { nameForMysql } from '../query/sessions/named-place.ts'
import type { ListedLoads, LoadListStore } from './load-list-store.ts'
import { REJECTIONS_KEPT_MS } from './stream/live-load.ts'
import { seesAll, type TaskParts, type Tasks } from './tasks.ts'
import type { TaskRow } from './task-store.ts'

export interface LoadListParts extends Pick<TaskParts, 'runs'> {
  readonly store: LoadListStore
  readonly tasks: Pick<Tasks, 'cancel'>
  readonly streams: TaskParts['streams']
  readonly clock: Clock
}

export type Load = SystemRow<'loads'>

/** What a user asks for of the loads that they may see. */
export type AskedLoads = Pick<ListedLoads, 'place' | 'label' | 'like'> & {
  /** In the words of the list. */
  readonly state?: string | undefined
  readonly limit?: number | null
}

const MOST_LOADS = 1_000

/** The words of the list. One that failed took no effect, as one that somebody has cancelled. */
const STATES: Readonly<Record<LoadState, string>> = {
  queued: 'QUEUEING',
  running: 'LOADING',
  paused: 'PAUSED',
  finished: 'FINISHED',
  failed: 'CANCELLED',
  cancelled: 'CANCELLED',
}

/** A transaction that runs, and waits for its commit. */
const PREPARED = 'PREPARED'

const statesCalled = (word: string): LoadState[] =>
  word.toUpperCase() === PREPARED
    ? ['running']
    : (Object.keys(STATES) as LoadState[]).filter((state) => STATES[state] === word.toUpperCase())

/** The loads that somebody may see, as SHOW LOAD and `information_schema.loads` list them. */
export function createLoadList({ store, tasks, runs, streams, clock }: LoadListParts) {
  const listOf = (actor: Actor, { state, limit, ...asked }: AskedLoads) =>
    store.list({
      ...asked,
      accountId: actor.accountId,
      userId: seesAll(actor) ? null : actor.userId,
      states: state === undefined ? undefined : statesCalled(state),
      isPrepared: state === undefined ? undefined : state.toUpperCase() === PREPARED,
      most: Math.min(limit ?? MOST_LOADS, MOST_LOADS),
    })

  function progressOf(row: TaskRow): string | null {
    if (row.state === 'finished') return '100%'
    const known =
      row.state === 'running' ? (row.label === null ? runs : streams).progressOf(row.task_id) : null
    return known === null ? null : `${Math.floor(known)}%`
  }

  /** Of what has ended all is known that was counted, of what runs only what has arrived. */
  function countsOf(row: TaskRow) {
    const isOver = row.ended_at !== null
    const isStream = row.label !== null
    const isCounted =
      isOver && (isStream ? row.rows_total !== null : row.state !== 'finished' || row.error === '')
    const bytes = isOver && (isStream || row.state === 'finished') ? row.size_bytes : null
    return {
      scan_rows: row.rows_total,
      scan_bytes: bytes ?? streams.receivedOf(row.task_id),
      filtered_rows: isCounted ? row.rows_rejected : null,
      unselected_rows: row.rows_unselected,
      sink_rows: row.rows_loaded,
    }
  }

  const areRejectionsKept = ({ label, rows_rejected, ended_at }: TaskRow): boolean =>
    label !== null &&
    rows_rejected > 0 &&
    ended_at !== null &&
    ended_at.getTime() + REJECTIONS_KEPT_MS >= clock.now().getTime()

  const present = (row: TaskRow): Load => ({
    id: row.task_id,
    label: row.label ?? row.task_id,
    profile_id: row.query_id,
    db_name: nameForMysql({ catalog: row.catalog, database: row.database_name }),
    table_name: (row.tables ?? [row.table_name]).join(', '),
    user: row.user_name,
    warehouse: row.warehouse_name,
    state: row.prepared_at !== null && row.state === 'running' ? PREPARED : STATES[row.state as LoadState],
    progress: progressOf(row),
    type: row.label === null ? 'FILE' : 'STREAM',
    priority: null,
    ...countsOf(row),
    runtime_details: null,
    create_time: row.created_at.toISOString(),
    // The body of a stream comes as soon as it is taken; when a file began to be read is not written down.
    load_start_time: row.label === null ? null : row.created_at.toISOString(),
    load_commit_time: null,
    load_finish_time: row.ended_at?.toISOString() ?? null,
    // Parts of a transaction are each written in a way of their own.
    properties: row.tables === null ? JSON.stringify(row.reading) : null,
    error_msg: row.error || null,
    tracking_sql: null,
    rejected_record_path: areRejectionsKept(row) ? `/api/_load_error_log?id=${row.task_id}` : null,
  })

  return {
    /** Newest first. */
    async list(actor: Actor, asked: AskedLoads): Promise<Load[]> {
      return (await listOf(actor, asked)).map(present)
    },

    /** Resolves when it has ended, and nothing of it is in the table. */
    async cancel(actor: Actor, place: NonNullable<AskedLoads['place']>, label: string): Promise<void> {
      const found = await listOf(actor, { place, label })
      // Of a label that failed there may be several; one at most is not over.
      const row = found.find(({ ended_at }) => ended_at === null) ?? found[0]
      if (!row)
        throw new AppError(
          'NotFound',
          `There is no load with the label ${label} in ${place.database}, or you may not see it. SHOW LOAD lists those that you may.`,
        )
      await tasks.cancel(actor, row.task_id)
    },
  }
}

export type LoadList = ReturnType<typeof createLoadList>

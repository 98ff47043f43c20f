import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { LoadColumn } from '@boathouse/contract'
import type { FileReading, LoadOrder, Rejection } from '../../engines/engine/files.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { NewAnnouncement } from '../announcement/service.ts'
import { CUT_OFF } from '../query/running/ending.ts'
import type { Queries } from '../query/service.ts'
import type { FileEnd, RunFile } from './file-runs.ts'
import type { LoadEvent } from './states.ts'
import type { TaskRow, TaskStore } from './task-store.ts'
import { type Uploads, WAITING_MS } from './uploads.ts'

export interface TaskRunParts {
  readonly store: TaskStore
  readonly uploads: Pick<Uploads, 'remove' | 'keepUntil'>
  readonly runFile: RunFile
  readonly queries: Pick<Queries, 'kill'>
  /** The statements of a request that was sent before. */
  readonly findRequest: (accountId: string, requestId: string) => Promise<readonly { readonly sql: string }[]>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

interface Running {
  readonly ended: Promise<void>
  /** Of the run that goes on. */
  requestId: string
  progress: number | null
}

/** Of tasks that a server finds when it starts, at a time. */
const MOST_RECOVERED = 1_000
const DAY_MS = 24 * 3_600_000
const UNNOTED =
  'The file was loaded. Which rows were rejected is unknown, because the service ended before it could record them.'

const requestOf = (taskId: string, attempt: number): string => `load-${taskId}-${attempt}`

const VERB = 'LOAD FILE '

/** What the history says of a run. */
const textOf = (row: Pick<TaskRow, 'file_name' | 'catalog' | 'database_name' | 'table_name'>): string =>
  `${VERB}${quoteString(row.file_name)} INTO ${[row.catalog, row.database_name, row.table_name].map(quoteIdentifier).join('.')}`

const orderOf = (row: TaskRow, uploadId: string): LoadOrder => ({
  does: 'load',
  file: uploadId,
  reading: row.reading as FileReading,
  columns: row.columns as LoadColumn[],
  table: { catalog: row.catalog, database: row.database_name, name: row.table_name },
  makesTable: row.makes_table,
  mostRejected: row.most_rejected,
})

/** What is known when a run has ended. */
interface Ended {
  readonly event: Extract<LoadEvent, 'done' | 'refused' | 'stopped'>
  readonly error: string
  readonly rowsLoaded: number | null
  /** Null when nobody can say. */
  readonly rejected: readonly Rejection[] | null
}

function endedOf({ answer, outcome }: FileEnd): Ended {
  const report = outcome && outcome.state !== 'lost' ? outcome.file : undefined
  const rejected = report?.rejected ?? null
  if (answer.state === 'finished')
    return { event: 'done', error: '', rowsLoaded: answer.result?.rowsChanged ?? null, rejected }
  const event = answer.code === 'Cancelled' ? 'stopped' : 'refused'
  return { event, error: answer.message, rowsLoaded: null, rejected }
}

/**
 * The runs of load tasks. Each is one request under an id of its own, which the engine notes with the rows: sent again
 * after a crash it answers what became of it, and only one that did not take effect is followed by another.
 */
export function createTaskRuns(parts: TaskRunParts) {
  const { store, uploads, runFile, queries, actorOf, announce, clock, log } = parts
  const running = new Map<string, Running>()
  let isClosing = false

  /** A request is known by its text as well, and its catalog may have another name since it was sent. */
  async function textFor(row: TaskRow, requestId: string): Promise<string> {
    const [sent] = await parts.findRequest(row.account_id, requestId)
    return sent?.sql.startsWith(VERB) ? sent.sql : textOf(row)
  }

  async function once(row: TaskRow, actor: Actor, attempt: number): Promise<FileEnd> {
    const known = running.get(row.task_id)
    const requestId = requestOf(row.task_id, attempt)
    if (known) known.requestId = requestId
    const text = await textFor(row, requestId)
    let isBegun = false
    return runFile(actor, {
      requestId,
      text,
      order: orderOf(row, row.upload_id ?? ''),
      // Whatever it is called when the run begins.
      catalog: row.catalog_id,
      database: row.database_name,
      warehouseId: row.warehouse_id,
      onAnswer: ({ state, queuePlace, progress, queryId }) => {
        if (known) known.progress = progress?.percentage ?? known.progress
        if (isBegun || state !== 'running' || queuePlace !== null) return
        isBegun = true
        store
          .change(row.task_id, 'begun', { query_id: queryId })
          .catch((error: unknown) => log.warn({ err: error }, 'a load task does not show that it runs'))
      },
    })
  }

  /** It was asked to stop, and the server that was to do so has ended. */
  async function leave({ task_id }: TaskRow, wanted: string): Promise<void> {
    const isPause = wanted === 'paused'
    const changed = await store.change(task_id, isPause ? 'pause' : 'cancel', {
      wanted: null,
      ended_at: isPause ? null : clock.now(),
    })
    if (changed) await followUp(changed)
  }

  /** Null when it cannot be told yet what became of the run before, or it was to go no further. */
  async function settled(row: TaskRow, actor: Actor): Promise<FileEnd | null> {
    const before = row.attempt > 0 ? await once(row, actor, row.attempt) : null
    // It ran just now: no server had come so far with it.
    if (before?.outcome || before?.answer.state === 'finished') return before
    if (before?.answer.message.includes(CUT_OFF.unknown) || isClosing) return null
    if (row.wanted) {
      await leave(row, row.wanted)
      return null
    }
    return once(row, actor, await store.nextAttempt(row.task_id))
  }

  async function finish(row: TaskRow, end: Ended, queryId: string | null): Promise<void> {
    const { task_id } = row
    const wanted = end.event === 'stopped' ? (await store.find(row.account_id, task_id))?.wanted : null
    const event = wanted === 'paused' ? 'pause' : wanted === 'cancelled' ? 'cancel' : end.event
    const isUnnoted = end.event === 'done' && end.rejected === null && row.most_rejected > 0
    if (end.rejected) await store.keepRejections(task_id, end.rejected)
    const changed = await store.change(task_id, event, {
      wanted: null,
      query_id: queryId,
      rows_loaded: end.rowsLoaded,
      rows_rejected: end.rejected?.length ?? 0,
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

  async function run(row: TaskRow): Promise<void> {
    const actor = await actorOf(row.user_id)
    if (!actor) return
    try {
      const end = await settled(row, actor)
      // Whoever starts the service next asks what became of it.
      if (end && (!isClosing || end.answer.state === 'finished'))
        await finish(row, endedOf(end), end.answer.queryId)
    } catch (error) {
      if (isClosing) return
      if (!(error instanceof AppError)) log.error({ err: error, taskId: row.task_id }, 'a load task failed')
      const message =
        error instanceof AppError ? error.message : 'Something went wrong in the service. It was logged.'
      await finish(row, { event: 'refused', error: message, rowsLoaded: null, rejected: null }, row.query_id)
    }
  }

  function start(row: TaskRow): void {
    if (running.has(row.task_id) || isClosing) return
    const ended = Promise.resolve()
      .then(() => run(row))
      .catch((error: unknown) => log.error({ err: error }, 'the end of a load task was not written down'))
      .finally(() => running.delete(row.task_id))
    running.set(row.task_id, { ended, requestId: requestOf(row.task_id, row.attempt), progress: null })
  }

  return {
    start,

    progressOf: (taskId: string): number | null => running.get(taskId)?.progress ?? null,

    /** Stops what runs of it here; resolves when its end is written down. */
    async stop({ task_id, user_id }: TaskRow): Promise<void> {
      const known = running.get(task_id)
      if (!known) return
      const owner = await actorOf(user_id)
      if (!owner) return
      // It may not have been accepted yet: then it is asked again until it is, or has ended.
      while (running.get(task_id) === known) {
        const { stopped } = await queries.kill(owner, known.requestId).catch(() => ({ stopped: false }))
        if (stopped) break
        await Promise.race([known.ended, new Promise((resolve) => setTimeout(resolve, 20))])
      }
      await known.ended
    },

    /** Goes on with what a server has left, and asks again of what could not be told before. */
    async goOn(): Promise<void> {
      for (const row of await store.underWay(MOST_RECOVERED)) start(row)
    },

    async closing(): Promise<void> {
      isClosing = true
    },

    async close(): Promise<void> {
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },
  }
}

export type TaskRuns = ReturnType<typeof createTaskRuns>

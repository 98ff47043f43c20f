import type { LoadState } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { NewAnnouncement } from '../announcement/service.ts'
import { CUT_OFF } from '../query/running/ending.ts'
import type { Queries } from '../query/service.ts'
import type { FileEnd, RunFile } from './file-runs.ts'
import { UNDER_WAY } from './task-change-store.ts'
import type { TaskRow, TaskStore } from './task-store.ts'
import type { Uploads } from './uploads.ts'
import { createTaskRequests, type Sent, requestOf } from './task-requests.ts'
import { createTaskEndings, type Ended } from './task-endings.ts'

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

interface Running extends Sent {
  readonly ended: Promise<void>
  /** It was started again while its end was still being written. */
  isWantedAgain: boolean
}

/** Of tasks that a server finds when it starts, at a time. */
const MOST_RECOVERED = 1_000

function endedOf({ answer, outcome }: FileEnd): Ended {
  const report = outcome && outcome.state !== 'lost' ? outcome.file : undefined
  const rejected = report?.rejected ?? null
  if (answer.state === 'finished')
    return {
      event: 'done',
      error: '',
      rowsLoaded: answer.result?.rowsChanged ?? null,
      rejected,
      widened: report?.widened ?? [],
      nulled: report?.nulled ?? [],
    }
  const event = answer.code === 'Cancelled' ? 'stopped' : 'refused'
  return { event, error: answer.message, rowsLoaded: null, rejected, widened: [], nulled: [] }
}

/**
 * The runs of load tasks. Each is one request under an id of its own, which the engine records with the rows: sent
 * again after a crash, it is answered with its outcome, and only a run that did not take effect is followed by another.
 */
export function createTaskRuns(parts: TaskRunParts) {
  const { store, queries, actorOf, log } = parts
  const send = createTaskRequests(parts)
  const { leave, finish } = createTaskEndings(parts)
  const running = new Map<string, Running>()
  let isClosing = false

  /** Null when the outcome of the earlier run is still unknown, or the task was paused or cancelled. */
  async function settled(row: TaskRow, actor: Actor): Promise<FileEnd | null> {
    const known = running.get(row.task_id)
    const before = row.attempt > 0 ? await send(row, actor, { attempt: row.attempt, known }) : null
    // It ran just now: no server had come so far with it.
    if (before?.outcome || before?.answer.state === 'finished') return before
    if (before?.answer.message.includes(CUT_OFF.unknown) || isClosing) return null
    if (row.wanted) {
      await leave(row, row.wanted)
      return null
    }
    return send(row, actor, { attempt: await store.nextAttempt(row.task_id), known })
  }

  async function run(row: TaskRow): Promise<void> {
    const actor = await actorOf(row.user_id)
    if (!actor) return
    try {
      const end = await settled(row, actor)
      // The next server finds out how it ended.
      if (end && (!isClosing || end.answer.state === 'finished'))
        await finish(row, endedOf(end), end.answer.queryId)
    } catch (error) {
      if (isClosing) return
      if (!(error instanceof AppError)) log.error({ err: error, taskId: row.task_id }, 'a load task failed')
      const message =
        error instanceof AppError ? error.message : 'Something went wrong in the service. It was logged.'
      await finish(
        row,
        { event: 'refused', error: message, rowsLoaded: null, rejected: null, widened: [], nulled: [] },
        row.query_id,
      )
    }
  }

  function start(row: TaskRow): void {
    if (isClosing) return
    const known = running.get(row.task_id)
    if (known) {
      known.isWantedAgain = true
      return
    }
    const ended = Promise.resolve()
      .then(() => run(row))
      .catch((error: unknown) => log.error({ err: error }, 'the end of a load task was not written down'))
      .then(() => afterwards(row))
      .catch((error: unknown) => log.error({ err: error }, 'a load task was not started again'))
    const requestId = requestOf(row.task_id, row.attempt)
    running.set(row.task_id, { ended, requestId, progress: null, isWantedAgain: false })
  }

  async function afterwards({ account_id, task_id }: TaskRow): Promise<void> {
    const isWantedAgain = running.get(task_id)?.isWantedAgain ?? false
    running.delete(task_id)
    if (!isWantedAgain || isClosing) return
    const row = await store.find(account_id, task_id)
    if (row && UNDER_WAY.includes(row.state as LoadState)) start(row)
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
      // The request may not have been accepted yet: this is repeated until it is, or has ended.
      while (running.get(task_id) === known) {
        const { stopped } = await queries.kill(owner, known.requestId).catch(() => ({ stopped: false }))
        if (stopped) break
        await Promise.race([known.ended, new Promise((resolve) => setTimeout(resolve, 20))])
      }
      await known.ended
    },

    /** Resumes the tasks that a server has left, and those whose outcome was unknown. */
    async resumeLeft(): Promise<void> {
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

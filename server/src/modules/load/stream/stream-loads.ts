import { randomUUID } from 'node:crypto'
import type { StreamPart } from '../../../engines/engine/files.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { isDiskFull, DISK_FULL } from '../../../kernel/disk-full.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Queries } from '../../query/service.ts'
import type { TaskStore } from '../task-store.ts'
import { type ArrivedData, type Arrivals } from './arrived-data.ts'
import { decompressor } from './arriving-body.ts'
import { createMergedLoads } from './merged-loads.ts'
import {
  LabelTaken,
  type LiveLoad,
  messageOf,
  NO_COUNTS,
  type StreamAnswer,
  type StreamSender,
} from './live-load.ts'
import type { createPlaces, InTurn } from './places.ts'
import type { StreamOptions } from './stream-options.ts'
import { type RunStream, type StreamEnding, streamRequestOf } from './stream-runs.ts'
import type { NewStream, StreamStore } from './stream-store.ts'
import type { createTargets, StreamTarget } from './stream-target.ts'

export interface StreamLoadParts {
  readonly store: StreamStore
  readonly rejections: Pick<TaskStore, 'keepRejections'>
  readonly arrivals: Arrivals
  readonly findTarget: ReturnType<typeof createTargets>
  readonly places: ReturnType<typeof createPlaces>
  readonly inTurn: InTurn
  readonly run: RunStream
  readonly queries: Pick<Queries, 'kill'>
  /** How a load ended that has a label and is not known here. */
  readonly settle: (accountId: string, taskId: string) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** A load whose sender, headers, table and label were judged. Its body may come now. */
export interface BegunLoad {
  readonly label: string
  /** Takes the body, and answers when the rows are stored or nothing of them is. Never rejects. */
  take(bytes: AsyncIterable<Uint8Array>): Promise<StreamAnswer>
}

const timedOut = (ms: number) =>
  new AppError(
    'QueryFailed',
    `The load took longer than its timeout of ${ms / 1_000} seconds. Nothing was loaded.`,
  )

const STOP_AGAIN_MS = 200

/** What somebody has stopped, or its time has, says so. */
function withReason(load: LiveLoad, ending: StreamEnding): StreamEnding {
  const { aborted, reason } = load.stopping.signal
  return ending.state === 'cancelled' && aborted ? { ...ending, message: messageOf(reason) } : ending
}

/** The rows that are written down of a load before it runs. */
export const newStream = (load: LiveLoad, at: Date): NewStream => ({
  taskId: load.taskId,
  accountId: load.actor.accountId,
  userId: load.actor.userId,
  userName: load.actor.user,
  label: load.label,
  table: load.target.table,
  warehouse: load.target.warehouse,
  part: load.options.part,
  requestId: load.requestId,
  sizeBytes: load.received,
  at,
})

/** Loads that programs send: judged before the body comes, then taken in, run as a statement and written down. */
export function createStreamLoads(parts: StreamLoadParts) {
  const { store, rejections, arrivals, places, inTurn, run, queries, clock, log } = parts
  const live = new Map<string, LiveLoad>()

  async function takeLabel(load: LiveLoad): Promise<void> {
    const id = await store.insert(newStream(load, clock.now()))
    if (id !== undefined) {
      load.transactionId = id
      load.isWritten = true
      return
    }
    const { accountId } = load.actor
    const place = { accountId, catalog: load.target.table.catalog, database: load.target.table.database }
    const before = await store.byLabel(place, load.label)
    if (before && before.state !== 'finished' && !live.has(before.task_id)) {
      await parts.settle(accountId, before.task_id)
      const settled = await store.byLabel(place, load.label)
      if (!settled) return takeLabel(load)
      throw taken(load.label, settled)
    }
    // It has failed just now.
    if (!before) return takeLabel(load)
    throw taken(load.label, before)
  }

  const taken = (label: string, row: { transaction_id: number | null; state: string }) =>
    new LabelTaken(label, row.transaction_id ?? 0, row.state === 'finished' ? 'FINISHED' : 'RUNNING')

  /** Writes down how it ended; nothing is said before. */
  async function ended(load: LiveLoad, ending: StreamEnding): Promise<void> {
    if (ending.state === 'unknown' || !load.isWritten || load.isEnded) return
    const { taskId } = load
    const counts =
      ending.counts?.at(-1) ??
      (ending.rows === null ? null : { ...NO_COUNTS, total: ending.rows, loaded: ending.rows })
    if (counts && counts.rejected.length > 0) await rejections.keepRejections(taskId, counts.rejected)
    const { state } = ending
    const queryId = ending.queryId || null
    const error = state === 'finished' ? '' : ending.message
    await store.end({ taskId, state, error, sizeBytes: load.received, queryId, counts }, clock.now())
  }

  const merged = createMergedLoads({ ...parts, write: takeLabel })

  /** Small loads with others of the same moment, where they can; all others, and what fails so, alone. */
  async function runIn(load: LiveLoad, data: ArrivedData): Promise<StreamEnding> {
    if (data.small === null || !merged.isMergeable(load, data.small)) return runAlone(load, data)
    return (await merged.load(load, data.small)) ?? runAlone(load, data)
  }

  async function runAlone(load: LiveLoad, data: ArrivedData): Promise<StreamEnding> {
    load.requestId = streamRequestOf(load.taskId)
    if (!load.isWritten) await takeLabel(load)
    else await store.sending([load.taskId], load.requestId)
    const part: StreamPart = {
      ...load.options.part,
      file: await data.file(),
      table: load.target.table,
      wholeRows: null,
    }
    return inTurn(load.actor, async () => {
      load.stopping.signal.throwIfAborted()
      return run(load.actor, {
        requestId: load.requestId ?? '',
        label: load.label,
        target: load.target,
        parts: [part],
        sender: load.sender,
        onProgress: (percentage) => (load.progress = percentage),
      })
    })
  }

  /** Of one that came to nothing before it ran. */
  const failedOf = (error: unknown): StreamEnding => ({
    state: 'failed',
    message: isDiskFull(error) ? DISK_FULL : messageOf(error),
    queryId: '',
    counts: null,
    rows: null,
    isUndone: true,
  })

  function failed(load: LiveLoad, error: unknown): StreamEnding {
    if (!(error instanceof AppError) && !isDiskFull(error))
      log.error({ err: error, label: load.label }, 'a stream load failed')
    return failedOf(error)
  }

  async function take(
    load: LiveLoad,
    bytes: AsyncIterable<Uint8Array>,
    beginMs: number,
  ): Promise<StreamAnswer> {
    const at = performance.now()
    let read = at
    let data: ArrivedData | null = null
    const { timeoutMs } = load.options
    const timer = setTimeout(() => stop(load, timedOut(timeoutMs)), timeoutMs)
    let ending: StreamEnding
    try {
      data = await arrivals.receive(load.actor.accountId, {
        bytes,
        compression: load.options.compression,
        rowDelimiter: load.options.rowDelimiter,
        stop: load.stopping.signal,
        onReceived: (count) => (load.received += count),
      })
      read = performance.now()
      ending = withReason(load, await runIn(load, data))
    } catch (error) {
      ending = failed(load, error)
    } finally {
      clearTimeout(timer)
      clearInterval(load.again)
      await data?.remove()
    }
    // The engine has the last word: what cannot be written down now is found out later.
    await ended(load, ending).catch((error: unknown) =>
      log.error({ err: error, label: load.label }, 'the end of a stream load was not written down'),
    )
    return answerOf(load, ending, {
      totalMs: performance.now() - load.beganAt,
      beginMs,
      readMs: read - at,
      writeMs: performance.now() - read,
    })
  }

  /** Ends what arrives or runs of it. */
  function stop(load: LiveLoad, why: AppError): void {
    load.stopping.abort(why)
    const kill = () =>
      load.requestId !== null && void queries.kill(load.actor, load.requestId).catch(() => undefined)
    kill()
    // Its statement may not have been accepted yet.
    load.again ??= setInterval(kill, STOP_AGAIN_MS)
  }

  return {
    /** Throws an AppError when it is refused; `LabelTaken` says what became of the label. */
    async begin(sender: StreamSender, target: StreamTarget, options: StreamOptions): Promise<BegunLoad> {
      const beganAt = performance.now()
      decompressor(options.compression)
      const actor = await sender.now()
      const free = places.reserve(actor)
      try {
        const load: LiveLoad = {
          taskId: randomUUID(),
          label: options.label ?? randomUUID(),
          transactionId: null,
          isWritten: false,
          rowsOfOthers: 0,
          isEnded: false,
          actor,
          sender,
          target: await parts.findTarget(actor, target, options.warehouse),
          options,
          beganAt,
          stopping: new AbortController(),
          requestId: null,
          received: 0,
          progress: null,
        }
        live.set(load.taskId, load)
        if (options.label !== null)
          await takeLabel(load).catch((error: unknown) => {
            live.delete(load.taskId)
            throw error
          })
        const beginMs = performance.now() - beganAt
        return {
          label: load.label,
          take: (bytes) =>
            take(load, bytes, beginMs).finally(() => {
              live.delete(load.taskId)
              free()
            }),
        }
      } catch (error) {
        free()
        throw error
      }
    },

    isLive: (taskId: string): boolean => live.has(taskId),
    progressOf: (taskId: string): number | null => live.get(taskId)?.progress ?? null,

    /** False when it does not run here. */
    cancel(taskId: string): boolean {
      const load = live.get(taskId)
      if (load) stop(load, new AppError('Cancelled', 'The load was cancelled. Nothing was loaded.'))
      return load !== undefined
    },
  }
}

function answerOf(load: LiveLoad, ending: StreamEnding, times: StreamAnswer['times']): StreamAnswer {
  const rows = ending.rows ?? 0
  const counts = ending.counts?.at(-1) ?? { ...NO_COUNTS, total: rows, loaded: rows }
  return {
    status: ending.state === 'finished' ? 'loaded' : 'failed',
    label: load.label,
    transactionId: load.transactionId ?? 0,
    message: ending.state === 'finished' ? 'OK' : ending.message,
    counts: ending.state === 'finished' ? counts : { ...counts, loaded: 0 },
    bytes: load.received,
    times,
    errorsOf: counts.rejected.length > 0 ? load.taskId : null,
  }
}

export type StreamLoads = ReturnType<typeof createStreamLoads>

import { randomUUID } from 'node:crypto'
import { AppError } from '../../../kernel/app-error.ts'
import type { Queries } from '../../query/service.ts'
import type { ArrivedData, Arrivals } from './arrived-data.ts'
import { decompressor } from './arriving-body.ts'
import { createLabels, type LabelParts } from './labels.ts'
import {
  causeOf,
  type LiveLoad,
  messageOf,
  NO_COUNTS,
  type StreamAnswer,
  type StreamSender,
} from './live-load.ts'
import type { createPlaces } from './places.ts'
import { createRunningLoads, type RunningParts } from './running-loads.ts'
import { isTextual, type StreamOptions } from './stream-options.ts'
import type { StreamEnding } from './stream-runs.ts'
import type { StreamStore } from './stream-store.ts'
import type { createTargets, StreamTarget } from './stream-target.ts'

export interface StreamLoadParts
  extends Omit<RunningParts, 'store' | 'arrivals' | 'takeLabel'>, Pick<LabelParts, 'ownerOf'> {
  readonly store: StreamStore
  readonly arrivals: Arrivals
  readonly findTarget: ReturnType<typeof createTargets>
  readonly places: ReturnType<typeof createPlaces>
  readonly queries: Pick<Queries, 'kill'>
}

/** A load whose sender, headers, table and label were judged. Its body may come now. */
export interface BegunLoad {
  readonly label: string
  /** Takes the body, and answers when the rows are stored or nothing of them is. Never rejects. */
  take(bytes: AsyncIterable<Uint8Array>): Promise<StreamAnswer>
  /** Ends what arrives or runs of it, because it was cancelled unless another reason is given. */
  cancel(why?: AppError): void
}

const STOP_AGAIN_MS = 200

const cancelled = () => new AppError('Cancelled', 'The load was cancelled. Nothing was loaded.')

const timedOut = (ms: number) =>
  new AppError(
    'QueryFailed',
    `The load took longer than its timeout of ${ms / 1_000} seconds. Nothing was loaded.`,
  )

/** What somebody has stopped, or its time has, says so. */
function withReason(load: LiveLoad, ending: StreamEnding): StreamEnding {
  const { aborted, reason } = load.stopping.signal
  if (ending.state !== 'cancelled' || !aborted) return ending
  return {
    ...ending,
    message: messageOf(reason),
    cause: reason instanceof AppError ? causeOf(reason) : ending.cause,
  }
}

/** Loads that programs send: judged before the body comes, then taken in, run as a statement and written down. */
export function createStreamLoads(parts: StreamLoadParts) {
  const { arrivals, places, queries } = parts
  const live = new Map<string, LiveLoad>()
  const takeLabel = createLabels(parts)
  const running = createRunningLoads({ ...parts, takeLabel })

  /** Ends what arrives or runs of it. */
  function stop(load: LiveLoad, why: AppError): void {
    load.stopping.abort(why)
    const kill = () =>
      load.requestId !== null && void queries.kill(load.actor, load.requestId).catch(() => undefined)
    kill()
    // Its statement may not have been accepted yet.
    load.again ??= setInterval(kill, STOP_AGAIN_MS)
  }

  async function take(
    load: LiveLoad,
    bytes: AsyncIterable<Uint8Array>,
    beginMs: number,
  ): Promise<StreamAnswer> {
    const at = performance.now()
    let read = at
    let data: ArrivedData | null = null
    let ending: StreamEnding
    const { timeoutMs, compression, isArrow, rowDelimiter } = load.options
    const timer = setTimeout(() => stop(load, timedOut(timeoutMs)), timeoutMs)
    const onReceived = (count: number) => void (load.received += count)
    try {
      const isText = isTextual(load.options)
      const body = {
        bytes,
        compression,
        isArrow,
        rowDelimiter,
        isText,
        stop: load.stopping.signal,
        onReceived,
      }
      data = await arrivals.receive(load.actor.accountId, body)
      read = performance.now()
      ending = withReason(load, await running.run(load, data))
    } catch (error) {
      ending = running.failed(load, error)
    } finally {
      clearTimeout(timer)
      clearInterval(load.again)
      await data?.remove()
    }
    await running.ended(load, ending)
    const now = performance.now()
    const times = { totalMs: now - load.beganAt, beginMs, readMs: read - at, writeMs: now - read }
    return answerOf(load, ending, times)
  }

  return {
    /** Throws an AppError when it is refused; `LabelTaken` says what became of the label. */
    async begin(sender: StreamSender, target: StreamTarget, options: StreamOptions): Promise<BegunLoad> {
      const beganAt = performance.now()
      decompressor(options.compression)
      const actor = await sender.now()
      const free = places.reserve(actor)
      const taskId = randomUUID()
      let tellEnded: (() => void) | undefined
      const ended = new Promise<void>((resolve) => (tellEnded = resolve))
      const end = () => {
        live.delete(taskId)
        free()
        tellEnded?.()
      }
      try {
        const found = await parts.findTarget(actor, target, options.warehouse)
        const load = newLoad({ taskId, actor, sender, target: found, options, beganAt, ended })
        live.set(taskId, load)
        if (options.label !== null) await takeLabel(load)
        const beginMs = performance.now() - beganAt
        return {
          label: load.label,
          take: (bytes) => take(load, bytes, beginMs).finally(end),
          cancel: (why = cancelled()) => stop(load, why),
        }
      } catch (error) {
        end()
        throw error
      }
    },

    isLive: (taskId: string): boolean => live.has(taskId),
    progressOf: (taskId: string): number | null => live.get(taskId)?.progress ?? null,

    receivedOf: (taskId: string): number | null => live.get(taskId)?.received ?? null,

    /** Resolves when it has ended, in whatever way; false when it does not run here. */
    async cancel(taskId: string): Promise<boolean> {
      const load = live.get(taskId)
      if (!load) return false
      stop(load, cancelled())
      await load.ended
      return true
    },
  }
}

const newLoad = (
  known: Pick<LiveLoad, 'taskId' | 'actor' | 'sender' | 'target' | 'options' | 'beganAt' | 'ended'>,
): LiveLoad => ({
  ...known,
  label: known.options.label ?? randomUUID(),
  transactionId: null,
  isWritten: false,
  rowsOfOthers: 0,
  isEnded: false,
  stopping: new AbortController(),
  requestId: null,
  received: 0,
  progress: null,
})

function answerOf(load: LiveLoad, ending: StreamEnding, times: StreamAnswer['times']): StreamAnswer {
  const rows = ending.rows ?? 0
  const counts = ending.counts?.at(-1) ?? { ...NO_COUNTS, total: rows, loaded: rows }
  const isLoaded = ending.state === 'finished'
  return {
    status: isLoaded ? 'loaded' : 'failed',
    label: load.label,
    transactionId: load.transactionId ?? 0,
    message: isLoaded ? 'OK' : ending.message,
    cause: isLoaded ? undefined : ending.cause,
    counts: isLoaded ? counts : { ...counts, loaded: 0 },
    bytes: load.received,
    times,
    errorsOf: counts.rejected.length > 0 ? load.taskId : null,
  }
}

import type { StreamPart } from '../../../engines/engine/files.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DISK_FULL, isDiskFull } from '../../../kernel/disk-full.ts'
import type { Log } from '../../../kernel/log.ts'
import type { TaskStore } from '../task-store.ts'
import type { ArrivedData, Arrivals } from './arrived-data.ts'
import type { TakeLabel } from './labels.ts'
import { causeOf, type LiveLoad, messageOf, NO_COUNTS } from './live-load.ts'
import { createBatches } from './load-batch.ts'
import { createMergedLoads } from './merged-loads.ts'
import { isMergeable, isMergeablePart, mergeKeyOf, partKeyOf, rowsIn } from './mergeable.ts'
import { createPartBatches } from './part-batch.ts'
import type { InTurn } from './places.ts'
import { type RunStream, type StreamEnding, streamRequestOf } from './stream-runs.ts'
import type { StreamStore } from './stream-store.ts'

export interface RunningParts {
  readonly store: Pick<StreamStore, 'sending' | 'end' | 'endAll'>
  readonly rejections: Pick<TaskStore, 'keepRejections'>
  readonly arrivals: Pick<Arrivals, 'put' | 'remove'>
  readonly takeLabel: TakeLabel
  readonly inTurn: InTurn
  readonly run: RunStream
  readonly clock: Clock
  readonly log: Log
}

/** Of small loads whose rows become one file, and of those that are parts of a transaction. */
const MOST_TOGETHER = { lines: 2_000, parts: 32 }

const DISK_IS_FULL = { code: 'DiskFull' } as const

/** Runs what has arrived, and writes down how it ended. */
export function createRunningLoads(parts: RunningParts) {
  const { store, rejections, takeLabel, inTurn, run, clock, log } = parts
  const mergedLines = createMergedLoads(createBatches({ ...parts, write: takeLabel }), MOST_TOGETHER.lines)
  const mergedParts = createMergedLoads(createPartBatches({ ...parts, runAlone }), MOST_TOGETHER.parts)

  async function runAlone(load: LiveLoad, data: ArrivedData): Promise<StreamEnding> {
    const { taskId, label, actor, target, options, sender, stopping } = load
    const requestId = streamRequestOf(taskId)
    load.requestId = requestId
    if (load.isWritten) await store.sending([taskId], requestId)
    else await takeLabel(load)
    const part: StreamPart = {
      ...options.part,
      file: await data.file(),
      table: target.table,
      wholeRows: null,
    }
    return inTurn(actor, async () => {
      stopping.signal.throwIfAborted()
      return run(actor, {
        requestId,
        label,
        target,
        parts: [part],
        sender,
        onProgress: (percentage) => (load.progress = percentage),
      })
    })
  }

  return {
    /** With others of the same moment, where it can; otherwise, and if that fails, alone. */
    async run(load: LiveLoad, data: ArrivedData): Promise<StreamEnding> {
      const { small, bytes } = data
      if (small !== null && isMergeable(load, small)) {
        const one = { load, bytes, data: small, rows: rowsIn(small) }
        return (await mergedLines(mergeKeyOf(load), one)) ?? runAlone(load, data)
      }
      if (!isMergeablePart(load, data)) return runAlone(load, data)
      return (await mergedParts(partKeyOf(load), { load, bytes, data })) ?? runAlone(load, data)
    },

    /** Of one that came to nothing before it ran. */
    failed(load: LiveLoad, error: unknown): StreamEnding {
      const isFull = isDiskFull(error)
      if (!(error instanceof AppError) && !isFull)
        log.error({ err: error, label: load.label }, 'a stream load failed')
      const message = isFull ? DISK_FULL : messageOf(error)
      const cause = isFull ? DISK_IS_FULL : error instanceof AppError ? causeOf(error) : undefined
      const state = error instanceof AppError && error.code === 'Cancelled' ? 'cancelled' : 'failed'
      return { state, message, cause, queryId: '', counts: null, rows: null, isUndone: true }
    },

    /** The engine has the last word: what cannot be written down now is found out later. */
    async ended(load: LiveLoad, ending: StreamEnding): Promise<void> {
      const { taskId, received: sizeBytes } = load
      const { state, message, rows } = ending
      if (state === 'unknown' || !load.isWritten || load.isEnded) return
      const whole = rows === null ? null : { ...NO_COUNTS, total: rows, loaded: rows }
      const counts = ending.counts?.at(-1) ?? whole
      const error = state === 'finished' ? '' : message
      if (counts && counts.rejected.length > 0)
        await rejections.keepRejections(taskId, counts.rejected).catch((cause: unknown) => {
          log.error({ err: cause, label: load.label }, 'rejected rows of a stream load were not kept')
        })
      try {
        await store.end(
          { taskId, state, error, sizeBytes, queryId: ending.queryId || null, counts },
          clock.now(),
        )
      } catch (cause) {
        log.error({ err: cause, label: load.label }, 'the end of a stream load was not written down')
      }
    },
  }
}

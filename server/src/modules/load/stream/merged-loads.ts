import type { Log } from '../../../kernel/log.ts'
import type { LiveLoad } from './live-load.ts'
import { type BatchParts, countsOf, createBatches, type SmallLoad } from './load-batch.ts'
import { mergeKeyOf, rowsIn } from './mergeable.ts'
import type { StreamEnding } from './stream-runs.ts'

export interface MergeParts extends BatchParts {
  readonly log: Log
}

/** A small load, and who waits for it. */
interface Waiting extends SmallLoad {
  resolve(ending: StreamEnding | null): void
  reject(error: unknown): void
}

interface Queue {
  readonly waiting: Waiting[]
  isRunning: boolean
  /** When its last transaction began. */
  at: number
}

/** Of one transaction. */
const MOST_LOADS = 2_000
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Many small loads in one moment become one transaction. Each is answered when that is stored. When not all of them fit,
 * nothing of it is, and each is loaded on its own: one that is bad does not fail the others.
 */
export function createMergedLoads(parts: MergeParts) {
  const { log } = parts
  const { together, writeEnds } = createBatches(parts)
  const queues = new Map<string, Queue>()
  // Each of them is found out about later.
  const unwritten = (error: unknown) =>
    log.error({ err: error }, 'the ends of merged loads were not written down')

  function taken(queue: Queue): Waiting[] {
    let bytes = 0
    const until = queue.waiting.findIndex(
      ({ data }, at) => at >= MOST_LOADS || (bytes += data.length) > MOST_BYTES,
    )
    return queue.waiting.splice(0, until < 0 ? queue.waiting.length : Math.max(until, 1))
  }

  async function runBatch(all: readonly Waiting[]): Promise<void> {
    try {
      const ending = await together(all)
      if (all.length === 1) return all[0]?.resolve(ending)
      if (ending.state === 'finished')
        await writeEnds(all, ending).catch((error: unknown) => unwritten(error))
      for (const { rows, resolve } of all) {
        if (ending.state === 'finished') resolve({ ...ending, counts: [countsOf(rows)], rows })
        else resolve(ending.isUndone ? null : ending)
      }
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }

  function next(key: string, queue: Queue, everyMs: number): void {
    if (queue.isRunning || queue.waiting.length === 0) {
      if (!queue.isRunning) queues.delete(key)
      return
    }
    queue.isRunning = true
    const begin = async () => {
      queue.at = performance.now()
      const all = taken(queue)
      if (all.length > 0) await runBatch(all)
      queue.isRunning = false
      next(key, queue, everyMs)
    }
    setTimeout(() => void begin(), Math.max(0, queue.at + everyMs - performance.now()))
  }

  /** One that is stopped while it waits is not among those that run. */
  function leaveWhenStopped(queue: Queue, one: Waiting): void {
    const { signal } = one.load.stopping
    const leave = () => {
      const at = queue.waiting.indexOf(one)
      if (at < 0) return
      queue.waiting.splice(at, 1)
      one.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
  }

  return {
    /** Null: nothing of it is in the table, and it is to be loaded on its own. */
    load(load: LiveLoad, data: Buffer): Promise<StreamEnding | null> {
      const key = mergeKeyOf(load)
      const queue = queues.get(key) ?? {
        waiting: [],
        isRunning: false,
        // Only who asks for it waits for others that may come.
        at: load.options.merges ? performance.now() : Number.NEGATIVE_INFINITY,
      }
      queues.set(key, queue)
      return new Promise((resolve, reject) => {
        const one = { load, data, rows: rowsIn(data), resolve, reject }
        queue.waiting.push(one)
        leaveWhenStopped(queue, one)
        next(key, queue, load.options.mergeMs)
      })
    },
  }
}

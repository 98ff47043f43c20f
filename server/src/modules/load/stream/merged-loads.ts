import { inLoopTurn } from '../../../kernel/loop-turns.ts'
import type { LiveLoad } from './live-load.ts'
import type { StreamEnding } from './stream-runs.ts'

/** A load that can be one of several in a transaction. */
export interface Mergeable {
  readonly load: LiveLoad
  /** As they are loaded. */
  readonly bytes: number
}

/** How each of them ended; null: nothing of it is in the table, and it is to be loaded on its own. */
export type RunTogether<One> = (all: readonly One[]) => Promise<readonly (StreamEnding | null)[]>

/** One of them, and who waits for it. */
interface Waiting<One> {
  readonly one: One
  resolve(ending: StreamEnding | null): void
  reject(error: unknown): void
}

interface Queue<One> {
  readonly waiting: Waiting<One>[]
  isRunning: boolean
  /** When its last transaction began. */
  at: number
}

/** Of one transaction. */
const MOST_BYTES = 8 * 1024 * 1024

/**
 * Many loads in one moment become one transaction. Each is answered when that is stored. When not all of them fit,
 * nothing of it is, and each is loaded on its own: one that is bad does not fail the others.
 */
export function createMergedLoads<One extends Mergeable>(together: RunTogether<One>, mostLoads: number) {
  const queues = new Map<string, Queue<One>>()

  function taken({ waiting }: Queue<One>): Waiting<One>[] {
    let bytes = 0
    const until = waiting.findIndex(({ one }, at) => at >= mostLoads || (bytes += one.bytes) > MOST_BYTES)
    return waiting.splice(0, until < 0 ? waiting.length : Math.max(until, 1))
  }

  async function runBatch(all: readonly Waiting<One>[]): Promise<void> {
    try {
      const endings = await together(all.map(({ one }) => one))
      // Each of them is answered then, and there may be thousands.
      for (const [at, { resolve }] of all.entries()) inLoopTurn(() => resolve(endings[at] ?? null))
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }

  function next(key: string, queue: Queue<One>, everyMs: number): void {
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
  function leaveWhenStopped(queue: Queue<One>, waiting: Waiting<One>): void {
    const { signal } = waiting.one.load.stopping
    const leave = () => {
      const at = queue.waiting.indexOf(waiting)
      if (at < 0) return
      queue.waiting.splice(at, 1)
      waiting.reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    if (signal.aborted) leave()
  }

  /** Loads of one key are merged. */
  return (key: string, one: One): Promise<StreamEnding | null> => {
    const { merges, mergeMs } = one.load.options
    const queue = queues.get(key) ?? {
      waiting: [],
      isRunning: false,
      // Only who asks for it waits for others that may come.
      at: merges ? performance.now() : Number.NEGATIVE_INFINITY,
    }
    queues.set(key, queue)
    return new Promise((resolve, reject) => {
      const waiting = { one, resolve, reject }
      queue.waiting.push(waiting)
      leaveWhenStopped(queue, waiting)
      next(key, queue, mergeMs)
    })
  }
}

import { Worker } from 'node:worker_threads'
import { ENGINE_QUOTES, type Quotes } from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import { type AnalysedText, analyseText } from './analysed-text.ts'

/** Up to this many characters a text is analysed where it comes in: that takes a few milliseconds at most. */
const LARGE = 16 * 1024
/** Of large texts, how many one user may have waiting, the one that is being analysed included. */
const MOST_WAITING = 16
/** Far more than a text of the greatest length takes. */
const MEMORY_MB = 256

/** What is handed to the thread. */
export interface LargeText {
  readonly sql: string
  readonly quotes: Quotes
}

interface Waiting extends LargeText {
  resolve(analysed: AnalysedText): void
  reject(error: Error): void
}

export interface AnalysisParts {
  /** The file with `worker.ts` as a program of its own. */
  readonly workerPath: () => Promise<string>
}

/**
 * Texts become statements here. A large one is analysed by a thread of its own, one at a time, the users in turn: how
 * much one of them sends is felt by nobody else.
 */
export function createAnalyses({ workerPath }: AnalysisParts) {
  /** By user, the one whose turn it is first. */
  const waiting = new Map<string, Waiting[]>()
  let current: Waiting | null = null
  let worker: Worker | null = null
  let isClosed = false

  function end(settle: (job: Waiting) => void): void {
    const job = current
    current = null
    if (job) settle(job)
    void work()
  }

  async function startWorker(): Promise<Worker> {
    const started = new Worker(await workerPath(), { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } })
    started.unref()
    started.on('message', (analysed: AnalysedText) => end(({ resolve }) => resolve(analysed)))
    // The thread is gone; the next text gets another one.
    started.on('error', (error) => {
      if (worker === started) worker = null
      end(({ reject }) => reject(error))
    })
    return started
  }

  function takeNext(): Waiting | null {
    const [next] = waiting
    if (!next) return null
    const [userId, [job, ...others]] = next
    waiting.delete(userId)
    if (others.length > 0) waiting.set(userId, others)
    return job ?? null
  }

  async function work(): Promise<void> {
    if (current || isClosed) return
    const job = (current = takeNext())
    if (!job) return
    try {
      worker ??= await startWorker()
      const text: LargeText = { sql: job.sql, quotes: job.quotes }
      worker.postMessage(text, [])
    } catch (error) {
      end(({ reject }) => reject(error instanceof Error ? error : new Error(String(error))))
    }
  }

  return {
    /** Rejects with an `AppError` when the user has too many large texts waiting. */
    async analyse(userId: string, sql: string, quotes: Quotes = ENGINE_QUOTES): Promise<AnalysedText> {
      if (sql.length <= LARGE) return analyseText(sql, quotes)
      const own = waiting.get(userId) ?? []
      if (own.length >= MOST_WAITING)
        throw new AppError(
          'LimitReached',
          `${MOST_WAITING} of your texts of more than ${LARGE / 1024} KB wait to be read, the most there can be. Send this one again when some have run.`,
        )
      return new Promise((resolve, reject) => {
        waiting.set(userId, [...own, { sql, quotes, resolve, reject }])
        void work()
      })
    },

    async close(): Promise<void> {
      isClosed = true
      const closing = new AppError('Unavailable', 'The service is shutting down.')
      for (const job of [...waiting.values()].flat()) job.reject(closing)
      current?.reject(closing)
      await worker?.terminate()
    },
  }
}

export type Analyses = ReturnType<typeof createAnalyses>

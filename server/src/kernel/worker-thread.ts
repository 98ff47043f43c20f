import { type TransferListItem, Worker } from 'node:worker_threads'
import { AppError } from './app-error.ts'

export interface ThreadParts {
  /** The file with the program of the thread. */
  readonly path: () => Promise<string>
  readonly memoryMb: number
}

interface Job<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

const closing = () => new AppError('Unavailable', 'The service is shutting down.')

/** A thread that answers each message with one, started when it is needed. Its user sends one at a time. */
export function createThread<Answer>({ path, memoryMb }: ThreadParts) {
  let current: Job<Answer> | null = null
  let worker: Worker | null = null
  let isClosed = false

  function end(settle: (job: Job<Answer>) => void): void {
    const job = current
    current = null
    if (job) settle(job)
  }

  async function start(): Promise<Worker> {
    const started = new Worker(await path(), { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    started.unref()
    started.on('message', (answer: Answer) => end(({ resolve }) => resolve(answer)))
    // The thread is gone; the next message gets another one.
    started.on('error', (error) => {
      if (worker === started) worker = null
      end(({ reject }) => reject(error))
    })
    return started
  }

  return {
    async run(message: unknown, handedOver: readonly TransferListItem[] = []): Promise<Answer> {
      if (isClosed) throw closing()
      worker ??= await start()
      return new Promise((resolve, reject) => {
        current = { resolve, reject }
        worker?.postMessage(message, handedOver)
      })
    },

    async close(): Promise<void> {
      isClosed = true
      end(({ reject }) => reject(closing()))
      await worker?.terminate()
    },
  }
}

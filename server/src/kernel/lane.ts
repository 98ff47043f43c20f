import { AppError } from './app-error.ts'

export interface LaneWidth {
  readonly atOnce: number
  /** More than this many do not wait. */
  readonly queued: number
  readonly queuedForOne: number
}

/** Work that is done a few at a time, in the order in which it came. Nobody can fill the queue for the others. */
export function createLane({ atOnce, queued, queuedForOne }: LaneWidth) {
  const queue: (() => void)[] = []
  const waiting = new Map<string, number>()
  let running = 0

  async function waitFor(whom: string): Promise<void> {
    const others = waiting.get(whom) ?? 0
    if (queue.length >= queued || others >= queuedForOne)
      throw new AppError('TooManyAttempts', 'Too many requests at once. Try again in a few seconds.')
    waiting.set(whom, others + 1)
    await new Promise<void>((resolve) => queue.push(resolve))
    const left = (waiting.get(whom) ?? 1) - 1
    if (left > 0) waiting.set(whom, left)
    else waiting.delete(whom)
  }

  return async <T>(whom: string, work: () => Promise<T>): Promise<T> => {
    if (running < atOnce) running++
    else await waitFor(whom)
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}

export type Lane = ReturnType<typeof createLane>

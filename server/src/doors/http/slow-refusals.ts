import { AppError } from '../../kernel/app-error.ts'

/** More than this many are not kept waiting: they would cost more than they save. */
const MOST_WAITING = 2000

/**
 * Delays the refusals of strangers who send too many requests. Most of them send the next one when they are answered,
 * so a flood becomes a trickle that other users do not notice.
 */
export function createSlowRefusals(waitMs: number) {
  let waiting = 0
  return async <T>(answering: Promise<T>): Promise<T> => {
    try {
      return await answering
    } catch (error) {
      if (error instanceof AppError && error.code === 'TooManyAttempts' && waiting < MOST_WAITING) {
        waiting++
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        waiting--
      }
      throw error
    }
  }
}

export type SlowRefusals = ReturnType<typeof createSlowRefusals>

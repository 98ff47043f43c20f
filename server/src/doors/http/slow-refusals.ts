import { AppError } from '../../kernel/app-error.ts'

/** More than this many are not kept waiting: they would cost more than they save. */
const MOST_WAITING = 2000

/**
 * Strangers who ask too often hear of it only after a while. Most of them ask again when they are answered, so a flood
 * becomes a trickle, and whoever else uses the service does not feel it.
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

import type { TransactionAnswer } from './transaction-answer.ts'

/** What prepares or commits it now. */
export interface Step {
  readonly does: 'prepare' | 'commit'
  readonly answer: Promise<TransactionAnswer>
  /** Under which it runs; null until it does. */
  requestId: string | null
  progress: number | null
}

/** What is under way of a transaction on this server. */
export interface LiveTransaction {
  /** Its program may send parts: no server has ended since it began. */
  isOpen: boolean
  /** Bodies on their way. */
  readonly arriving: Set<AbortController>
  step: Step | null
}

/**
 * The transactions that this server has begun, or does something for. One that is open in the store and not here was
 * left by a server that has ended: which of its parts were answered nobody knows, so it is rolled back.
 */
export function createLiveTransactions() {
  const live = new Map<string, LiveTransaction>()

  const of = (taskId: string): LiveTransaction => {
    const known = live.get(taskId) ?? { isOpen: false, arriving: new Set(), step: null }
    live.set(taskId, known)
    return known
  }

  function forgetUnused(taskId: string): void {
    const known = live.get(taskId)
    if (known && !known.isOpen && !known.step && known.arriving.size === 0) live.delete(taskId)
  }

  return {
    get: (taskId: string): LiveTransaction | undefined => live.get(taskId),

    open(taskId: string): void {
      of(taskId).isOpen = true
    },

    /** It takes no more parts; what arrives of it is stopped. */
    close(taskId: string, why: Error): void {
      const known = live.get(taskId)
      if (!known) return
      known.isOpen = false
      for (const one of known.arriving) one.abort(why)
      forgetUnused(taskId)
    },

    /** Until what it gives is called. */
    arriving(taskId: string, stopping: AbortController): () => void {
      of(taskId).arriving.add(stopping)
      return () => {
        live.get(taskId)?.arriving.delete(stopping)
        forgetUnused(taskId)
      }
    },

    /** One step at a time: who asks for the same one gets the same answer. */
    step(
      taskId: string,
      does: Step['does'],
      work: (step: Step) => Promise<TransactionAnswer>,
    ): Promise<TransactionAnswer> {
      const one = of(taskId)
      let begin: (() => void) | undefined
      const begun = new Promise<void>((resolve) => (begin = resolve))
      const answer = begun
        .then(() => work(step))
        .finally(() => {
          one.step = null
          forgetUnused(taskId)
        })
      const step: Step = { does, answer, requestId: null, progress: null }
      one.step = step
      begin?.()
      return answer
    },
  }
}

export type LiveTransactions = ReturnType<typeof createLiveTransactions>

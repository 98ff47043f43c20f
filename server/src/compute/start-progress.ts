import type { StartStep } from '@boathouse/contract'
import type { Clock } from '../kernel/clock.ts'

/** How far the start of an engine has come. */
export interface StartProgress extends StartStep {
  readonly since: Date
}

export interface StartListeners {
  /** A start has come a step further. */
  onStep?(): void
  /** A start of new processes took so long. */
  onStarted?(tookMs: number): void
}

/** Follows the starts of one engine, step by step, where they take seconds. */
export function createStartProgress(clock: Clock, { onStep, onStarted }: StartListeners) {
  let current: StartProgress | null = null

  function stepTo(next: StartProgress): void {
    const isSame = current?.step === next.step && current.ready === next.ready && current.of === next.of
    if (isSame) return
    current = next
    onStep?.()
  }

  return {
    /** Null while it does not start, or starts in no time. */
    current: (): StartProgress | null => current,

    async follow<T>(start: (onStep: (step: StartStep) => void) => Promise<T>): Promise<T> {
      const since = clock.now()
      let isLaunched = false
      let isOver = false
      try {
        const started = await start((step) => {
          // A later change of size has the same steps.
          if (isOver) return
          isLaunched ||= step.step === 'launch'
          stepTo({ ...step, since })
        })
        // One that still ran took no time.
        if (isLaunched) onStarted?.(clock.now().getTime() - since.getTime())
        return started
      } finally {
        isOver = true
        current = null
      }
    },
  }
}

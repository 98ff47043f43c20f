import type { EngineError, Measured } from '../../engine/outcome.ts'
import type { Measured as MemoryOf } from '../account/memory-meter.ts'

/** A statement between its start and its end. */
export interface RunState {
  isRunning: boolean
  isCancelled: boolean
  /** Aborted when it is cancelled. */
  readonly stopping: AbortController
  /** What it did is being committed or undone: an interrupt would leave open which. */
  isSettling: boolean
  /** Moments of this process's clock, in milliseconds. */
  readonly at: { begun: number; compiled: number | null; ran: number | null }
}

/** Notes when it has run, and says so. */
export const ranIn = (runState: RunState, onRan: () => void) => (): void => {
  runState.at.ran = performance.now()
  onRan()
}

export function measuredOf({ at }: RunState, { peakSpillBytes }: MemoryOf): Measured {
  return {
    compileMs: at.compiled === null ? null : at.compiled - at.begun,
    fetchMs: at.ran === null ? null : performance.now() - at.ran,
    peakSpillBytes,
  }
}

export const newRunState = (): RunState => ({
  isRunning: false,
  isCancelled: false,
  stopping: new AbortController(),
  isSettling: false,
  at: { begun: 0, compiled: null, ran: null },
})

export const sessionClosed = (): EngineError => ({
  kind: 'unavailable',
  message: 'This session is closed. Open another one.',
})

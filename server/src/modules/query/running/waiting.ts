import type { Log } from '../../../kernel/log.ts'
import type { StatementKey } from '../statement-row.ts'
import type { QueryStore } from '../store.ts'

/** Called as a statement comes to run. */
export interface Waiting {
  onQueued(place: number): void
  /** It has its slot, in an engine of this kind, and runs when this is done. */
  onAdmitted(engineId: string): Promise<void>
}

/**
 * A wait that is shorter is not written down: to write it, and that it is over, takes longer than a small statement runs,
 * and the second is written while it has its slot.
 */
const SHORT_WAIT_MS = 300

interface WaitingParts {
  readonly store: Pick<QueryStore, 'wait' | 'setEngine'>
  readonly log: Log
}

interface WaitingStatement {
  onPlace(place: number): void
  start(): Promise<void>
  /** The kind of engine that is written for it. */
  engine(): string | null
  /** Aborted when it is not to run any more. */
  readonly stop: AbortSignal
}

/** Writes down that a statement waits for a slot for long, and where it runs: every write is done before it does. */
export function waitingOf(
  { store, log }: WaitingParts,
  key: StatementKey,
  { onPlace, start, engine, stop }: WaitingStatement,
): Waiting {
  let queued: Promise<unknown> | null = null
  let timer: NodeJS.Timeout | undefined
  const endShortWait = (): void => {
    clearTimeout(timer)
    timer = undefined
    stop.removeEventListener('abort', endShortWait)
  }
  const writeWait = (): void => {
    endShortWait()
    queued = store
      .wait(key)
      .catch((error: unknown) => log.warn({ err: error }, 'the history does not show that a statement waits'))
  }
  return {
    onQueued(place) {
      onPlace(place)
      if (queued || timer || stop.aborted) return
      timer = setTimeout(writeWait, SHORT_WAIT_MS)
      stop.addEventListener('abort', endShortWait)
    },
    async onAdmitted(engineId) {
      endShortWait()
      if (queued) {
        await queued
        await start()
      }
      if (engineId !== engine()) await store.setEngine(key, engineId)
    },
  }
}

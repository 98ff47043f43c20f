import type { Log } from '../../../kernel/log.ts'
import type { StatementKey } from '../statement-row.ts'
import type { QueryStore } from '../store.ts'

/** Called as a statement comes to run. */
export interface Waiting {
  onQueued(place: number): void
  /** It has its slot, and runs when this is done. */
  onAdmitted(): Promise<void>
}

interface WaitingParts {
  readonly store: Pick<QueryStore, 'wait'>
  readonly log: Log
}

/** Writes down that a statement waits for a slot, and that it runs: every write is done before it does. */
export function waitingOf(
  { store, log }: WaitingParts,
  key: StatementKey,
  { onPlace, start }: { onPlace(place: number): void; start(): Promise<void> },
): Waiting {
  let queued: Promise<unknown> | null = null
  return {
    onQueued(place) {
      onPlace(place)
      queued ??= store
        .wait(key)
        .catch((error: unknown) =>
          log.warn({ err: error }, 'the history does not show that a statement waits'),
        )
    },
    async onAdmitted() {
      if (!queued) return
      await queued
      await start()
    },
  }
}

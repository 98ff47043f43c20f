import type { Log } from '../../../kernel/log.ts'
import type { StatementKey } from '../statement-row.ts'
import type { QueryStore } from '../store.ts'

/** Called as a statement comes to run. */
export interface Waiting {
  onQueued(place: number): void
  /** It has its slot, in an engine of this kind, and runs when this is done. */
  onAdmitted(engineId: string): Promise<void>
}

interface WaitingParts {
  readonly store: Pick<QueryStore, 'wait' | 'setEngine'>
  readonly log: Log
}

interface WaitingStatement {
  onPlace(place: number): void
  start(): Promise<void>
  /** The kind of engine that is written for it. */
  engine(): string | null
}

/** Writes down that a statement waits for a slot, and where it runs: every write is done before it does. */
export function waitingOf(
  { store, log }: WaitingParts,
  key: StatementKey,
  { onPlace, start, engine }: WaitingStatement,
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
    async onAdmitted(engineId) {
      if (queued) {
        await queued
        await start()
      }
      if (engineId !== engine()) await store.setEngine(key, engineId)
    },
  }
}

import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { QueryStore } from '../store.ts'

/** What became of a statement that was cut off is asked for within minutes; notes older than this are of no use. */
const KEPT_MS = 7 * 24 * 3_600_000
/** How often accounts are looked at. */
export const OLD_EFFECTS_LOOK_MS = 10 * 60_000

export interface OldEffectParts {
  readonly store: Pick<QueryStore, 'accountsThatWrote'>
  readonly useServiceEngine: UseEngine
  readonly clock: Clock
  readonly log: Log
}

/** The notes that engines make of statements that write, so that they do not grow for good. */
export const createOldEffects = ({ store, useServiceEngine, clock, log }: OldEffectParts) => ({
  /** Of the accounts that have written since the last look: others have no more of them, and mostly no engine. */
  async forget(): Promise<void> {
    const now = clock.now().getTime()
    for (const accountId of await store.accountsThatWrote(new Date(now - 2 * OLD_EFFECTS_LOOK_MS)))
      await useServiceEngine(accountId, async ({ effects }) =>
        effects?.forget(new Date(now - KEPT_MS)),
      ).catch((error: unknown) =>
        log.warn({ err: error, accountId }, 'old notes of effects are not forgotten yet'),
      )
  },
})

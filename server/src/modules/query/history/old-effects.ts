import type { UseEngineOf } from '../../../engines/engine/engine.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { QueryStore } from '../store.ts'

/** A statement that was cut off is asked for within minutes; notes older than this are of no use. */
const KEPT_MS = 7 * 24 * 3_600_000
/** How often engines are looked at. */
export const OLD_EFFECTS_LOOK_MS = 10 * 60_000

export interface OldEffectParts {
  readonly store: Pick<QueryStore, 'enginesThatWrote'>
  readonly useEngine: UseEngineOf
  readonly clock: Clock
  readonly log: Log
}

/** Removes old notes that engines make of statements that write, which would grow without end. */
export const createOldEffects = ({ store, useEngine, clock, log }: OldEffectParts) => ({
  /** Of the engines that have written since the last look: others have no new ones, and mostly do not run. */
  async forget(): Promise<void> {
    const now = clock.now().getTime()
    for (const of of await store.enginesThatWrote(new Date(now - 2 * OLD_EFFECTS_LOOK_MS)))
      await useEngine(of, async ({ effects }) => effects?.forget(new Date(now - KEPT_MS))).catch(
        (error: unknown) => log.warn({ err: error, ...of }, 'old notes of effects are not forgotten yet'),
      )
  },
})

import type { Clock } from '../kernel/clock.ts'

const FIRST_PAUSE_MS = 100
/** Short enough that an account is back within 5 s, whatever ends its engine. */
const LONGEST_PAUSE_MS = 3_000
/** After an engine that ran this long, the pause is the shortest again. */
const STEADY_MS = 10_000

/** How long to wait before an engine that ended is started again: the pause doubles each time it ends early. */
export function createRestartPause(clock: Clock) {
  let pauseMs = 0
  let notBefore = 0
  const now = () => clock.now().getTime()

  return {
    /** An engine that was started then has ended, or has not come up. */
    ended(startedAt: Date): void {
      const isSteady = now() - startedAt.getTime() >= STEADY_MS
      pauseMs = isSteady ? FIRST_PAUSE_MS : Math.min(Math.max(pauseMs * 2, FIRST_PAUSE_MS), LONGEST_PAUSE_MS)
      notBefore = now() + pauseMs
    },
    leftMs: (): number => Math.max(0, notBefore - now()),
  }
}

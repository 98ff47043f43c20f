import { formatDuration } from '../../../lib/format.ts'
import { elapsedOf, isRunning } from './run.ts'
import type { Run } from './run.ts'
import { useNow } from './use-now.ts'

/** While it grows, in tenths of a second: more would only flicker. */
const tenths = (ms: number): number => Math.floor(ms / 100) * 100

export function Elapsed({ run }: { run: Run }) {
  const running = isRunning(run)
  const now = useNow(running)
  // It has ended, and its answer will say how long it took: nothing grows until then.
  if (running && run.endedBefore !== null) return null
  const ms = elapsedOf(run, now)
  return <span>{formatDuration(running ? tenths(ms) : ms)}</span>
}

import type { Clock } from '../kernel/clock.ts'

/** How busy the processors of an engine were, from 0 to 100 of all its threads. */
export interface CpuUse {
  /** Between the last two looks. */
  readonly percent: number
  /** On the average of the last hour, as far as it ran. */
  readonly hourPercent: number
  /** The last hour in parts of equal length, oldest first; null where it did not run. */
  readonly trend: readonly (number | null)[]
}

interface Look {
  readonly at: number
  readonly usedMs: number
  readonly threads: number
}

interface Span {
  readonly until: number
  readonly usedMs: number
  /** What all its threads could have used. */
  readonly mostMs: number
}

const HOUR_MS = 3_600_000
const TREND_PARTS = 30
const PART_MS = HOUR_MS / TREND_PARTS

const percentOf = (spans: readonly Span[]): number => {
  const used = spans.reduce((sum, { usedMs }) => sum + usedMs, 0)
  const most = spans.reduce((sum, { mostMs }) => sum + mostMs, 0)
  return most > 0 ? Math.min(100, Math.round((100 * used) / most)) : 0
}

function trendOf(spans: readonly Span[], now: number): (number | null)[] {
  const parts = Array.from({ length: TREND_PARTS }, (): Span[] => [])
  for (const span of spans) parts[TREND_PARTS - 1 - Math.floor((now - span.until) / PART_MS)]?.push(span)
  return parts.map((part) => (part.length > 0 ? percentOf(part) : null))
}

/** Of one engine, from one look at its process to the next. */
export function createCpuMeter(clock: Clock) {
  let last: Look | null = null
  let spans: Span[] = []

  return {
    /** `usedMs`: what the process has used since it began, of all processors. */
    look(usedMs: number, threads: number): void {
      const at = clock.now().getTime()
      // Another process counts from 0 again.
      if (last && usedMs >= last.usedMs && at > last.at)
        spans.push({ until: at, usedMs: usedMs - last.usedMs, mostMs: (at - last.at) * last.threads })
      last = { at, usedMs, threads }
      spans = spans.filter(({ until }) => until > at - HOUR_MS)
    },

    /** It does not run: what is looked at next is another process. */
    rest(): void {
      last = null
    },

    /** Null while nothing is known of an engine that runs now. */
    use(): CpuUse | null {
      const newest = spans.at(-1)
      if (!last || !newest) return null
      return {
        percent: percentOf([newest]),
        hourPercent: percentOf(spans),
        trend: trendOf(spans, clock.now().getTime()),
      }
    },
  }
}

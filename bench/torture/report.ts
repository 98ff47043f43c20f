import { percentile } from '../statistics.ts'
import type { TortureReport } from './torture.ts'

const MOST_SHOWN = 50

const counted = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `${String(times).padStart(8)}  ${what}`)

function recoveryLines({ recoveriesMs }: TortureReport): string[] {
  return Object.entries(recoveriesMs).map(([victim, times]) => {
    if (times.length === 0) return `  ${victim}: not killed`
    const [p50, p99, most] = [percentile(times, 0.5), percentile(times, 0.99), Math.max(...times)].map(
      Math.round,
    )
    return `  ${victim.padEnd(9)} killed ${times.length} times, answers again after p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`
  })
}

export function violationLines(violations: readonly string[]): string[] {
  if (violations.length === 0) return ['No violation: nothing lost, nothing doubled, nothing untrue.']
  const hidden = violations.length - MOST_SHOWN
  return [
    `${violations.length} VIOLATIONS`,
    ...violations.slice(0, MOST_SHOWN).map((violation) => `  ${violation}`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ]
}

export function asText(report: TortureReport): string {
  const { requests, inserts, acknowledged, askedAgain, cuts, historyEntries } = report
  return [
    `Seed ${report.seed}, ${Math.round(report.seconds)} s`,
    ...recoveryLines(report),
    `  ${requests} requests with ${inserts} inserts, of which ${acknowledged} were acknowledged; ${askedAgain} times asked again, ${cuts} cuts, ${historyEntries} entries of the history`,
    'Answers',
    ...counted(report.outcomes),
    'Errors in the log of the service',
    ...counted(report.troubles),
    ...violationLines(report.violations),
  ].join('\n')
}

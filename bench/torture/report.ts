import { percentile } from '../statistics.ts'
import type { FuzzReport } from './fuzz.ts'
import type { TortureReport } from './torture.ts'

const EXAMPLES = 3
const ALIKE = 70

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

/** Violations that begin alike, but for their numbers, are listed once with some examples. */
function violationLines(violations: readonly string[]): string[] {
  if (violations.length === 0) return ['No violation: nothing lost, nothing doubled, nothing untrue.']
  const groups = new Map<string, string[]>()
  for (const violation of violations) {
    const key = violation.replaceAll(/\d+/g, '#').slice(0, ALIKE)
    groups.set(key, [...(groups.get(key) ?? []), violation])
  }
  return [
    `${violations.length} VIOLATIONS`,
    ...[...groups.values()].flatMap((alike) => [
      `  ${alike.length} times, such as`,
      ...alike.slice(0, EXAMPLES).map((violation) => `    ${violation}`),
    ]),
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

const mib = (bytes: number): string => `${Math.round(bytes / 1024 ** 2)} MiB`

export function fuzzAsText(report: FuzzReport): string {
  const { before, most, after } = report.memory
  return [
    `Seed ${report.seed}, ${Math.round(report.seconds)} s, ${report.texts} texts, ${report.messages} messages`,
    'Answers',
    ...counted(report.answers),
    `Memory of the server: ${mib(before.server)} before, ${mib(most.server)} at most, ${mib(after.server)} after`,
    `Memory of the engine: ${mib(before.engine)} before, ${mib(most.engine)} at most, ${mib(after.engine)} after`,
    ...violationLines(report.violations),
  ].join('\n')
}

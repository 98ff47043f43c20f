import { relative } from 'node:path'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { inRepository } from './repository.ts'
import { noteSkipped } from '../scripts/skipped.mjs'

/** Which files skipped tests, and how many; said when everything has run. */
// Reporters are found by their default export.
// oxlint-disable-next-line import/no-default-export
export default class SkippedReporter implements Reporter {
  private readonly counts = new Map<string, number>()

  onTestEnd({ location }: TestCase, { status }: TestResult): void {
    if (status !== 'skipped') return
    const file = relative(inRepository('.'), location.file)
    this.counts.set(file, (this.counts.get(file) ?? 0) + 1)
  }

  onEnd(): void {
    for (const [file, count] of this.counts) noteSkipped(file, count)
  }
}

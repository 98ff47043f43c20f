import { relative } from 'node:path'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { inRepository } from './repository.ts'
import { noteFailed, noteSkipped } from '../scripts/outcomes.mjs'

/** Which files skipped tests, and how many; which tests failed. */
// Reporters are found by their default export.
// oxlint-disable-next-line import/no-default-export
export default class OutcomesReporter implements Reporter {
  private readonly skipped = new Map<string, number>()

  onTestEnd({ location, title }: TestCase, { status, errors }: TestResult): void {
    const file = relative(inRepository('.'), location.file)
    if (status === 'skipped') this.skipped.set(file, (this.skipped.get(file) ?? 0) + 1)
    else if (status !== 'passed') {
      noteFailed(file, title, errors.map(({ message = '' }) => message).join('; '))
    }
  }

  onEnd(): void {
    for (const [file, count] of this.skipped) noteSkipped(file, count)
  }
}

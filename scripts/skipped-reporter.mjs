import { noteSkipped } from './skipped.mjs'

/** For Vitest: which files skipped tests, and how many. */
// Reporters are found by their default export.
// oxlint-disable-next-line import/no-default-export
export default class SkippedReporter {
  onTestRunEnd(modules) {
    for (const { children, relativeModuleId } of modules) {
      const count = [...children.allTests('skipped')].length
      if (count > 0) noteSkipped(relativeModuleId, count)
    }
  }
}

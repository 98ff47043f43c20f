import { noteFailed, noteSkipped } from './outcomes.mjs'

/** A difference between what was expected and what came says more than the sentence before it. */
const causeOf = ({ message, diff = '' }) => `${message} ${diff}`

/** For Vitest: which files skipped tests, and how many; which tests failed. */
// Reporters are found by their default export.
// oxlint-disable-next-line import/no-default-export
export default class OutcomesReporter {
  onTestRunEnd(modules, unhandledErrors) {
    for (const module of modules) {
      const count = [...module.children.allTests('skipped')].length
      if (count > 0) noteSkipped(module.relativeModuleId, count)
      for (const test of module.children.allTests('failed'))
        noteFailed(module.relativeModuleId, test.fullName, test.result().errors?.map(causeOf).join('; '))
      // What fails outside of its tests, such as an import.
      for (const { message } of module.errors()) noteFailed(module.relativeModuleId, message)
    }
    for (const { message } of unhandledErrors) noteFailed('outside of tests', message)
  }
}

import { describe, expect, test } from 'vitest'
import { attachmentTests } from './conformance/attachments.ts'
import { cancelTests } from './conformance/cancel.ts'
import { catalogTests } from './conformance/catalogs.ts'
import { descriptionTests } from './conformance/descriptions.ts'
import { describingTests } from './conformance/describing.ts'
import { effectTests } from './conformance/effects.ts'
import { errorTests } from './conformance/errors.ts'
import { keepAllRows, ownEngine } from './conformance/fixture.ts'
import { keptTests } from './conformance/kept.ts'
import { lifecycleTests, resizeTests } from './conformance/lifecycle.ts'
import { objectTests } from './conformance/objects.ts'
import { fileTests } from './conformance/files.ts'
import { explainTests, profileTests } from './conformance/plans.ts'
import { resultTests } from './conformance/results.ts'
import { sameTransactionTests } from './conformance/same-transaction.ts'
import { sessionTests } from './conformance/sessions.ts'
import { sinkTests } from './conformance/sinks.ts'
import type { Suite } from './conformance/suite.ts'
import { writtenTests } from './conformance/written.ts'
import { tableSizeTests } from './conformance/table-sizes.ts'
import type { Capabilities } from './engine/capabilities.ts'
import type { UsesAre } from './engine/objects.ts'

export type { SuiteDialect } from './conformance/suite-dialect.ts'

/** What every engine does. */
const ALWAYS: Readonly<Record<string, (suite: Suite) => void>> = {
  results: resultTests,
  sinks: sinkTests,
  sessions: sessionTests,
  errors: errorTests,
  'what users wrote': writtenTests,
  objects: objectTests,
  cancelling: cancelTests,
  'kept results': keptTests,
  life: lifecycleTests,
}

/** What depends on the moment at which an engine looks up the objects of a statement. */
const AS_OF: Readonly<Record<UsesAre, readonly (readonly [name: UsesAre, tests: (suite: Suite) => void])[]>> =
  {
    'in the same transaction': [['in the same transaction', sameTransactionTests]],
    'as of a moment before': [],
  }

/** What one does that says so. */
const CAPABLE: Readonly<Record<keyof Capabilities, (suite: Suite) => void>> = {
  effects: effectTests,
  resize: resizeTests,
  catalogs: catalogTests,
  descriptions: descriptionTests,
  explain: explainTests,
  profiling: profileTests,
  describing: describingTests,
  attachments: attachmentTests,
  files: fileTests,
  tableSizes: tableSizeTests,
}

export interface ConformanceOptions extends Suite {
  /** All that it is said to be able to do: it must say so itself, and nothing beyond. */
  readonly capabilities: readonly (keyof Capabilities)[]
  /** At which moment it says that it looks up the objects of a statement. */
  readonly usesAre: UsesAre
  /** Rows of every statement are kept. */
  readonly keeps?: boolean
}

/**
 * What an engine must do, whatever is behind it: the same of all engines, and what goes with each capability. Each group
 * has an engine of its own; tests that end an engine start another.
 */
export function engineConformance(name: string, options: ConformanceOptions): void {
  const { open, words, capabilities, usesAre, keeps = false } = options
  const suite: Suite = { open, words }
  describe(`the engine ${name}`, () => {
    if (keeps) keepAllRows()
    test('says what it can do', async () => {
      const engine = await ownEngine(await open())
      const said = Object.keys(CAPABLE).filter((name) => engine[name as keyof Capabilities] !== null)
      expect(new Set(said)).toEqual(new Set(capabilities))
      expect(engine.usesAre).toBe(usesAre)
    })
    describe.each(Object.entries(ALWAYS))('%s', (_, tests) => {
      tests(suite)
    })
    describe.each(AS_OF[usesAre])('objects %s', (_, tests) => {
      tests(suite)
    })
    describe.each(capabilities)('%s', (capability) => {
      CAPABLE[capability](suite)
    })
  })
}

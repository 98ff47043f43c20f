import { expect, test, vi } from 'vitest'
import { collectOutcomes, noteFailed, noteSkipped } from './outcomes.mjs'
import OutcomesReporter from './outcomes-reporter.mjs'

interface Noted {
  readonly skipped?: number
  readonly failed?: readonly string[]
  readonly errors?: readonly string[]
}

const moduleOf = (relativeModuleId: string, { skipped = 0, failed = [], errors = [] }: Noted) => ({
  relativeModuleId,
  children: {
    allTests: (state: string) =>
      state === 'skipped'
        ? Array.from({ length: skipped })
        : failed.map((fullName) => ({
            fullName,
            result: () => ({
              errors: [{ message: '\u001B[31mexpected 1 to be 2\u001B[39m', diff: '- 1\n+ 2' }],
            }),
          })),
  },
  errors: () => errors.map((message) => ({ message })),
})

test('tests that were skipped or failed are named by their file once all steps have run', () => {
  vi.stubEnv('BOATHOUSE_TEST_OUTCOMES', '')
  const outcomes = collectOutcomes()
  new OutcomesReporter().onTestRunEnd(
    [
      moduleOf('server/src/a.tools.test.ts', { skipped: 12 }),
      moduleOf('server/src/b.test.ts', { failed: ['rows > are counted'] }),
      moduleOf('server/src/c.test.ts', { errors: ['Cannot find module\nd.ts'] }),
    ],
    [{ message: 'nobody waited for this' }],
  )
  noteSkipped('e2e/start.spec.ts', 1)
  noteFailed('e2e/grid.spec.ts', 'a row is copied', 'x'.repeat(10_000))
  expect(outcomes.lines()).toEqual([
    'SKIPPED server/src/a.tools.test.ts: 12 tests',
    'FAILED server/src/b.test.ts: rows > are counted — expected 1 to be 2 - 1 + 2',
    'FAILED server/src/c.test.ts: Cannot find module d.ts',
    'FAILED outside of tests: nobody waited for this',
    'SKIPPED e2e/start.spec.ts: 1 test',
    `FAILED e2e/grid.spec.ts: a row is copied — ${'x'.repeat(600)}`,
  ])
  vi.unstubAllEnvs()
})

test('a run in which everything passed has nothing to say', () => {
  vi.stubEnv('BOATHOUSE_TEST_OUTCOMES', '')
  expect(collectOutcomes().lines()).toEqual([])
  vi.unstubAllEnvs()
})

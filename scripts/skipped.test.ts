import { expect, test, vi } from 'vitest'
import { collectSkipped, noteSkipped } from './skipped.mjs'
import SkippedReporter from './skipped-reporter.mjs'

const moduleOf = (relativeModuleId: string, skipped: number) => ({
  relativeModuleId,
  children: { allTests: (state: string) => (state === 'skipped' ? Array.from({ length: skipped }) : []) },
})

test('tests that were skipped are counted and named by their file once all steps have run', () => {
  vi.stubEnv('BOATHOUSE_TEST_SKIPPED', '')
  const skipped = collectSkipped()
  new SkippedReporter().onTestRunEnd([
    moduleOf('server/src/a.tools.test.ts', 12),
    moduleOf('server/src/b.test.ts', 0),
  ])
  noteSkipped('e2e/start.spec.ts', 1)
  expect(skipped.lines()).toEqual([
    'SKIPPED server/src/a.tools.test.ts: 12 tests',
    'SKIPPED e2e/start.spec.ts: 1 test',
  ])
  vi.unstubAllEnvs()
})

test('a run that skipped nothing has nothing to say', () => {
  vi.stubEnv('BOATHOUSE_TEST_SKIPPED', '')
  expect(collectSkipped().lines()).toEqual([])
  vi.unstubAllEnvs()
})

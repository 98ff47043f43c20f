import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './vitest.sequencer.ts'

/** They look at what their own process has loaded. */
const ALONE = ['server/src/engines/duckdb/provider.test.ts']

/** They need programs of others: `npm run test:tools`, by `vitest.tools.config.ts`. */
const WITH_TOOLS = '**/*.tools.test.ts'

/** Of the engine's own SQL, but asked through the whole service, which needs the database of the tests. */
const SERVED = '**/*.served.test.ts'

/** It ends only what hangs: a machine that has other things to do takes ten times as long. Tests name no shorter one. */
const TEST_MS = 600_000

export const NODE = {
  setupFiles: ['vitest.patience.ts'],
  testTimeout: TEST_MS,
  hookTimeout: TEST_MS,
  pool: 'forks',
}

export default defineConfig({
  test: {
    // Half of what a test does is to wait for a process: three at a time also where there are two cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          // Apart from the others, so that the memory that DuckDB took in a worker ends with these.
          name: 'engines',
          include: ['server/src/engines/**/*.test.ts'],
          exclude: [...ALONE, SERVED, WITH_TOOLS],
          ...NODE,
          isolate: false,
        },
      },
      {
        test: {
          name: 'node',
          include: [
            'packages/*/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'cli/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          exclude: ['server/src/engines/**/!(*.served).test.ts', WITH_TOOLS],
          globalSetup: ['server/src/testing/global-setup.ts'],
          ...NODE,
          // Files of one worker share what they import: importing the server again takes longer than most files run.
          isolate: false,
        },
      },
      { test: { name: 'alone', include: ALONE, ...NODE } },
      {
        plugins: [react()],
        test: {
          name: 'console',
          include: ['console/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['vitest.patience.ts', 'console/src/testing/setup.ts'],
          testTimeout: TEST_MS,
          pool: 'forks',
          // One window for the files of a worker; see console/src/testing/setup.ts.
          isolate: false,
        },
      },
    ],
  },
})

import { defineConfig } from 'vitest/config'
import { NODE } from './vitest.config.ts'

/** Tests with programs of others, which are fetched from outside: an S3 server, PyIceberg, Nessie, pdftotext, Python. */
export default defineConfig({
  test: {
    // Each starts servers of its own beside engines.
    maxWorkers: 2,
    include: ['server/src/**/*.tools.test.ts', 'cli/src/**/*.tools.test.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    ...NODE,
  },
})

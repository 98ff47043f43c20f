import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findChromium } from './find-chromium.ts'

const isRoot = process.getuid?.() === 0
const chromium = findChromium()
/**
 * Tests that look at the clock. Side by side, products would measure one another, so that `npm test` runs them in a step
 * of their own. They depend on no journey: one that fails keeps nothing from being measured.
 */
const MEASURED = /@measured/

const launchOptions = {
  // Without it, Playwright's own browser is taken.
  ...(chromium ? { executablePath: chromium } : {}),
  args: [
    // Chromium cannot sandbox itself as root.
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
}

/** The pages of a browser share a process, which compiles the console's scripts once for all of them. */
const ONE_PROCESS = '--renderer-process-limit=1'

export default defineConfig({
  testDir: '.',
  globalSetup: './prepare.ts',
  outputDir: 'test-results',
  // Much of what a journey takes is to wait, for a file or a clock: four at a time also where there are two cores.
  workers: Math.max(4, availableParallelism()),
  retries: 0,
  // They end only what hangs: how long something takes on a busy machine is not what a journey is about.
  timeout: 600_000,
  expect: { timeout: 120_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['./outcomes-reporter.ts']],
  use: {
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    launchOptions,
  },
  projects: [
    {
      name: 'e2e',
      testMatch: '*.spec.ts',
      grepInvert: MEASURED,
      // Every worker has a product of its own: tests of one file need not wait for one another.
      fullyParallel: true,
      use: {
        // A browser's context is emptied between tests rather than made again: its page keeps the process, with what is
        // compiled there. A test that fails ends its worker, and the browser with it.
        reuseContext: true,
        launchOptions: { ...launchOptions, args: [...launchOptions.args, ONE_PROCESS] },
        // Drawing what moves takes a quarter of a journey's time without a graphics card.
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
    { name: 'measured', testMatch: '*.spec.ts', grep: MEASURED, workers: 1 },
  ],
})

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
    launchOptions: {
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
    },
  },
  projects: [
    {
      name: 'e2e',
      testMatch: '*.spec.ts',
      grepInvert: MEASURED,
      // Every worker has a product of its own: tests of one file need not wait for one another.
      fullyParallel: true,
      // Drawing what moves takes a quarter of a journey's time without a graphics card.
      use: { contextOptions: { reducedMotion: 'reduce' } },
    },
    { name: 'measured', testMatch: '*.spec.ts', grep: MEASURED, workers: 1 },
  ],
})

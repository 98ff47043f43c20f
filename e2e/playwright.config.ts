import { defineConfig } from '@playwright/test'
import { findChromium } from './find-chromium.ts'

const isRoot = process.getuid?.() === 0
const chromium = findChromium()

export default defineConfig({
  testDir: '.',
  outputDir: 'test-results',
  // Every product has a PostgreSQL and an engine of its own: side by side they would measure one another.
  workers: 1,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: 'list',
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
    { name: 'build', testMatch: 'build.setup.ts' },
    { name: 'e2e', testMatch: '*.spec.ts', dependencies: ['build'] },
  ],
})

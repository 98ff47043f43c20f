import { defineConfig } from '@playwright/test'
import suite from './playwright.config.ts'

/** Takes the pictures of README and guide from the running product: `npm run pictures`. */
export default defineConfig({
  ...suite,
  timeout: 180_000,
  use: { ...suite.use, viewport: { width: 1280, height: 720 } },
  projects: [{ name: 'pictures', testMatch: 'pictures.ts' }],
  workers: 1,
})

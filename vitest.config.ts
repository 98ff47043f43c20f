import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
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
          globalSetup: ['server/src/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          pool: 'forks',
        },
      },
      {
        plugins: [react()],
        test: {
          name: 'console',
          include: ['console/src/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['console/src/testing/setup.ts'],
          testTimeout: 15_000,
        },
      },
    ],
  },
})

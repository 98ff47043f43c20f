import { afterAll } from 'vitest'
import { engineConformance } from '../conformance.ts'
import { hostBundleForTests } from './host-bundle-for-tests.ts'
import { type DuckdbEngine, createDuckdbProvider } from './provider.ts'

const provider = createDuckdbProvider({ hostPath: await hostBundleForTests() })
afterAll(() => provider.close())

engineConformance(
  'duckdb',
  async () => ({
    provider,
    kill: (engine) => process.kill((engine as DuckdbEngine).pid, 'SIGKILL'),
  }),
  { keeps: true },
)

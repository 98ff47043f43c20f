import { engineConformance } from '../conformance.ts'
import { hostBundleForTests } from './host-bundle-for-tests.ts'
import { type DuckdbEngine, createDuckdbProvider } from './provider.ts'

engineConformance(
  'duckdb',
  async () => ({
    provider: createDuckdbProvider({ hostPath: await hostBundleForTests() }),
    kill: (engine) => process.kill((engine as DuckdbEngine).pid, 'SIGKILL'),
  }),
  { keeps: true },
)

import { afterAll } from 'vitest'
import { engineConformance } from '../conformance.ts'
import type { Engine } from '../engine/engine.ts'
import { duckdbTests } from './testing/duckdb-tests.ts'
import { DUCKDB_SUITE } from './testing/words.ts'
import { hostBundleForTests } from './host/host-bundle-for-tests.ts'
import { type DuckdbEngine, createDuckdbProvider } from './provider.ts'

const provider = createDuckdbProvider({ hostPath: await hostBundleForTests() })
afterAll(() => provider.close())

const open = async () => ({
  provider,
  kill: (engine: Engine) => void process.kill((engine as DuckdbEngine).pid, 'SIGKILL'),
})

engineConformance('duckdb', {
  open,
  words: DUCKDB_SUITE,
  usesAre: 'in the same transaction',
  capabilities: [
    'effects',
    'resize',
    'catalogs',
    'descriptions',
    'explain',
    'profiling',
    'describing',
    'attachments',
    'files',
    'tableSizes',
  ],
  keeps: true,
})

duckdbTests('duckdb', { open, keeps: true })

import { afterAll } from 'vitest'
import { engineConformance } from '../conformance.ts'
import type { Engine } from '../engine/engine.ts'
import { duckdbConformance } from './conformance/conformance.ts'
import { DUCKDB_SUITE } from './conformance/words.ts'
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
    'names',
  ],
  keeps: true,
})

duckdbConformance('duckdb', { open, keeps: true })

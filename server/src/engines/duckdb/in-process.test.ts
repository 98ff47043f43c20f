import { afterAll } from 'vitest'
import { engineConformance } from '../conformance.ts'
import { duckdbTests } from './testing/duckdb-tests.ts'
import { DUCKDB_SUITE } from './testing/words.ts'
import type { FaultyProvider } from '../fault-injection/provider.ts'
import { createInProcessDuckdb } from './in-process.ts'

const providers: FaultyProvider[] = []
afterAll(() => Promise.all(providers.map((provider) => provider.close())))

const open = async () => {
  const provider = createInProcessDuckdb()
  providers.push(provider)
  return { provider, kill: () => provider.crash('killed by a test') }
}

engineConformance('duckdb in process', {
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
})

// What may depend on whether rows are kept, which they are where DuckDB has a process of its own.
duckdbTests('duckdb in process', {
  open,
  groups: ['results', 'values', 'sessions', 'errors', 'profiles'],
})

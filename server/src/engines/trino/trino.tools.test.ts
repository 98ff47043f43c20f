import { afterAll, describe } from 'vitest'
import { engineConformance } from '../conformance.ts'
import { trinoFixture, TrinoServers } from './testing/fixture.ts'
import { hasTrino } from './testing/server.ts'
import { TRINO_SUITE } from './testing/words.ts'

describe.skipIf(!hasTrino)('on a real server', () => {
  const servers = new TrinoServers()
  afterAll(() => servers.stop())

  engineConformance('trino', {
    words: TRINO_SUITE,
    usesAre: 'as of a moment before',
    capabilities: ['resize', 'catalogs', 'explain', 'profiling', 'describing'],
    open: async () => trinoFixture(servers),
  })
})

import { engineConformance } from '../conformance.ts'
import { createScriptedProvider } from './provider.ts'
import { SCRIPTED_SUITE } from './suite.ts'

engineConformance('scripted', {
  words: SCRIPTED_SUITE,
  usesAre: 'in the same transaction',
  capabilities: ['effects', 'resize', 'catalogs', 'describing'],
  open: async () => {
    const provider = createScriptedProvider()
    return { provider, kill: () => provider.crash('killed by a test') }
  },
})

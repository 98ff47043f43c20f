import { engineConformance } from '../conformance.ts'
import { createFakeProvider } from './provider.ts'

engineConformance('fake', async () => {
  const provider = createFakeProvider()
  return { provider, kill: () => provider.crash('killed by a test') }
})

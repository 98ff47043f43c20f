import { fakeClock, HOURS } from '../../testing/fake-clock.ts'
import { paymentProviderSuite } from './conformance.ts'
import { createLocalPayments, type LocalMemory } from './local-payments.ts'

function memoryOf(): LocalMemory {
  const kept = new Map<string, object>()
  return {
    read: async (id) => kept.get(id),
    write: async (id, data) => void kept.set(id, data),
    async writeOnce(id, data) {
      if (!kept.has(id)) kept.set(id, data)
      return kept.get(id)
    },
  }
}

paymentProviderSuite('the local provider', async () => {
  const clock = fakeClock()
  const provider = createLocalPayments({ memory: memoryOf(), clock })
  return {
    provider,
    enter: async (secret, card) =>
      void (await provider.confirm(secret, { card, lastDigits: '4242', expires: '2039-02' })),
    answerChallenge: async (secret, passes) => void (await provider.answerChallenge(secret, passes)),
    failLater: async () => clock.advance(1 * HOURS),
  }
})

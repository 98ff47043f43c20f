import { expect, test, vi } from 'vitest'

/** Later than any of the waits below would allow on its own. */
function comesLate() {
  const startedAt = performance.now()
  return () => performance.now() - startedAt > 100
}

test('no wait of a test is so short that a busy machine turns it red', async () => {
  await expect.poll(comesLate(), { timeout: 1, interval: 10 }).toBe(true)
  const late = comesLate()
  await vi.waitFor(() => expect(late()).toBe(true), { timeout: 1, interval: 10 })
  await vi.waitUntil(comesLate(), { timeout: 1, interval: 10 })
})

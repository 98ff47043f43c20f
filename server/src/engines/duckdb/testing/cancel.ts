import { expect, test, vi } from 'vitest'
import { type OpenFixture, openSession, rowsOf, sharedEngine, rowsUpTo } from '../../conformance/fixture.ts'

export function cancelTests(open: OpenFixture): void {
  const shared = sharedEngine(open)

  test('reports how far a long statement is', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'CREATE TABLE large AS SELECT range AS i FROM range(20000000)')
    const run = session.execute('SELECT max(sha256(sha256(i::VARCHAR))) FROM large', rowsUpTo(10))
    const seen = await vi.waitUntil(() => run.progress().percentage || null, {
      timeout: 20_000,
      interval: 20,
    })
    expect(seen).toBeGreaterThan(0)
    expect(seen).toBeLessThanOrEqual(100)
    await run.cancel()
  })
}

import { expect, test } from 'vitest'
import { must, openSession, rowsOf, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

export function tableSizeTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  test('reports roughly how much disk tables take, and leaves out tables that do not exist', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createNumbered('small', 10))
    await rowsOf(session, words.createNumbered('large', 200_000))
    const asked = { catalog: 'default_catalog', database: 'main', withinMs: 60_000 }
    const sizes = await must(shared.engine().tableSizes)({ ...asked, names: ['small', 'large', 'nowhere'] })
    expect([...sizes.keys()]).toEqual(['small', 'large'])
    expect(sizes.get('small')).toBeLessThan(10_000)
    expect(sizes.get('large')).toBeGreaterThan(10_000)
    expect(sizes.get('large')).toBeLessThan(20_000_000)
  })
}

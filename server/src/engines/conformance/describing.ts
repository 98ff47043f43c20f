import { expect, test } from 'vitest'
import type { Authorize } from '../engine/objects.ts'
import { cell, must, openSession, rowsOf, rowsUpTo, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

export function describingTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  async function described(sql: string, authorize: Authorize = 'all') {
    const session = await openSession(shared.engine())
    const describe = must(shared.engine().describing)
    const takenFor = /^\s*(insert|delete)/i.test(sql) ? 'writes' : 'reads'
    return session.execute(sql, { ...rowsUpTo(10), takenFor, authorize, describe }).outcome
  }

  test('reports the columns of a statement that reads, and reads nothing', async () => {
    expect(await described(words.example.sql)).toMatchObject({
      state: 'finished',
      result: { columns: [], rows: [] },
      described: { columns: words.example.columns, parameters: [] },
    })
    expect(await described(words.endless)).toMatchObject({ described: { parameters: [] } })
  })

  test('reports that one that writes has no columns, and writes nothing', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('described_only'))
    expect(await described(words.insert('described_only', 1))).toMatchObject({
      state: 'finished',
      described: { columns: [], parameters: [] },
    })
    expect(await cell(session, words.count('described_only'))).toBe('0')
  })

  test.each(words.missing)('refuses one that names what is not there: $sql', async ({ sql }) => {
    const outcome = await described(sql.startsWith('UPDATE') ? words.select('nowhere') : sql)
    expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'missing' } })
  })

  test('has its sender decide on the objects, and says nothing of what is denied', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('described_secret'))
    const asked: string[] = []
    const outcome = await described(words.select('described_secret'), async (uses) => {
      asked.push(...uses.map(({ object }) => object.name ?? ''))
      return { message: 'Not for you.' }
    })
    expect(asked).toContain('described_secret')
    expect(outcome).toMatchObject({ state: 'failed', error: { kind: 'permission', message: 'Not for you.' } })
    expect(outcome).not.toHaveProperty('described')
  })
}

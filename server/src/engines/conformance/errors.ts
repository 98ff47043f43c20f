import { expect, test } from 'vitest'
import { cell, failure, openSession, rowsOf, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'
import { lacks } from './suite-dialect.ts'

export function errorTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const places = [
    ...words.unreadable.map((wrong) => ({ kind: 'syntax', ...wrong })),
    ...words.missing.map((wrong) => ({ kind: 'missing', ...wrong })),
  ]

  test.each(places)('points at the place of a $kind error: $sql', async ({ kind, sql, offset }) => {
    const session = await openSession(shared.engine())
    expect(await failure(session, sql)).toMatchObject({ kind, offset, message: expect.stringMatching(/\S/) })
  })

  test.each(['', '-- nothing', '/* nothing */', `${words.one(1)}; ${words.one(2)}`])(
    'runs nothing of a text that is not one statement: %j',
    async (sql) => {
      expect(await failure(await openSession(shared.engine()), sql)).toMatchObject({ kind: 'syntax' })
    },
  )

  test('reports what the values do not allow', async () => {
    const session = await openSession(shared.engine())
    const hasKeys = !lacks(words, 'keys')
    await rowsOf(session, hasKeys ? words.createKeyed('strict') : words.createTable('strict'))
    await rowsOf(session, words.insert('strict', 1))
    const twice = hasKeys ? [words.insert('strict', 1), words.insert('strict', 2, 2)] : []
    for (const sql of [words.failing, ...twice])
      expect(await failure(session, sql)).toMatchObject({ kind: 'data' })
    expect(await failure(session, words.createTable('strict'))).toMatchObject({ kind: 'data' })
    expect(await cell(session, words.count('strict'))).toBe('1')
  })

  test('fails as a whole when a late row fails', async () => {
    const session = await openSession(shared.engine())
    expect((await failure(session, words.failingLate(5000), 10_000)).kind).toBe('data')
    expect(await cell(session, words.one(1))).toBe('1')
  })
}

import { type Quotes, STANDARD_QUOTES } from '@boathouse/sql'
import { expect, test } from 'vitest'
import type { EngineSession } from '../engine/session.ts'
import type { Written } from '../engine/written.ts'
import { openSession, rowsUpTo, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

const MYSQL: Quotes = { escapes: true, doubleIsText: true }

const run = (session: EngineSession, sql: string, written: Partial<Written>) =>
  session.execute(sql, {
    ...rowsUpTo(10),
    settings: { chosen: {}, variables: { seen: { text: '7', type: 'VARCHAR' } } },
    written: { quotes: STANDARD_QUOTES, systemVariables: {}, variables: {}, ...written },
  }).outcome

/** What users write is handed over as they wrote it: each engine finds its own words for it. */
export function writtenTests({ open }: Suite): void {
  const shared = sharedEngine(open)

  test.each([
    ["SELECT 'a\\\\b' AS `c`", { quotes: MYSQL }, ['c', 'a\\b']],
    [`SELECT "it's" AS c`, { quotes: MYSQL }, ['c', "it's"]],
    [`SELECT 'a\\b' AS "c"`, {}, ['c', 'a\\b']],
    ['SELECT @@motto', { systemVariables: { motto: "it's" } }, ['@@motto', "it's"]],
    ['SELECT ? AS c', { variables: { 1: 'seen' } }, ['c', '7']],
    ['SELECT @Seen', { userVariables: ['seen'] }, ['@Seen', '7']],
  ])('reads %s as its user means it', async (sql, written, [column, value]) => {
    const session = await openSession(shared.engine())
    expect(await run(session, sql, written)).toMatchObject({
      state: 'finished',
      result: { columns: [{ name: column }], rows: [[value]] },
    })
  })

  test('points at the place in what its user wrote', async () => {
    const session = await openSession(shared.engine())
    const text = 'SELECT @@motto AS `c` FROM nowhere'
    expect(await run(session, text, { systemVariables: { motto: 'a long one' } })).toMatchObject({
      state: 'failed',
      error: { kind: 'missing', offset: text.indexOf('nowhere') },
    })
  })
}

import { expect, test } from 'vitest'
import type { Outcome } from '../../engine.ts'
import { type OpenFixture, openSession, rowsOf, rowsUpTo, sharedEngine } from '../../conformance/fixture.ts'

const allowed = () => Promise.resolve(null)

const errorOf = (outcome: Outcome) => (outcome.state === 'failed' ? outcome.error : outcome.state)

/** Views read by the rights of their owners. */
export function capturedNameTests(open: OpenFixture): void {
  const shared = sharedEngine(open)

  test('a view is not made to show more by something of a name that it uses', async () => {
    const session = await openSession(shared.engine())
    for (const sql of [
      'CREATE SCHEMA IF NOT EXISTS apart',
      'CREATE OR REPLACE TABLE kept AS SELECT range AS n FROM range(9)',
      'CREATE OR REPLACE TABLE open_to AS SELECT 5 AS n',
      'CREATE OR REPLACE MACRO is_open(n) AS n = 5',
      'CREATE OR REPLACE MACRO is_seen(n) AS is_open(n)',
      'CREATE OR REPLACE MACRO is_gone(n) AS n = 5',
      'CREATE OR REPLACE VIEW by_table AS FROM kept WHERE n IN (FROM open_to)',
      'CREATE OR REPLACE VIEW by_macro AS FROM kept WHERE is_open(n)',
      'CREATE OR REPLACE VIEW by_place AS FROM kept WHERE main.is_open(n)',
      'CREATE OR REPLACE VIEW by_macros AS FROM kept WHERE is_seen(n)',
      'CREATE OR REPLACE VIEW by_view AS FROM by_table',
      'CREATE OR REPLACE VIEW by_none AS FROM kept WHERE is_gone(n)',
      'DROP MACRO is_gone',
    ])
      await rowsOf(session, sql)
    const own = await openSession(shared.engine(), { database: 'apart' })
    const read = (view: string) =>
      own
        .execute(`FROM main.${view}`, { ...rowsUpTo(10), authority: allowed })
        .outcome.then((outcome) => (outcome.state === 'finished' ? outcome.result.rows : errorOf(outcome)))
    const taken = { kind: 'permission', message: expect.stringContaining('give that another name') }
    for (const [hiding, what, views] of [
      ['TEMP MACRO is_open(n) AS true', 'MACRO temp.is_open', ['by_macro', 'by_place', 'by_macros']],
      ['TEMP TABLE open_to AS FROM range(9) AS t(n)', 'TABLE temp.open_to', ['by_table', 'by_view']],
      ['TEMP VIEW open_to AS FROM range(9) AS t(n)', 'VIEW temp.open_to', ['by_table', 'by_view']],
      ['MACRO apart.is_gone(n) AS true', 'MACRO apart.is_gone', ['by_none']],
    ] as const) {
      await rowsOf(own, `CREATE ${hiding}`)
      for (const view of views) expect([hiding, view, await read(view)]).toMatchObject([hiding, view, taken])
      await rowsOf(own, `DROP ${what}`)
    }
    for (const view of ['by_macro', 'by_place', 'by_macros', 'by_table', 'by_view'])
      expect([view, await read(view)]).toEqual([view, [['5']]])
    await rowsOf(own, 'CREATE MACRO apart.is_open(n) AS true')
    expect(await read('by_macro')).toEqual([['5']])
  })
}

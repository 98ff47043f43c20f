import { expect, test } from 'vitest'
import {
  type OpenFixture,
  cells,
  openSession,
  rowsOf,
  rowsUpTo,
  type SharedEngine,
  sharedEngine,
} from '../../conformance/fixture.ts'
import { errorOf, settled, usesOf } from './objects.ts'

const allowed = () => Promise.resolve(null)

function macroTests(shared: SharedEngine): void {
  test('no macro hides a function of DuckDB, by which it is decided who may do what', async () => {
    const session = await settled(shared)
    for (const macro of [
      'TEMP MACRO lower(x) AS CAST(random() AS VARCHAR)',
      'MACRO main.Contains(x, y) AS true',
      'OR REPLACE TEMP MACRO "||"(x, y) AS x',
      'FUNCTION list_has_any(x, y) AS true',
      `TEMP MACRO IF NOT EXISTS current_schema() AS 'sales'`,
      'TEMP MACRO error(x) AS x',
      'MACRO concat_ws(x, y) AS TABLE SELECT x',
      'TEMP MACRO duckdb_columns() AS TABLE FROM customers',
      'MACRO "DuckDB_Constraints"() AS TABLE FROM customers',
      'OR REPLACE MACRO sales.duckdb_tables() AS TABLE FROM customers',
      'TEMP FUNCTION formatReadableSize(x) AS x',
      'TEMP MACRO unnest(x) AS x',
      'TEMP MACRO current_setting(x) AS x',
      'MACRO pragma_table_info(x) AS TABLE SELECT 1',
      'MACRO read_csv(x) AS TABLE SELECT 1',
      'MACRO described_table(x, y, z) AS TABLE FROM customers',
      'TEMP MACRO Find_In_Set(x, y) AS 1',
    ]) {
      const outcome = await session.execute(`CREATE ${macro}`, rowsUpTo(10)).outcome
      expect([macro, errorOf(outcome)]).toMatchObject([
        macro,
        { kind: 'permission', message: expect.stringContaining('Choose another name') },
      ])
    }
    const long = `CREATE TEMP MACRO lower(x) AS x /* ${'-'.repeat(200_000)} */`
    expect(errorOf(await session.execute(long, rowsUpTo(10)).outcome)).toMatchObject({ kind: 'permission' })
    await rowsOf(session, 'CREATE TEMP MACRO lowered(x) AS lower(x)')
    expect(await cells(session, `SELECT lowered('OAR')`)).toEqual([['oar']])
  })
}

function nameTests(shared: SharedEngine): void {
  test('what is in main is known by its name alone from wherever one stands, as DuckDB finds it', async () => {
    const session = await settled(shared)
    await rowsOf(session, 'CREATE SCHEMA IF NOT EXISTS apart')
    const own = await openSession(shared.engine(), { database: 'apart' })
    for (const [sql, expected] of [
      ['SELECT plain(1)', ['read function main.plain']],
      ['SELECT plain(1, 2)', ['read function main.plain']],
      ['FROM orders', ['read table main.orders']],
      ['FROM large', ['read table main.orders through main.large', 'read view main.large']],
    ] as const)
      expect([sql, (await usesOf(own, sql)).uses]).toEqual([sql, expected])
  })

  test('a view that has the name of a table below it is not looked for in itself', async () => {
    const session = await settled(shared)
    await rowsOf(session, 'CREATE SCHEMA IF NOT EXISTS apart')
    await rowsOf(session, 'CREATE OR REPLACE VIEW apart.orders AS FROM main.large')
    const own = await openSession(shared.engine(), { database: 'apart' })
    expect((await usesOf(own, 'FROM orders')).uses).toEqual([
      'read table main.orders through main.large',
      'read view apart.orders',
      'read view main.large through apart.orders',
    ])
  })
}

function viewTests(shared: SharedEngine): void {
  test('a view is not made to show more by something of a name that it uses', async () => {
    const session = await settled(shared)
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
    const read = async (view: string) => {
      const outcome = await own.execute(`FROM main.${view}`, { ...rowsUpTo(10), authorize: allowed }).outcome
      return outcome.state === 'finished' ? outcome.result.rows : errorOf(outcome)
    }
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
    // Whatever others have read since: what is temporary is of its session alone.
    const other = await openSession(shared.engine(), { database: 'apart' })
    const asOther = () => other.execute('FROM main.by_table', { ...rowsUpTo(10), authorize: allowed }).outcome
    for (const hiding of ['MACRO is_open(n) AS true', 'VIEW open_to AS FROM range(9) AS t(n)']) {
      await rowsOf(own, `CREATE TEMP ${hiding}`)
      expect(await asOther()).toMatchObject({ state: 'finished', result: { rows: [['5']] } })
    }
    for (const view of ['by_macro', 'by_table']) expect([view, await read(view)]).toMatchObject([view, taken])
    for (const what of ['MACRO temp.is_open', 'VIEW temp.open_to']) await rowsOf(own, `DROP ${what}`)
    await rowsOf(own, 'CREATE MACRO apart.is_open(n) AS true')
    expect(await read('by_macro')).toEqual([['5']])
  })
}

/** What has the name of something else, and who is deceived by it. */
export function hidingTests(open: OpenFixture): void {
  const shared = sharedEngine(open)
  macroTests(shared)
  nameTests(shared)
  viewTests(shared)
}

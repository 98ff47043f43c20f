import { expect, test } from 'vitest'
import type { EngineSession } from '../../engine/session.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { ListedName, ObjectName, ObjectUse } from '../../engine/objects.ts'
import type { SystemRows } from '../../engine/system-tables.ts'
import { OBJECT_CORPUS, OBJECT_SETUP, UNRESOLVED } from './object-corpus.ts'
import {
  type OpenFixture,
  type SharedEngine,
  cell,
  cells,
  openSession,
  rowsOf,
  rowsUpTo,
  sharedEngine,
} from '../../conformance/fixture.ts'

const path = ({ catalog, database, name }: ObjectName): string =>
  [catalog, database, name].filter((part) => part !== null).join('.')

const words = ({ action, object, through }: ObjectUse): string => {
  const [catalog, ...rest] = path(object).split('.')
  // All but what is said otherwise is in the catalog of the account.
  const short = catalog === 'default_catalog' ? rest.join('.') : path(object)
  return `${action} ${object.type} ${short}${through ? ` through ${through.database}.${through.name}` : ''}`
}

/** What it would use; it is denied, so that nothing of it runs. Null: nobody was asked. */
export async function usesOf(session: EngineSession, sql: string) {
  let told: readonly ObjectUse[] | null = null
  const authorize = (uses: readonly ObjectUse[]) => {
    told = uses
    return Promise.resolve({ message: 'Not today.' })
  }
  const outcome = await session.execute(sql, { ...rowsUpTo(10), authorize }).outcome
  return { uses: (told as readonly ObjectUse[] | null)?.map(words).sort() ?? null, outcome }
}

export const errorOf = (outcome: Outcome) => (outcome.state === 'failed' ? outcome.error : outcome.state)

export async function settled(shared: SharedEngine): Promise<EngineSession> {
  const session = await openSession(shared.engine())
  const [known] = await cells(session, `SELECT count(*) FROM duckdb_tables() WHERE table_name = 'orders'`)
  if (known?.[0] === '0') for (const sql of OBJECT_SETUP) await rowsOf(session, sql)
  return session
}

/** Which objects its statements use. */
function useTests(shared: SharedEngine): void {
  test.each(OBJECT_CORPUS)('tells what is used by: %s', async (sql, expected) => {
    const session = await settled(shared)
    const { uses, outcome } = await usesOf(session, sql)
    expect({ uses, ...(uses && { end: errorOf(outcome) }) }).toEqual(
      expected.length > 0
        ? { uses: [...expected].sort(), end: { kind: 'permission', message: 'Not today.' } }
        : { uses: null },
    )
  })
}

/** What lists and tables of the service show. */
function listingTests(shared: SharedEngine): void {
  test('lists show the names that come with the verdict, and none without them', async () => {
    const session = await settled(shared)
    const listedBy = async (listed: readonly ListedName[] | null) => {
      const authorize = () => Promise.resolve(listed && { listed })
      const sql = 'SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT temporary ORDER BY ALL'
      const outcome = await session.execute(sql, { ...rowsUpTo(10), authorize }).outcome
      return outcome.state === 'finished' ? outcome.result.rows : outcome
    }
    const orders = { type: 'table', catalog: 'default_catalog', database: 'main', name: 'orders' } as const
    expect(await listedBy([orders])).toEqual([['main', 'orders']])
    expect(await listedBy([])).toEqual([])
    expect(await listedBy(null)).toEqual([])
    expect(await listedBy([{ ...orders, name: '' }])).toContainEqual(['main', 'customers'])
    const told = `FROM described_table('default_catalog', 'main', 'orders')`
    expect(await cells(session, told)).toHaveLength(1)
    const authorize = () => Promise.resolve({ listed: [orders] })
    const outcome = await session.execute(told, { ...rowsUpTo(10), authorize }).outcome
    expect(outcome).toMatchObject({ state: 'finished', result: { rows: [] } })
    expect(Number(await cell(session, 'SELECT count(*) FROM duckdb_tables()'))).toBeGreaterThan(1)
  })

  test('tables of the service hold the rows that come with a statement, and nothing before and after it', async () => {
    const session = await settled(shared)
    const read = (system: SystemRows | null) =>
      session.execute('SELECT name, running FROM sys.warehouses', { ...rowsUpTo(10), system }).outcome
    const rows = { warehouses: JSON.stringify([{ name: `it's`, running: 2 }, { name: null }]) }
    expect(await read(rows)).toMatchObject({
      result: {
        rows: [
          [`it's`, '2'],
          [null, null],
        ],
      },
    })
    expect(await read({ warehouses: '[]' })).toMatchObject({ result: { rows: [] } })
    expect(await read(null)).toMatchObject({ state: 'failed' })
  })
}

/** What a name means, and to whom. */
function placeTests(shared: SharedEngine): void {
  test('names are those of where the session stands', async () => {
    await settled(shared)
    const session = await openSession(shared.engine(), { database: 'sales' })
    expect((await usesOf(session, 'FROM orders, known')).uses).toEqual([
      'read table sales.orders',
      'read table sales.regions through sales.known',
      'read view sales.known',
    ])
    // A view stands where it was made.
    expect((await usesOf(session, 'FROM main.large')).uses).toEqual([
      'read table main.orders through main.large',
      'read view main.large',
    ])
    await rowsOf(session, 'USE default_catalog.main')
    expect((await usesOf(session, 'FROM orders')).uses).toEqual(['read table main.orders'])
  })

  test('what the transaction has defined is known in it, and to nobody else', async () => {
    const session = await settled(shared)
    const other = await openSession(shared.engine())
    await rowsOf(session, 'BEGIN')
    await rowsOf(session, 'CREATE VIEW inside AS FROM customers')
    const expected = ['read table main.customers through main.inside', 'read view main.inside']
    // Only this session knows the view yet: reading it needs the privileges on what it reads.
    expect((await usesOf(session, 'FROM inside')).uses).toEqual(['read table main.customers'])
    expect((await usesOf(other, 'FROM customers')).uses).toEqual(['read table main.customers'])
    await rowsOf(session, 'COMMIT')
    expect((await usesOf(other, 'FROM inside')).uses).toEqual(expected)
    await rowsOf(session, 'DROP VIEW inside')
    await rowsOf(session, 'CREATE TABLE inside (a INTEGER)')
    expect((await usesOf(other, 'FROM inside')).uses).toEqual(['read table main.inside'])
    await rowsOf(session, 'DROP TABLE inside')
  })
}

/** What has no objects to decide on. */
function refusalTests(shared: SharedEngine): void {
  test('what is not one statement that can be bound has the same reason as for everyone', async () => {
    const session = await settled(shared)
    const allow = { ...rowsUpTo(10), authorize: () => Promise.resolve(null) }
    for (const sql of [
      'SELECT nothing FROM orders',
      'SELEC 1',
      'FROM zzz',
      'SELECT 1; SELECT 2',
      'SELECT ?',
      '',
    ]) {
      const all = await session.execute(sql, rowsUpTo(10)).outcome
      expect(all).toMatchObject({ state: 'failed' })
      expect(errorOf(await session.execute(sql, allow).outcome)).toEqual(errorOf(all))
    }
  })

  test.each([
    `SELECT * FROM histogram('boathouse' || '_internal.effects', query_id)`,
    `FROM query_table('"boat"house_internal.effects')`,
    `SELECT * FROM histogram_values('default_catalog."boathouse' || '_internal".effects', query_id)`,
  ])('what is the service its own is read by nobody: %s', async (sql) => {
    const session = await settled(shared)
    for (const authorize of ['all', () => Promise.resolve(null)] as const) {
      const outcome = await session.execute(sql, { ...rowsUpTo(10), authorize }).outcome
      expect(errorOf(outcome)).toMatchObject({ kind: 'permission' })
    }
  })
}

/** What a statement has changed. */
function changeTests(shared: SharedEngine): void {
  test('reports what a statement has created, dropped or renamed', async () => {
    const session = await openSession(shared.engine())
    const changedBy = async (sql: string) => {
      const outcome = await session.execute(sql, rowsUpTo(10)).outcome
      if (outcome.state !== 'finished') throw new Error(`${sql}: ${JSON.stringify(outcome)}`)
      return outcome.changed?.map(({ change, object, ...more }) =>
        [change, object.type, path(object), ...('to' in more ? [path(more.to)] : [])].join(' '),
      )
    }
    expect(await changedBy('CREATE TABLE told (a INTEGER)')).toEqual([
      'created table default_catalog.main.told',
    ])
    expect(await changedBy('CREATE TABLE IF NOT EXISTS told (a INTEGER)')).toBeUndefined()
    expect(await changedBy('INSERT INTO told VALUES (1)')).toBeUndefined()
    expect(await changedBy('ALTER TABLE TOLD ADD COLUMN b INTEGER')).toBeUndefined()
    expect(await changedBy('CREATE OR REPLACE TABLE told (a INTEGER)')).toEqual([
      'dropped table default_catalog.main.told',
      'created table default_catalog.main.told',
    ])
    expect(await changedBy('ALTER TABLE Told RENAME TO retold')).toEqual([
      'renamed table default_catalog.main.told default_catalog.main.retold',
    ])
    expect(await changedBy('EXPLAIN CREATE TABLE planned AS FROM retold')).toBeUndefined()
    expect(await changedBy('EXPLAIN ANALYZE CREATE TABLE planned AS FROM retold')).toEqual([
      'created table default_catalog.main.planned',
    ])
    expect(await changedBy('CREATE VIEW seen AS FROM retold')).toEqual([
      'created view default_catalog.main.seen',
    ])
    expect(await changedBy('DROP VIEW seen')).toEqual(['dropped view default_catalog.main.seen'])
    expect(await changedBy('CREATE MACRO f(x) AS x')).toEqual(['created function default_catalog.main.f'])
    expect(await changedBy('DROP MACRO f')).toEqual(['dropped function default_catalog.main.f'])
    expect(await changedBy('CREATE SCHEMA d')).toEqual(['created database default_catalog.d'])
    expect(await changedBy('DROP SCHEMA IF EXISTS D CASCADE')).toEqual(['dropped database default_catalog.d'])
    expect(await changedBy('DROP TABLE IF EXISTS nowhere')).toBeUndefined()
    expect(await changedBy('CREATE TEMP TABLE mine (a INTEGER)')).toBeUndefined()
  })

  test('what a transaction has changed is reported with its COMMIT, and not at all when it is rolled back', async () => {
    const session = await openSession(shared.engine())
    const changesIn = async (...statements: readonly string[]) => {
      const told: unknown[] = []
      for (const sql of statements) {
        const outcome = await session.execute(sql, rowsUpTo(10)).outcome
        if (outcome.state === 'finished' && outcome.changed)
          told.push([sql, outcome.changed.map(({ change }) => change)])
      }
      return told
    }
    const made = ['BEGIN', 'CREATE TABLE first (a INTEGER)', 'ALTER TABLE first RENAME TO second']
    expect(await changesIn(...made, 'ROLLBACK', 'CREATE TABLE third (a INTEGER)')).toEqual([
      ['CREATE TABLE third (a INTEGER)', ['created']],
    ])
    expect(await changesIn(...made, `SELECT CAST('x' AS INTEGER)`, 'COMMIT', 'DROP TABLE third')).toEqual([
      ['DROP TABLE third', ['dropped']],
    ])
    expect(await changesIn(...made, 'COMMIT', 'SELECT 1')).toEqual([['COMMIT', ['created', 'renamed']]])
  })
}

function unresolvedTests(shared: SharedEngine): void {
  test.each(UNRESOLVED)('does not run what cannot be determined: %s', async (sql, reason) => {
    const session = await settled(shared)
    const { uses, outcome } = await usesOf(session, sql)
    expect(uses).toBeNull()
    expect(errorOf(outcome)).toMatchObject({ kind: 'permission', message: expect.stringMatching(reason) })
  })
}

/** Which objects a statement uses, and who decides on them. */
export function objectTests(open: OpenFixture): void {
  const shared = sharedEngine(open)
  useTests(shared)
  listingTests(shared)
  placeTests(shared)
  refusalTests(shared)
  changeTests(shared)
  unresolvedTests(shared)
}

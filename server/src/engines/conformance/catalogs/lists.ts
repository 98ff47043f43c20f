import { expect, test } from 'vitest'
import type { CatalogReader } from '../../engine/catalogs.ts'
import type { Engine } from '../../engine/engine.ts'
import { listsIn, must, openSession, rowsOf, type SharedEngine, sharedEngine, STATE } from '../fixture.ts'
import type { Suite } from '../suite.ts'
import { keptName, lacks, type SuiteDialect } from '../suite-dialect.ts'
import { newDatabase, place, WHOLE } from './place.ts'

const FLEET = ['skiff', 'Barge', 'canoe']
const ALL = { table: 'all', view: 'all' } as const
const found = (total: number, ...names: string[]) => ({ total, list: names.map((name) => ({ name })) })

/** What somebody sees who has no transaction open must be the same in one that has changed nothing. */
const bothWays = (words: SuiteDialect): readonly (readonly [where: string, inTransaction: boolean])[] => {
  const outside = ['outside of a transaction', false] as const
  return lacks(words, 'transactions') ? [outside] : [outside, ['in a transaction', true]]
}

let databases = 0
const newName = (name: string, words: SuiteDialect) => keptName(words, `${name}_${++databases}`)

interface Wanted {
  readonly name: string
  readonly inTransaction: boolean
  readonly tables: readonly string[]
}

/** Lists as they are given there, with a database for the test. */
async function listing(
  engine: Engine,
  { words }: Suite,
  { name, inTransaction, tables }: Wanted,
): Promise<{ lists: CatalogReader; database: string }> {
  const database = newName(name, words)
  const session = await newDatabase(engine, database)
  for (const table of tables) await rowsOf(session, words.createTable(table))
  if (inTransaction) await rowsOf(session, words.begin)
  return { lists: listsIn(engine, session, inTransaction), database }
}

function databaseListTests(shared: SharedEngine, { words }: Suite): void {
  test.each(bothWays(words))(
    'lists databases by name, whole and by pages, and none of its own, %s',
    async (_, inTransaction) => {
      const session = await openSession(shared.engine())
      const { createDatabase } = must(shared.engine().catalogs).statements
      const [b, a, c] = ['Listed_b', 'Listed_a', 'Listed_c'].map((name) => newName(name, words))
      for (const name of [b, a, c])
        await rowsOf(session, createDatabase(place(String(name)), { ifNotExists: false }))
      if (inTransaction) await rowsOf(session, words.begin)
      const lists = listsIn(shared.engine(), session, inTransaction)
      const all = await lists.databases(STATE.catalog, 'all')
      expect(all).toEqual(expect.arrayContaining([a, b, c]))
      expect(all).toEqual(all.toSorted((one, other) => (one < other ? -1 : 1)))
      expect(all.join()).not.toContain('boathouse')
      const pageOf = async (page: object) => {
        const { total, list } = await lists.databasePage(STATE.catalog, { ...WHOLE, ...page })
        return { total, list: list.map(({ name }) => ({ name })) }
      }
      expect(await pageOf({ limit: 2 })).toEqual(found(all.length, ...all.slice(0, 2)))
      const backwards = all.toReversed().slice(1, 3)
      expect(await pageOf({ descending: true, offset: 1, limit: 2 })).toEqual(found(all.length, ...backwards))
      expect(await pageOf({ offset: 1000 })).toEqual(found(all.length))
      expect(await pageOf({ search: String(b).toUpperCase() })).toEqual(found(1, String(b)))
      expect(await pageOf({ search: 'listed_%' })).toEqual(found(0))
    },
  )
}

function tableListTests(shared: SharedEngine, suite: Suite): void {
  const { words } = suite
  const kept = (name: string) => keptName(words, name)
  test.each(bothWays(words))(
    'lists the tables of a database, whole and the first few, %s',
    async (_, inTransaction) => {
      const { lists, database } = await listing(shared.engine(), suite, {
        name: 'harbour',
        inTransaction,
        tables: FLEET,
      })
      const names = ['Barge', 'canoe', 'skiff'].map(kept)
      const tables = (more: object = {}) =>
        lists.tables(place(database.toUpperCase()), { seen: ALL, limit: 100, ...more })
      expect(await tables()).toEqual({ names, isCut: false })
      expect(await tables({ limit: 3 })).toEqual({ names, isCut: false })
      expect(await tables({ limit: 2 })).toEqual({ names: [kept('Barge'), 'canoe'], isCut: true })
      expect(await tables({ like: '%a%e' })).toEqual({ names: [kept('Barge'), 'canoe'], isCut: false })
      expect(await tables({ like: '%a%e', limit: 1 })).toEqual({ names: [kept('Barge')], isCut: true })
      expect(await lists.tables(place('no_harbour'), { seen: ALL, limit: 4 })).toEqual({
        names: [],
        isCut: false,
      })
      expect(await lists.allTables(STATE.catalog)).toEqual(
        expect.arrayContaining(names.map((name) => ({ database, name, type: 'table' }))),
      )
      expect(await lists.allTables(STATE.catalog, 2)).toHaveLength(2)
      expect(await lists.objectNamed(place(database), { type: 'table', name: 'BARGE' })).toBe(kept('Barge'))
      expect(await lists.objectNamed(place(database), { type: 'view', name: 'barge' })).toBeNull()
      expect(await lists.objectNamed(place(database), { type: 'table', name: 'raft' })).toBeNull()
    },
  )

  test.each(bothWays(words))('lists tables by pages, sorted and searched, %s', async (_, inTransaction) => {
    const { lists, database } = await listing(shared.engine(), suite, {
      name: 'Fleet',
      inTransaction,
      tables: FLEET,
    })
    const page = (more: object = {}) =>
      lists.tablePage(place(database.toLowerCase()), 'table', { ...WHOLE, ...more })
    expect(await page()).toEqual(found(3, kept('Barge'), 'canoe', 'skiff'))
    expect(await page({ descending: true, limit: 2 })).toEqual(found(3, 'skiff', 'canoe'))
    expect(await page({ offset: 2, limit: 2 })).toEqual(found(3, 'skiff'))
    expect(await page({ descending: true, offset: 2, limit: 2 })).toEqual(found(3, kept('Barge')))
    expect(await page({ offset: 5 })).toEqual(found(3))
    expect(await page({ search: 'AR' })).toEqual(found(1, kept('Barge')))
    expect(await page({ search: '%' })).toEqual(found(0))
    expect(await page({ except: new Set(['canoe']) })).toEqual(found(2, kept('Barge'), 'skiff'))
    expect(await lists.tablePage(place(database), 'view', WHOLE)).toEqual(found(0))
    expect(await lists.tablePage(place('nowhere'), 'table', WHOLE)).toEqual(found(0))
  })

  test.each(bothWays(words))('lists nothing but what may be seen, %s', async (_, inTransaction) => {
    const { lists, database } = await listing(shared.engine(), suite, {
      name: 'Guarded',
      inTransaction,
      tables: ['Open', 'closed'],
    })
    const seen = new Set(['open', database.toLowerCase(), 'nothing'])
    const none = new Set<string>()
    const [{ catalog }, guarded] = [STATE, place(database)]
    expect(await lists.databases(catalog, seen)).toEqual([database])
    expect(await lists.databases(catalog, none)).toEqual([])
    expect(await lists.databasePage(catalog, { ...WHOLE, seen })).toEqual({
      total: 1,
      list: [{ name: database, tables: 2 }],
    })
    expect(await lists.databasePage(catalog, { ...WHOLE, seen: none })).toEqual(found(0))
    const tables = (table: Set<string>, view: Set<string> | 'all') =>
      lists.tables(guarded, { seen: { table, view }, limit: 10 })
    expect((await tables(seen, none)).names).toEqual([kept('Open')])
    expect((await tables(none, 'all')).names).toEqual([])
    expect(await lists.tablePage(guarded, 'table', { ...WHOLE, seen })).toEqual(found(1, kept('Open')))
    expect(await lists.tablePage(guarded, 'table', { ...WHOLE, seen: none })).toEqual(found(0))
  })
}

export function listTests(suite: Suite): void {
  const shared = sharedEngine(suite.open)
  databaseListTests(shared, suite)
  tableListTests(shared, suite)
}

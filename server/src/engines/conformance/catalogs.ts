import { expect, test } from 'vitest'
import type { Seen } from '../engine/names.ts'
import type { Engine } from '../engine/engine.ts'
import { SessionRefused } from '../engine/session.ts'
import { STATE, cell, cells, failure, must, openSession, rowsOf, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

const place = (database: string) => ({ catalog: STATE.catalog, database })
const whole = { descending: false, offset: 0, limit: 100, seen: 'all' as Seen, search: '' }
const ALL = { table: 'all', view: 'all' } as const

/** The words that the service uses for catalogs, databases and tables. */
export function catalogTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const catalogs = () => must(shared.engine().catalogs)

  const makeDatabase = async (engine: Engine, name: string) => {
    const session = await openSession(engine)
    await rowsOf(session, catalogs().createDatabase(place(name), { ifNotExists: false }))
    return openSession(engine, { database: name })
  }

  test('makes a database, with any name, and a session that stands in it', async () => {
    const session = await makeDatabase(shared.engine(), 'odd "name')
    await rowsOf(session, words.createNumbered('here', 2))
    expect(await cell(session, words.count('here'))).toBe('2')
    const elsewhere = await openSession(shared.engine())
    expect(await failure(elsewhere, words.count('here'))).toMatchObject({ kind: 'missing' })
    await rowsOf(elsewhere, catalogs().enter(place('ODD "NAME')))
    expect(await cell(elsewhere, words.count('here'))).toBe('2')
  })

  test('makes no database twice, unless that is said to be no matter', async () => {
    const session = await openSession(shared.engine())
    const anew = catalogs().createDatabase(place('Twice'), { ifNotExists: false })
    await rowsOf(session, anew)
    expect(await failure(session, anew)).toMatchObject({ kind: 'data' })
    await rowsOf(session, catalogs().createDatabase(place('Twice'), { ifNotExists: true }))
  })

  test('lists databases by name, whole and by pages, and none of its own', async () => {
    const session = await openSession(shared.engine())
    for (const name of ['Listed_b', 'Listed_a', 'Listed_c'])
      await rowsOf(session, catalogs().createDatabase(place(name), { ifNotExists: false }))
    const all = (await cells(session, catalogs().databases(STATE.catalog, 'all'))).map(([name]) => name)
    expect(all.filter((name) => name?.startsWith('Listed'))).toEqual(['Listed_a', 'Listed_b', 'Listed_c'])
    expect(all).toEqual(all.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)))
    expect(all.join()).not.toContain('boathouse')
    const pageOf = async (page: typeof whole) =>
      (await cells(session, catalogs().databasePage(STATE.catalog, page))).map((row) => row.slice(0, 2))
    const total = String(all.length)
    expect(await pageOf({ ...whole, limit: 2 })).toEqual(all.slice(0, 2).map((name) => [total, name]))
    expect(await pageOf({ ...whole, descending: true, offset: 1, limit: 2 })).toEqual(
      all
        .toReversed()
        .slice(1, 3)
        .map((name) => [total, name]),
    )
    expect(await pageOf({ ...whole, offset: 1000 })).toEqual([[total, null]])
    expect(await pageOf({ ...whole, search: 'LISTED_B' })).toEqual([['1', 'Listed_b']])
    expect(await pageOf({ ...whole, search: 'listed_%' })).toEqual([['0', null]])
  })

  test('knows a database by any case, and says how it was written', async () => {
    const session = await makeDatabase(shared.engine(), 'Boats')
    expect(await cells(session, catalogs().databaseNamed(place('bOATS')))).toEqual([['Boats']])
    expect(await cells(session, catalogs().databaseNamed(place('no_boats')))).toEqual([])
  })

  test('lists the tables of a database, whole, the first few, and by pages', async () => {
    const session = await makeDatabase(shared.engine(), 'harbour')
    for (const name of ['skiff', 'Barge', 'canoe']) await rowsOf(session, words.createTable(name))
    const names = ['Barge', 'canoe', 'skiff']
    const listed = (sql: string) => cells(session, sql)
    expect(await listed(catalogs().tables(place('HARBOUR'), ALL))).toEqual(names.map((name) => [name]))
    expect(await listed(catalogs().tables(place('harbour'), ALL, 2))).toEqual([['Barge'], ['canoe']])
    const tablePage = (page: typeof whole) => catalogs().tablePage(place('harbour'), 'BASE TABLE', page)
    expect(await listed(tablePage(whole))).toEqual(names.map((name) => ['3', name]))
    expect(await listed(tablePage({ ...whole, descending: true, limit: 1 }))).toEqual([['3', 'skiff']])
    expect(await listed(catalogs().tablePage(place('harbour'), 'VIEW', whole))).toEqual([['0', null]])
    expect(await listed(catalogs().tables(place('no_harbour'), ALL))).toEqual([])
    expect(await listed(catalogs().allTables(STATE.catalog))).toEqual(
      expect.arrayContaining(names.map((name) => ['harbour', name, 'BASE TABLE'])),
    )
  })

  test('lists nothing but what may be seen', async () => {
    const session = await makeDatabase(shared.engine(), 'Guarded')
    for (const name of ['Open', 'closed']) await rowsOf(session, words.createTable(name))
    const listed = (sql: string) => cells(session, sql)
    const seen = new Set(['open', 'guarded', 'nothing'])
    const none = new Set<string>()
    const { databases, databasePage, tables, tablePage } = catalogs()
    const [catalog, guarded] = [STATE.catalog, place('guarded')]
    expect(await listed(databases(catalog, seen))).toEqual([['Guarded']])
    expect(await listed(databases(catalog, none))).toEqual([])
    expect(await listed(databasePage(catalog, { ...whole, seen: seen }))).toEqual([['1', 'Guarded', '2']])
    expect(await listed(databasePage(catalog, { ...whole, seen: none }))).toEqual([['0', null, null]])
    expect(await listed(tables(guarded, { table: seen, view: none }))).toEqual([['Open']])
    expect(await listed(tables(guarded, { table: none, view: 'all' }))).toEqual([])
    const page = { ...whole, seen: seen }
    expect(await listed(tablePage(guarded, 'BASE TABLE', page))).toEqual([['1', 'Open']])
    expect(await listed(tablePage(guarded, 'BASE TABLE', { ...page, seen: none }))).toEqual([['0', null]])
  })

  test('drops a database that is empty, or with all that is in it, and no other', async () => {
    const session = await makeDatabase(shared.engine(), 'sunk')
    const other = await openSession(shared.engine())
    const drop = (ifExists: boolean, cascade: boolean) =>
      catalogs().dropDatabase(place('sunk'), { ifExists, cascade })
    await rowsOf(session, words.createTable('wreck'))
    await session.close()
    expect((await failure(other, drop(false, false))).kind).toBe('data')
    await rowsOf(other, drop(false, true))
    expect(await failure(other, drop(false, true))).toMatchObject({ kind: 'missing' })
    await rowsOf(other, drop(true, true))
    const opening = openSession(shared.engine(), { database: 'sunk' })
    await expect(opening).rejects.toBeInstanceOf(SessionRefused)
    await expect(opening).rejects.toMatchObject({ error: { kind: 'missing' } })
    expect(await failure(other, catalogs().enter(place('sunk')))).toMatchObject({ kind: 'missing' })
  })

  test('names what is there with every catalog in small letters', () => {
    const { permanent, reserved } = catalogs()
    expect(permanent.size).toBeGreaterThan(0)
    for (const name of [...permanent, ...reserved]) expect(name).toBe(name.toLowerCase())
  })
}

import { answerTo } from '@boathouse/client/testing/fake-socket'
import type { QueryRsp } from '@boathouse/contract/realtime'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { catalogId, databaseId } from '../tabs/place.ts'
import type { Stale } from './refresher.ts'
import { watchSchema } from './schema-watch.ts'
import { bench, TAB } from '../testing/runner-bench.ts'

beforeEach(() => {
  window.sessionStorage.clear()
  window.localStorage.clear()
})

const LISTS: Stale = { catalogs: false, places: 'all' }
const CATALOGS_TOO: Stale = { catalogs: true, places: 'all' }

function watch() {
  const b = bench({ catalog: 'default_catalog', database: 'main' })
  const asked: Stale[] = []
  const placeChanged = vi.fn<(tabId: string) => void>()
  b.store.activate(TAB)
  const close = watchSchema({
    store: b.store,
    realtime: b.realtime,
    clock: b.clock,
    refresh: async (stale) => void asked.push(stale),
    placeChanged,
  })
  /** Runs a statement to its end; refreshes that are due at once have been requested. */
  const run = (sql: string, over: Partial<QueryRsp> = {}) => {
    b.runner.run(TAB, { sql, from: 0 })
    b.sockets.latest().deliver(answerTo(b.query(), { fields: [], result: [], ...over }))
    b.clock.advance(100)
  }
  const tell = (seq: number, type: string, data: unknown = null) =>
    b.sockets.latest().deliver({ cmd: 3, seq, type, data })
  b.store.toggleRow(catalogId('default_catalog'))
  const openRows = () => [...b.store.api.getState().openRows]
  return { ...b, asked, placeChanged, close, run, tell, openRows }
}

describe('after a statement', () => {
  test.each([
    'create table t (i int)',
    'CREATE OR REPLACE VIEW v AS SELECT 1',
    'create database sales',
    'drop table t',
    '/* old */ DROP VIEW IF EXISTS v',
    'drop database sales cascade',
  ])('%s, databases and tables are asked for again [EDITOR-29]', (sql) => {
    const { run, asked } = watch()
    run(sql)
    expect(asked).toEqual([LISTS])
  })

  test('that failed as well: it may have taken effect [EDITOR-29]', () => {
    const { run, asked } = watch()
    run('create table t as select 1', { queryState: 3, errCode: 50002, errMsg: 'cut off' })
    expect(asked).toEqual([LISTS])
  })

  test.each([
    'select 1',
    'insert into t select 1',
    'show tables',
    "select 'create table'",
    'explain select 1',
  ])('%s, nothing is', (sql) => {
    const { run, asked, clock } = watch()
    run(sql)
    clock.advance(20_000)
    expect(asked).toEqual([])
  })

  test.each([
    ['create external catalog lake', CATALOGS_TOO],
    ['DROP CATALOG lake', CATALOGS_TOO],
    ["create table t as select 'a Catalog' as word", CATALOGS_TOO],
    ['create table catalogue (i int)', LISTS],
    ['drop table default_catalog.main.t', LISTS],
  ])('%s, catalogs are asked for too when its text has the word catalog [EDITOR-30]', (sql, stale) => {
    const { run, asked } = watch()
    run(sql)
    expect(asked).toEqual([stale])
  })

  test('that alters, they are loaded after 2 s, 5 s and 10 s [EDITOR-31]', async () => {
    const { run, asked, clock } = watch()
    run('alter table t add column j int')
    const at: number[] = []
    // `run` has moved the clock by the moment in which changes are gathered.
    for (let ms = 200; ms <= 15_000; ms += 100) {
      const before = asked.length
      clock.advance(100)
      await Promise.resolve()
      if (asked.length > before) at.push(ms - 100)
    }
    expect(at).toEqual([2_000, 5_000, 10_000])
    expect(asked).toEqual([LISTS, LISTS, LISTS])
  })

  test('of a text, each counts for itself, and one that was not run does not', () => {
    const { runner, query, sockets, clock, asked } = watch()
    runner.run(TAB, { sql: 'select oops; drop table t', from: 0 })
    const part: Partial<QueryRsp> = { statementCount: 2, fields: [], result: [], queryState: 3 }
    const deliver = (over: Partial<QueryRsp>) =>
      sockets.latest().deliver(answerTo(query(), { ...part, ...over }))
    deliver({ statementIndex: 0, statementStart: 0, statementEnd: 11, errCode: 42200 })
    deliver({ statementIndex: 1, statementStart: 13, statementEnd: 25, errCode: 40008 })
    clock.advance(20_000)
    expect(asked).toEqual([])
  })
})

describe('a statement that moves the tab', () => {
  test('to another catalog opens it and asks for its databases [EDITOR-32]', () => {
    const { run, asked, openRows, tab, placeChanged } = watch()
    run('set catalog lake', { catalogChange: true, catalog: 'lake', db: '' })
    expect(tab()).toMatchObject({ catalog: 'lake', database: '' })
    expect(openRows()).toEqual([catalogId('lake')])
    expect(asked).toEqual([{ catalogs: false, places: [{ catalog: 'lake', database: '' }] }])
    expect(placeChanged).toHaveBeenCalledExactlyOnceWith(TAB)
  })

  test('to another database opens it and asks for its tables [EDITOR-33]', () => {
    const { run, asked, openRows, tab } = watch()
    const sales = { catalog: 'default_catalog', database: 'sales' }
    run('use sales', { dbChange: true, db: 'sales' })
    expect(tab()).toMatchObject(sales)
    expect(openRows()).toEqual([catalogId('default_catalog'), databaseId(sales)])
    expect(asked).toEqual([{ catalogs: false, places: [sales] }])
  })

  test('to another catalog and database does both [EDITOR-34]', () => {
    const { run, asked, openRows, tab } = watch()
    const sales = { catalog: 'lake', database: 'sales' }
    run('use lake.sales', { catalogChange: true, catalog: 'lake', dbChange: true, db: 'sales' })
    expect(tab()).toMatchObject(sales)
    expect(openRows()).toEqual([catalogId('lake'), databaseId(sales)])
    expect(asked).toEqual([{ catalogs: false, places: [sales] }])
  })

  test('that is not on the screen opens nothing', () => {
    const { run, store, openRows, placeChanged } = watch()
    store.activate('another')
    run('use sales', { dbChange: true, db: 'sales' })
    expect(openRows()).toEqual([])
    expect(placeChanged).toHaveBeenCalledOnce()
  })
})

describe('what others change', () => {
  test('in a database is loaded, there alone', () => {
    const { tell, asked, clock } = watch()
    const place = { catalog: 'lake', database: 'sales' }
    tell(1, 'GlobalEventTypeDatabaseChanged', place)
    clock.advance(100)
    expect(asked).toEqual([{ catalogs: false, places: [place] }])
  })

  test('without saying where may be anywhere; a change of catalogs is all of it', async () => {
    const { tell, asked, clock } = watch()
    tell(1, 'GlobalEventTypeDatabaseChanged')
    clock.advance(100)
    await Promise.resolve()
    tell(2, 'GlobalEventTypeCatalogChanged')
    tell(3, 'GlobalEventTypeWarehouseChanged')
    clock.advance(1_000)
    expect(asked).toEqual([LISTS, CATALOGS_TOO])
  })

  test('as the name of the catalog of a tab: the tab stays there', () => {
    const { tell, tab, openRows } = watch()
    tell(1, 'GlobalEventTypeCatalogChanged', { catalog: 'default_catalog', renamedTo: 'sea' })
    const place = { catalog: 'sea', database: 'main' }
    expect(tab()).toMatchObject(place)
    expect(openRows()).toEqual([catalogId('sea'), databaseId(place)])
    tell(2, 'GlobalEventTypeCatalogChanged', { catalog: 'lake', renamedTo: 'river' })
    expect(tab()).toMatchObject(place)
  })

  test('and the statement that reports it are one refresh', () => {
    const { run, tell, asked, clock } = watch()
    tell(1, 'GlobalEventTypeDatabaseChanged', { catalog: 'default_catalog', database: 'main' })
    run('create table t (i int)')
    clock.advance(20_000)
    expect(asked).toEqual([LISTS])
  })

  test('while the channel was down is loaded when it is back', () => {
    const { sockets, clock, asked } = watch()
    sockets.latest().drop()
    clock.advance(1_000)
    sockets.latest().accept()
    clock.advance(100)
    expect(asked).toEqual([CATALOGS_TOO])
  })

  test('is nothing to a page that was left', () => {
    const { run, close, tell, asked, clock } = watch()
    run('alter table t add column j int')
    close()
    tell(1, 'GlobalEventTypeCatalogChanged')
    clock.advance(20_000)
    expect(asked).toEqual([])
  })
})

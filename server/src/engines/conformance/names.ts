import { expect, test } from 'vitest'
import type { TableType } from '../engine/names.ts'
import type { Engine } from '../engine/engine.ts'
import type { EngineSession } from '../engine/session.ts'
import {
  STATE,
  cells,
  failure,
  must,
  openSession,
  ownEngine,
  rowsOf,
  sharedEngine,
  testSpace,
} from './fixture.ts'
import type { Suite } from './suite.ts'

const WHOLE = { descending: false, offset: 0, limit: 1000, seen: 'all', search: '' } as const
const CATALOG = STATE.catalog

async function place(engine: Engine, database: string): Promise<EngineSession> {
  const session = await openSession(engine)
  const make = must(engine.catalogs).createDatabase({ catalog: CATALOG, database }, { ifNotExists: false })
  await rowsOf(session, make)
  return openSession(engine, { database })
}

const listed = async (engine: Engine, database: string, of: TableType = 'BASE TABLE') => {
  const found = await must(engine.names)({ catalog: CATALOG, database, of, page: WHOLE })
  return found && found.list.map(({ name }) => name)
}

const foundAs = (total: number, ...names: string[]) => ({ total, list: names.map((name) => ({ name })) })

/** What an engine has at hand is what it would answer in its words. */
export function nameTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  test('has names at hand, page by page, sorted, searched, and no more than may be seen', async () => {
    const session = await place(shared.engine(), 'Fleet')
    for (const name of ['skiff', 'Barge', 'canoe']) await rowsOf(session, words.createTable(name))
    const page = (more: object) =>
      must(shared.engine().names)({
        catalog: CATALOG,
        database: 'fleet',
        of: 'BASE TABLE',
        page: { ...WHOLE, ...more },
      })
    expect(await page({})).toEqual(foundAs(3, 'Barge', 'canoe', 'skiff'))
    expect(await page({ descending: true, limit: 2 })).toEqual(foundAs(3, 'skiff', 'canoe'))
    expect(await page({ offset: 2, limit: 2 })).toEqual(foundAs(3, 'skiff'))
    expect(await page({ descending: true, offset: 2, limit: 2 })).toEqual(foundAs(3, 'Barge'))
    expect(await page({ offset: 5 })).toEqual(foundAs(3))
    expect(await page({ search: 'AR' })).toEqual(foundAs(1, 'Barge'))
    expect(await page({ search: '%' })).toEqual(foundAs(0))
    expect(await page({ seen: new Set(['barge', 'nothing']) })).toEqual(foundAs(1, 'Barge'))
    expect(await page({ seen: new Set() })).toEqual(foundAs(0))
    expect(await page({ except: new Set(['canoe']) })).toEqual(foundAs(2, 'Barge', 'skiff'))
    expect(await listed(shared.engine(), 'nowhere')).toBeNull()
  })

  test('has databases at hand as it lists them, with how much is in each', async () => {
    const engine = shared.engine()
    const session = await place(engine, 'Counted')
    for (const name of ['one', 'two']) await rowsOf(session, words.createTable(name))
    const inWords = must(engine.catalogs).databasePage(CATALOG, WHOLE)
    const found = await must(engine.names)({ catalog: CATALOG, of: 'databases', page: WHOLE })
    expect(found?.list.map(({ name, tables }) => [String(found.total), name, String(tables)])).toEqual(
      await cells(session, inWords),
    )
    expect(found?.list).toContainEqual({ name: 'Counted', tables: 2 })
  })

  test('knows at once what was made, dropped or taken back, whoever did it', async () => {
    const engine = shared.engine()
    const session = await place(engine, 'changing')
    const other = await openSession(engine, { database: 'changing' })
    const names = () => listed(engine, 'changing')
    expect(await names()).toEqual([])
    await rowsOf(session, words.createTable('first'))
    expect(await names()).toEqual(['first'])
    await rowsOf(other, words.createTable('second'))
    expect(await names()).toEqual(['first', 'second'])
    expect(await failure(other, words.createTable('second'))).toMatchObject({ kind: 'data' })
    await rowsOf(other, words.begin)
    await rowsOf(other, words.createTable('third'))
    expect(await names()).toEqual(['first', 'second'])
    await rowsOf(session, words.dropTable('first'))
    expect(await names()).toEqual(['second'])
    await rowsOf(other, words.rollback)
    expect(await names()).toEqual(['second'])
    await rowsOf(other, words.begin)
    await rowsOf(other, words.createTable('third'))
    await rowsOf(other, words.dropTable('second'))
    await rowsOf(other, words.commit)
    expect(await names()).toEqual(['third'])
    await rowsOf(session, words.createTemporary('passing'))
    expect(await names()).toEqual(['third'])
    const drop = { ifExists: false, cascade: true }
    await session.close()
    await other.close()
    const last = await openSession(engine)
    await rowsOf(last, must(engine.catalogs).dropDatabase({ catalog: CATALOG, database: 'changing' }, drop))
    expect(await names()).toBeNull()
  })

  test('knows after a crash what was committed before it', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await fixture.provider.open(space)
    const session = await place(engine, 'kept')
    await rowsOf(session, words.createTable('committed'))
    expect(await listed(engine, 'kept')).toEqual(['committed'])
    await rowsOf(session, words.begin)
    await rowsOf(session, words.createTable('open'))
    fixture.kill(engine)
    await engine.lost
    await engine.close()
    expect(await listed(await ownEngine(fixture, space), 'kept')).toEqual(['committed'])
  })
}

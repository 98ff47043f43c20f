import { expect, test } from 'vitest'
import type { Engine } from '../../engine/engine.ts'
import type { EngineSession } from '../../engine/session.ts'
import {
  failure,
  listsIn,
  must,
  openSession,
  ownEngine,
  rowsOf,
  sharedEngine,
  testSpace,
} from '../fixture.ts'
import type { Suite } from '../suite.ts'
import { lacks } from '../suite-dialect.ts'
import { newDatabase, place, WHOLE } from './place.ts'

async function tablesOf(
  engine: Engine,
  database: string,
  session?: EngineSession,
): Promise<readonly string[]> {
  const reader = session ?? (await openSession(engine))
  const lists = listsIn(engine, reader, session !== undefined)
  return (await lists.tablePage(place(database), 'table', WHOLE)).list.map(({ name }) => name)
}

/** However an engine keeps names: what it lists is what is there. */
export function currentNameTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)

  test('lists at once what was created, dropped or rolled back, by any session', async () => {
    const engine = shared.engine()
    const session = await newDatabase(engine, 'changing')
    const other = await openSession(engine, { database: 'changing' })
    const names = () => tablesOf(engine, 'changing')
    expect(await names()).toEqual([])
    await rowsOf(session, words.createTable('first'))
    expect(await names()).toEqual(['first'])
    await rowsOf(other, words.createTable('second'))
    expect(await names()).toEqual(['first', 'second'])
    expect(await failure(other, words.createTable('second'))).toMatchObject({ kind: 'data' })
    if (lacks(words, 'transactions')) return
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
  })

  const hasNone = lacks(words, 'transactions')
  test.skipIf(hasNone)('lists in a transaction what that has created, and nobody else sees it', async () => {
    const engine = shared.engine()
    const session = await newDatabase(engine, 'unfinished')
    await rowsOf(session, words.createTable('before'))
    await rowsOf(session, words.begin)
    await rowsOf(session, words.createTable('inside'))
    await rowsOf(session, words.dropTable('before'))
    expect(await tablesOf(engine, 'unfinished', session)).toEqual(['inside'])
    const lists = listsIn(engine, session, true)
    expect(await lists.objectNamed(place('unfinished'), { type: 'table', name: 'inside' })).toBe('inside')
    expect(await tablesOf(engine, 'unfinished')).toEqual(['before'])
    await rowsOf(session, words.rollback)
  })

  test('lists nothing of a database that was dropped', async () => {
    const engine = shared.engine()
    const session = await newDatabase(engine, 'leaving')
    await rowsOf(session, words.createTable('last'))
    expect(await tablesOf(engine, 'leaving')).toEqual(['last'])
    await session.close()
    const drop = must(engine.catalogs).statements.dropDatabase(place('leaving'), {
      ifExists: false,
      cascade: true,
    })
    const other = await openSession(engine)
    await rowsOf(other, drop)
    expect(await tablesOf(engine, 'leaving')).toEqual([])
    expect(await listsIn(engine, other).databaseNamed(place('leaving'))).toBeNull()
  })

  test('lists after a crash what was committed before it', async () => {
    const fixture = await open()
    const space = await testSpace()
    const engine = await fixture.provider.open(space)
    const session = await newDatabase(engine, 'kept')
    await rowsOf(session, words.createTable('committed'))
    expect(await tablesOf(engine, 'kept')).toEqual(['committed'])
    if (!lacks(words, 'transactions')) {
      await rowsOf(session, words.begin)
      await rowsOf(session, words.createTable('open'))
    }
    fixture.kill(engine)
    await engine.lost
    await engine.close()
    expect(await tablesOf(await ownEngine(fixture, space), 'kept')).toEqual(['committed'])
  })
}

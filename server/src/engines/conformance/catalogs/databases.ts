import { expect, test } from 'vitest'
import { SessionRefused } from '../../engine/session.ts'
import { cell, failure, listsIn, must, openSession, rowsOf, sharedEngine } from '../fixture.ts'
import type { Suite } from '../suite.ts'
import { keptName } from '../suite-dialect.ts'
import { newDatabase, place } from './place.ts'

export function databaseTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const statements = () => must(shared.engine().catalogs).statements

  test('creates a database, with any name, and a session in it', async () => {
    const { oddName = 'odd "name' } = words
    const session = await newDatabase(shared.engine(), oddName)
    await rowsOf(session, words.createNumbered('here', 2))
    expect(await cell(session, words.count('here'))).toBe('2')
    const elsewhere = await openSession(shared.engine())
    expect(await failure(elsewhere, words.count('here'))).toMatchObject({ kind: 'missing' })
    await rowsOf(elsewhere, statements().enter(place(oddName.toUpperCase())))
    expect(await cell(elsewhere, words.count('here'))).toBe('2')
  })

  test('creates no database twice, unless that is allowed', async () => {
    const session = await openSession(shared.engine())
    const create = statements().createDatabase(place('Twice'), { ifNotExists: false })
    await rowsOf(session, create)
    expect(await failure(session, create)).toMatchObject({ kind: 'data' })
    await rowsOf(session, statements().createDatabase(place('Twice'), { ifNotExists: true }))
  })

  test('knows a database in any letter case, and gives its true name', async () => {
    const session = await newDatabase(shared.engine(), 'Boats')
    const lists = listsIn(shared.engine(), session)
    expect(await lists.databaseNamed(place('bOATS'))).toBe(keptName(words, 'Boats'))
    expect(await lists.databaseNamed(place('no_boats'))).toBeNull()
  })

  test('drops a database that is empty, or with all that is in it, and no other', async () => {
    const session = await newDatabase(shared.engine(), 'sunk')
    const other = await openSession(shared.engine())
    const drop = (ifExists: boolean, cascade: boolean) =>
      statements().dropDatabase(place('sunk'), { ifExists, cascade })
    await rowsOf(session, words.createTable('wreck'))
    await session.close()
    expect((await failure(other, drop(false, false))).kind).toBe('data')
    await rowsOf(other, drop(false, true))
    expect(await failure(other, drop(false, true))).toMatchObject({ kind: 'missing' })
    await rowsOf(other, drop(true, true))
    const opening = openSession(shared.engine(), { database: 'sunk' })
    await expect(opening).rejects.toBeInstanceOf(SessionRefused)
    await expect(opening).rejects.toMatchObject({ error: { kind: 'missing' } })
    expect(await failure(other, statements().enter(place('sunk')))).toMatchObject({ kind: 'missing' })
  })

  test('names what is there with every catalog in small letters', () => {
    const { permanent, reserved } = must(shared.engine().catalogs)
    expect(permanent.size).toBeGreaterThan(0)
    for (const name of [...permanent, ...reserved]) expect(name).toBe(name.toLowerCase())
  })
}

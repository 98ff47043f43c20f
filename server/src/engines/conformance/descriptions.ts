import { expect, test } from 'vitest'
import { STATE, cell, cells, failure, must, openSession, rowsOf, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'

const at = (name: string) => ({ catalog: STATE.catalog, database: 'main', name })
const table = (name: string) => ({ type: 'table', ...at(name) }) as const
const all = { offset: 0, limit: 100 }

const column = (name: string, type: string, more = {}) => ({
  name,
  type,
  nullable: true,
  primaryKey: false,
  default: '',
  ...more,
})

/** The words in which the service asks what a table is made of, and changes it. */
export function descriptionTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const said = () => must(shared.engine().descriptions)

  test('makes a table of columns with any names, and tells them in their order', async () => {
    const session = await openSession(shared.engine())
    const columns = [
      column('odd "name', 'INTEGER', { nullable: false, primaryKey: true }),
      column('price', 'DECIMAL(18,2)', { default: '1.5' }),
      column("it's", 'VARCHAR', { default: "it's" }),
    ]
    await rowsOf(session, said().createTable(at('made "so'), columns))
    const told = await cells(session, said().columns(table('made "so'), all))
    expect(told.map(([name, type, nullable, key]) => [name, type, nullable, key])).toEqual([
      ['odd "name', 'INTEGER', 'false', 'PRI'],
      ['price', 'DECIMAL(18,2)', 'true', ''],
      ["it's", 'VARCHAR', 'true', ''],
    ])
    expect(told.map((row) => row.slice(6, 8))).toEqual([
      [null, null],
      ['18', '2'],
      [null, null],
    ])
    expect(told[0]?.[4]).toBeNull()
    expect(told[2]?.[4]).toContain("it''s")
    expect(await cells(session, said().columns(table('made "so'), { offset: 1, limit: 1 }))).toHaveLength(1)
    expect(await cell(session, said().definition(table('made "so')))).toContain('odd ""name')
  })

  test('tells what it knows of a table, and nothing of one that is not there', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createNumbered('counted', 3))
    const [facts] = await cells(session, said().object(table('counted')))
    expect(facts).toEqual(['', '1'])
    expect(await cell(session, said().estimate(table('counted')))).toBe('3')
    expect(await cell(session, said().countRows(table('counted')))).toBe('3')
    expect(await cells(session, said().sample(table('counted'), 2))).toHaveLength(2)
    expect(await cells(session, said().object(table('not_there')))).toEqual([])
  })

  test('tells of one table by its name what it tells by its list', async () => {
    const session = await openSession(shared.engine())
    const columns = [
      column('id', 'INTEGER', { nullable: false, primaryKey: true }),
      column('price', 'DECIMAL(18,2)', { default: '1.5' }),
      column('more', 'DECIMAL(9,3)[]'),
    ]
    await rowsOf(session, said().createTable(at('Told one'), columns))
    await rowsOf(session, said().comment(table('Told one'), "it's here", null))
    await rowsOf(session, said().comment(table('Told one'), 'what it costs', 'price'))
    const named = must(shared.engine().catalogs)
    expect(await cells(session, named.tableTold(at(''), 'told ONE'))).toEqual([['Told one']])
    expect(await cells(session, named.tableTold(at(''), 'told_two'))).toEqual([])
    const [told, listed] = [{ ...table('Told one'), isTold: true }, table('Told one')]
    for (const ask of [said().object, (place: typeof told) => said().columns(place, all)])
      expect(await cells(session, ask(told))).toEqual(await cells(session, ask(listed)))
  })

  test('tells of a table in its own transaction', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, 'BEGIN')
    await rowsOf(session, words.createTable('not_yet'))
    const named = must(shared.engine().catalogs)
    expect(await cells(session, named.tableTold(at(''), 'not_yet'))).toEqual([['not_yet']])
    const other = await openSession(shared.engine())
    expect(await cells(other, named.tableTold(at(''), 'not_yet'))).toEqual([])
    await rowsOf(session, 'ROLLBACK')
  })

  test('comments, renames and drops', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.createTable('before'))
    await rowsOf(session, said().comment(table('before'), "it's here", null))
    await rowsOf(session, said().comment(table('before'), 'a number', 'i'))
    expect((await cells(session, said().object(table('before'))))[0]?.[0]).toBe("it's here")
    expect((await cells(session, said().columns(table('before'), all)))[0]?.[8]).toBe('a number')
    await rowsOf(session, said().comment(table('before'), '', null))
    expect((await cells(session, said().object(table('before'))))[0]?.[0]).toBe('')
    await rowsOf(session, said().rename(table('before'), 'after "it'))
    expect(await cell(session, said().countRows(table('after "it')))).toBe('0')
    await rowsOf(session, said().drop(table('after "it')))
    expect(await failure(session, said().countRows(table('after "it')))).toMatchObject({ kind: 'missing' })
  })
}

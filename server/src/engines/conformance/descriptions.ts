import { expect, test } from 'vitest'
import {
  descriptionsIn,
  failure,
  must,
  openSession,
  rowsOf,
  type SharedEngine,
  sharedEngine,
  STATE,
} from './fixture.ts'
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

function columnTests(shared: SharedEngine): void {
  const statements = () => must(shared.engine().descriptions).statements
  const opened = async () => {
    const session = await openSession(shared.engine())
    return { session, descriptions: descriptionsIn(shared.engine(), session) }
  }

  test('creates a table of columns with any names, and describes them in their order', async () => {
    const { session, descriptions } = await opened()
    const columns = [
      column('odd "name', 'INTEGER', { nullable: false, primaryKey: true }),
      column('price', 'DECIMAL(18,2)', { default: '1.5' }),
      column("it's", 'VARCHAR', { default: "it's" }),
    ]
    await rowsOf(session, statements().createTable(at('made "so'), columns))
    const place = table('made "so')
    const described = await descriptions.columns(place, all)
    const plain = { length: null, precision: null, scale: null, comment: '' }
    expect(described).toEqual({
      total: 3,
      columns: [
        { ...plain, name: 'odd "name', type: 'INTEGER', nullable: false, key: 'PRI', default: null },
        {
          ...plain,
          name: 'price',
          type: 'DECIMAL(18,2)',
          nullable: true,
          key: '',
          default: expect.stringContaining('1.5'),
          precision: 18,
          scale: 2,
        },
        {
          ...plain,
          name: "it's",
          type: 'VARCHAR',
          nullable: true,
          key: '',
          default: expect.stringContaining("it''s"),
        },
      ],
    })
    expect(await descriptions.columns(place, { offset: 1, limit: 1 })).toEqual({
      total: 3,
      columns: described.columns.slice(1, 2),
    })
    expect(await descriptions.definition(place)).toContain('odd ""name')
  })
}

/** What is reported of a table, and where. */
function factTests(shared: SharedEngine, { words }: Suite): void {
  const statements = () => must(shared.engine().descriptions).statements
  const opened = async () => {
    const session = await openSession(shared.engine())
    return { session, descriptions: descriptionsIn(shared.engine(), session) }
  }

  test('reports what it knows of a table, and nothing of one that is not there', async () => {
    const { session, descriptions } = await opened()
    await rowsOf(session, words.createNumbered('counted', 3))
    expect(await descriptions.object(table('counted'))).toEqual({ comment: '', columnCount: 1 })
    expect(await descriptions.estimate(table('counted'))).toBe(3)
    expect(await descriptions.countRows(table('counted'))).toBe(3)
    expect(await descriptions.sample(table('counted'), 2)).toMatchObject({
      rows: [['0'], ['1']],
      truncated: true,
    })
    expect((await descriptions.sample(table('counted'), 3)).truncated).toBe(false)
    expect(await descriptions.object(table('not_there'))).toBeNull()
    expect(await descriptions.definition(table('not_there'))).toBeNull()
    expect(await descriptions.columns(table('not_there'), all)).toEqual({ total: 0, columns: [] })
  })

  test('lists all names of a catalog, and which tables have a column', async () => {
    const { session, descriptions } = await opened()
    await rowsOf(session, statements().createTable(at('Named'), [column('only_here', 'INTEGER')]))
    const names = await descriptions.names(STATE.catalog, 1000)
    const named = names.find(({ name }) => name === 'Named')
    expect(named).toEqual({ type: 'table', id: expect.any(String), database: 'main', name: 'Named' })
    expect(names).toContainEqual({ type: 'database', id: null, database: 'main', name: 'main' })
    expect(await descriptions.names(STATE.catalog, 1)).toHaveLength(1)
    const columns = await descriptions.columnNames(STATE.catalog, 1000)
    expect(columns.find(({ name }) => name === 'only_here')?.holders()).toEqual([named?.id])
  })

  test('describes a table in its own transaction', async () => {
    const { session, descriptions } = await opened()
    await rowsOf(session, words.begin)
    await rowsOf(session, words.createTable('not_yet'))
    expect(await descriptions.object(table('not_yet'))).toEqual({ comment: '', columnCount: 1 })
    const other = await opened()
    expect(await other.descriptions.object(table('not_yet'))).toBeNull()
    await rowsOf(session, words.rollback)
  })
}

function changeTests(shared: SharedEngine, { words }: Suite): void {
  const statements = () => must(shared.engine().descriptions).statements
  const opened = async () => {
    const session = await openSession(shared.engine())
    return { session, descriptions: descriptionsIn(shared.engine(), session) }
  }

  test('comments, renames and drops', async () => {
    const { session, descriptions } = await opened()
    await rowsOf(session, words.createTable('before'))
    const commentOf = async () => (await descriptions.object(table('before')))?.comment
    await rowsOf(session, statements().comment(table('before'), "it's here", null))
    await rowsOf(session, statements().comment(table('before'), 'a number', 'i'))
    expect(await commentOf()).toBe("it's here")
    expect((await descriptions.columns(table('before'), all)).columns[0]?.comment).toBe('a number')
    await rowsOf(session, statements().comment(table('before'), '', null))
    expect(await commentOf()).toBe('')
    await rowsOf(session, statements().rename(table('before'), 'after "it'))
    expect(await descriptions.countRows(table('after "it'))).toBe(0)
    await rowsOf(session, statements().drop(table('after "it')))
    expect(await descriptions.object(table('after "it'))).toBeNull()
    expect(await failure(session, statements().drop(table('after "it')))).toMatchObject({ kind: 'missing' })
    await rowsOf(session, statements().dropIfThere(table('after "it')))
  })
}

/** What an engine tells of its tables, and how it changes them. */
export function descriptionTests(suite: Suite): void {
  const shared = sharedEngine(suite.open)
  columnTests(shared)
  factTests(shared, suite)
  changeTests(shared, suite)
}

import { schema as schemaCalls } from '@boathouse/contract/schema'
import { describe, expect, test } from 'vitest'
import { CallError } from '../../../lib/api.ts'
import type { FailureName } from '../../../lib/api.ts'
import { catalogId, databaseId, objectId } from '../tabs/place.ts'
import type { Branch } from './schema-notes.ts'
import { schemaRows } from './schema-rows.ts'
import type { SchemaRow, SchemaTree } from './schema-rows.ts'
import type { RowList } from '../../../ui/tree/row-list.ts'

const branch = <T>(list: readonly T[] | undefined, over: Partial<Branch<T>> = {}): Branch<T> => ({
  list,
  total: list?.length ?? 0,
  error: null,
  retry: () => undefined,
  ...over,
})
const failure = (codeName: FailureName) =>
  new CallError({ codeName, code: 0, message: '', call: schemaCalls.tables })

const CATALOG = catalogId('default_catalog')
const SAMPLE = databaseId({ catalog: 'default_catalog', database: 'sample' })
const databases = ['main', 'sample'].map((name) => ({ name, databaseId: name }))
const every = (rows: RowList<SchemaRow>): SchemaRow[] =>
  Array.from({ length: rows.length }, (_, at) => rows.at(at)).filter((row) => row !== undefined)

const TREE: SchemaTree = {
  catalogs: branch([
    { name: 'default_catalog', type: 'Internal' },
    { name: 'lake', type: 'External' },
  ]),
  databases: new Map([[CATALOG, branch(databases)]]),
  tables: new Map([[SAMPLE, branch(['nation', 'region'])]]),
  views: new Map([[SAMPLE, branch(['europe'])]]),
  materialized: new Map([[SAMPLE, branch<never>([])]]),
  columns: new Map(),
}

const listOf = (over: Partial<SchemaTree> = {}, filter = '', open = [CATALOG, SAMPLE]) =>
  schemaRows(
    { ...TREE, ...over },
    {
      openRows: new Set(open),
      filter,
      found: new Map(),
      say: (kind, contents, count) => `${kind} ${contents}${kind === 'more' ? ` ${count}` : ''}`,
    },
  )
const rowsOf = (...args: Parameters<typeof listOf>) => every(listOf(...args))
const drawn = (...args: Parameters<typeof rowsOf>) =>
  rowsOf(...args).map(({ level, name }) => `${'  '.repeat(level - 1)}${name}`)

describe('the tree of catalogs', () => {
  test('shows databases of open catalogs, and tables and views of open databases', () => {
    expect(drawn()).toEqual([
      'default_catalog',
      '  main',
      '  sample',
      '    nation',
      '    region',
      '    europe',
      'lake',
    ])
    expect(drawn({}, '', [CATALOG])).toEqual(['default_catalog', '  main', '  sample', 'lake'])
    expect(drawn({}, '', [SAMPLE])).toEqual(['default_catalog', 'lake'])
  })

  test('gives each row its place among its siblings', () => {
    const [, , sample, , , europe] = rowsOf()
    expect(sample).toMatchObject({ level: 2, posInSet: 2, setSize: 2, parentId: CATALOG, expanded: true })
    expect(europe).toMatchObject({ kind: 'view', level: 3, posInSet: 3, setSize: 3, parentId: SAMPLE })
  })

  test('filtered, keeps what leads to a match, and all of what matches itself', () => {
    expect(drawn({}, 'EUR')).toEqual(['default_catalog', '  sample', '    europe'])
    expect(drawn({}, 'sam')).toEqual([
      'default_catalog',
      '  sample',
      '    nation',
      '    region',
      '    europe',
    ])
    expect(drawn({}, 'lake')).toEqual(['lake'])
    expect(drawn({}, 'nowhere')).toEqual([])
  })
})

describe('below a row', () => {
  const below = (over: Partial<SchemaTree>) =>
    drawn(over)
      .slice(3, -1)
      .map((line) => line.trim())
  const tablesAre = (one: Branch<string>) => ({ tables: new Map([[SAMPLE, one]]) })

  test('says that it is being loaded, once for tables and views', () => {
    expect(below({ tables: new Map(), views: new Map(), materialized: new Map() })).toEqual([
      'loading objects',
    ])
    expect(below({ views: new Map() })).toEqual(['loading views', 'nation', 'region'])
  })

  test('says that there is nothing', () => {
    const empty = {
      tables: new Map([[SAMPLE, branch<string>([])]]),
      views: new Map([[SAMPLE, branch<string>([])]]),
    }
    expect(below(empty)).toEqual(['empty objects'])
    expect(drawn({ databases: new Map([[CATALOG, branch([])]]) })).toContain('  empty databases')
  })

  test('says what could not be loaded, with a way to try again, beside what could', () => {
    let tries = 0
    const failed = branch<never>(undefined, { error: failure('Unavailable'), retry: () => tries++ })
    expect(below(tablesAre(failed))).toEqual(['failed tables', 'europe'])
    rowsOf(tablesAre(failed))
      .find(({ kind }) => kind === 'failed')
      ?.retry?.()
    expect(tries).toBe(1)
    expect(
      below({
        ...tablesAre(failed),
        views: new Map([[SAMPLE, failed]]),
        materialized: new Map([[SAMPLE, failed]]),
      }),
    ).toEqual(['failed objects'])
    rowsOf({
      ...tablesAre(failed),
      views: new Map([[SAMPLE, failed]]),
      materialized: new Map([[SAMPLE, failed]]),
    })
      .find(({ kind }) => kind === 'failed')
      ?.retry?.()
    expect(tries).toBe(4)
  })

  test('says what the user has no access to, without a way to try again', () => {
    const denied = tablesAre(branch<never>(undefined, { error: failure('NoPermission') }))
    expect(below(denied)).toEqual(['denied tables', 'europe'])
    expect(rowsOf(denied).find(({ kind }) => kind === 'denied')?.retry).toBeUndefined()
  })

  test('a list stays when it cannot be refreshed, and the tree says so', () => {
    const old = (codeName: FailureName) => tablesAre(branch(['nation'], { error: failure(codeName) }))
    expect(below(old('Unavailable'))).toEqual(['old tables', 'nation', 'europe'])
    // Dropped a moment ago: the list of databases is on its way.
    expect(below(old('NotFound'))).toEqual(['nation', 'europe'])
  })

  test('says how many more there are than can be shown', () => {
    expect(below(tablesAre(branch(['nation'], { total: 100_001 })))).toEqual([
      'nation',
      'more tables 100000',
      'europe',
    ])
  })
})

test('pain 21: a hundred thousand tables are laid out, and searched, within a moment', () => {
  const many = Array.from({ length: 100_000 }, (_, at) => `events_${at}`)
  const over = { tables: new Map([[SAMPLE, branch(many)]]) }
  const began = process.cpuUsage()
  const all = listOf(over)
  expect(all.length).toBe(100_005)
  const last = objectId({ catalog: 'default_catalog', database: 'sample' }, 'table', 'events_99999')
  expect(all.at(all.indexOf(last))).toMatchObject({ id: last, posInSet: 100_000, setSize: 100_001 })
  expect(listOf(over, 'events_9999').length).toBe(2 + 11)
  const { user, system } = process.cpuUsage(began)
  // Of the processor, and generous: it takes a twentieth of it.
  expect((user + system) / 1000).toBeLessThan(2_000)
})

describe('columns', () => {
  const place = { catalog: 'default_catalog', database: 'sample' }
  const NATION = objectId(place, 'table', 'nation')
  const column = (name: string) => ({
    name,
    type: 'BIGINT',
    nullable: true,
    primaryKey: false,
    default: null,
    length: null,
    precision: null,
    scale: null,
    comment: '',
  })
  const columns = new Map([[NATION, branch(['n_key', 'n_name'].map(column))]])
  const open = [CATALOG, SAMPLE, NATION]

  test('of a table that is open are below it, with their types', () => {
    expect(drawn({ columns }, '', open).slice(2, 7)).toEqual([
      '  sample',
      '    nation',
      '      n_key',
      '      n_name',
      '    region',
    ])
    const [, , , nation, key] = rowsOf({ columns }, '', open)
    expect(nation).toMatchObject({ kind: 'table', expanded: true, posInSet: 1, setSize: 3 })
    expect(key).toMatchObject({ kind: 'column', level: 4, parentId: NATION, setSize: 2, hint: 'BIGINT' })
    expect(rowsOf({ columns }, '', open)[6]).toMatchObject({ name: 'region', posInSet: 2, expanded: false })
  })

  test('are filtered with the table that holds a match, or are all there below one that matches', () => {
    expect(drawn({ columns }, 'n_n', open)).toEqual([
      'default_catalog',
      '  sample',
      '    nation',
      '      n_name',
    ])
    expect(drawn({ columns }, 'nation', open).slice(2)).toEqual(['    nation', '      n_key', '      n_name'])
  })

  test('that are loading or could not be loaded are shown below their table', () => {
    expect(drawn({ columns: new Map([[NATION, branch<never>(undefined)]]) }, '', open)[4]).toBe(
      '      loading columns',
    )
    const failed = branch<never>(undefined, { error: failure('Unavailable') })
    expect(drawn({ columns: new Map([[NATION, failed]]) }, '', open)[4]).toBe('      failed columns')
  })
})

test('what a search finds in a database that is closed is shown in it', () => {
  const MAIN = databaseId({ catalog: 'default_catalog', database: 'main' })
  const shown = {
    openRows: new Set([CATALOG]),
    filter: 'oar',
    say: () => '',
    found: new Map([[MAIN, [{ kind: 'view' as const, name: 'long_oars' }]]]),
  }
  const rows = every(schemaRows(TREE, shown))
  expect(rows.map(({ name }) => name)).toEqual(['default_catalog', 'main', 'long_oars'])
  expect(rows[1]).toMatchObject({ expanded: true })
  expect(rows[2]).toMatchObject({ kind: 'view', level: 3, parentId: MAIN })
})

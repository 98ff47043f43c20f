import { expect, onTestFinished, test } from 'vitest'
import { CLIENT, startCatalogDoor } from '../../testing/iceberg-kit.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createOutsideRequests } from '../bucket/outside-requests.ts'
import type { IcebergPlace } from './iceberg-catalog.ts'
import { Memory } from './memory.ts'
import { createRestCatalogs } from './rest-catalogs.ts'

const NEVER = new AbortController().signal

/** As the metadata of a table is written, as far as it is read here. */
const metadata = (more: object = {}): string =>
  JSON.stringify({
    'format-version': 2,
    location: 's3://harbour/warehouse/t',
    'current-schema-id': 0,
    schemas: [
      { 'schema-id': 0, type: 'struct', fields: [{ id: 1, name: 'n', required: false, type: 'long' }] },
    ],
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    properties: {},
    'current-snapshot-id': -1,
    snapshots: [],
    ...more,
  })

const NAMES = Array.from({ length: 60 }, (_, at) => `t${String(at).padStart(2, '0')}`)

async function setUp({
  tables = Object.fromEntries(NAMES.map((name) => [`sea.${name}`, metadata()])),
  namespaces = [['sea'], ['air'], ['land'], ['sea', 'north'], ['sea', 'north', 'far']],
  vended,
  silenceMs = 60_000,
  memory,
  ...more
}: {
  tables?: Record<string, string>
  namespaces?: string[][]
  vended?: Record<string, string>
  silenceMs?: number
  memory?: Memory
} & Partial<IcebergPlace> = {}) {
  const door = await startCatalogDoor({ namespaces, tables, ...(vended && { vended }) })
  onTestFinished(() => door.stop())
  const requests = createOutsideRequests({ openEndpoints: [new URL(door.url).origin], silenceMs })
  onTestFinished(() => requests.close())
  const clock = fakeClock()
  const place: IcebergPlace = {
    url: `${door.url}/`,
    warehouse: 'harbour',
    credential: CLIENT,
    oauthUrl: '',
    oauthScope: '',
    endpoint: '',
    region: 'eu-central-1',
    keys: { accessKey: 'a', secretKey: 'b' },
    ...more,
  }
  const catalogs = createRestCatalogs({ requests, clock, ...(memory && { memory }) })
  return { door, clock, catalogs, place, catalog: catalogs.open(place) }
}

test('namespaces in namespaces and tables are read page by page, and again after a while', async () => {
  const { door, clock, catalog } = await setUp()
  const first = await catalog.tables(null, NEVER)
  expect(first.databases.toSorted()).toEqual(['air', 'land', 'sea', 'sea.north', 'sea.north.far'])
  const second = await catalog.tables(first.next, NEVER)
  expect(second.next).toBeNull()
  expect([...first.tables, ...second.tables].map(({ name }) => name)).toEqual(NAMES)
  const { length } = door.asked
  await catalog.tables(null, NEVER)
  expect(door.asked).toHaveLength(length)
  expect(door.asked.filter((one) => one.startsWith('POST'))).toHaveLength(1)
  clock.advance(6_000)
  await catalog.tables(null, NEVER)
  expect(door.asked.length).toBeGreaterThan(length)
})

test('a token is renewed before it ends, and once when it ended before its time', async () => {
  const { door, clock, catalog } = await setUp({ tables: {} })
  const tokens = () => door.asked.filter((one) => one.startsWith('POST')).length
  await catalog.tables(null, NEVER)
  door.endTokens()
  clock.advance(6_000)
  await catalog.tables(null, NEVER)
  expect(tokens()).toBe(2)
  clock.advance(3_600_000)
  await catalog.tables(null, NEVER)
  expect(tokens()).toBe(3)
  door.instead = (request, response) =>
    request.method === 'GET' ? (response.writeHead(401).end(), true) : false
  clock.advance(6_000)
  await expect(catalog.tables(null, NEVER)).rejects.toThrow(
    'does not accept the credential, or that has expired',
  )
})

test.each([
  ['3600', 1],
  ['soon', 2],
  [0, 2],
  [-1, 2],
  [null, 2],
] as const)(
  'a token that ends after %j seconds is a token, good for five minutes when that is no time',
  async (life, asked) => {
    const { door, clock, catalog } = await setUp({ tables: {} })
    let tokens = 0
    door.instead = (request, response) => {
      const path = new URL(request.url ?? '', 'http://door').pathname
      if (path.endsWith('/tokens')) tokens++
      const answer = path.endsWith('/tokens')
        ? { access_token: 'x', token_type: 'bearer', expires_in: life }
        : path.endsWith('/config')
          ? {}
          : { namespaces: [] }
      response.end(JSON.stringify(answer))
      return true
    }
    await catalog.tables(null, NEVER)
    clock.advance(200_000)
    await catalog.tables(null, NEVER)
    expect(tokens).toBe(1)
    clock.advance(100_000)
    await catalog.tables(null, NEVER)
    expect(tokens).toBe(asked)
  },
)

test('a namespace without access does not hide the others', async () => {
  const { door, catalog } = await setUp({ tables: { 'sea.a': metadata(), 'sea.b': metadata() } })
  door.instead = (request, response) => {
    const status = request.url?.includes('/air/tables') ? 403 : request.url?.includes('/tables/b') ? 404 : 0
    if (status > 0) response.writeHead(status).end()
    return status > 0
  }
  const { tables, ignored } = await catalog.tables(null, NEVER)
  expect(ignored).toEqual([expect.stringContaining('the tables of air are not listed')])
  expect(tables.map(({ content }) => typeof content)).toEqual(['object', 'string'])
})

test('no two namespaces are one database, and no table answers for another one', async () => {
  const at = (location: string) => metadata({ location: `s3://harbour/${location}` })
  const { door, catalog } = await setUp({
    namespaces: [['a.b'], ['a.b', 'c'], ['a'], ['a', 'b']],
    tables: { 'a.b.t': at('theirs'), 'a.b\u001fc.t': at('theirs'), 'a\u001fb.t': at('ours') },
  })
  const { databases, tables, ignored } = await catalog.tables(null, NEVER)
  expect(databases).toEqual(['a', 'a.b'])
  expect(tables.filter(({ database }) => database === 'a.b')).toMatchObject([
    { name: 't', content: { roots: ['ours'] } },
  ])
  expect(ignored).toEqual(['the namespace ["a.b"] is not shown: a part of its name has a dot in it'])
  expect(door.asked.filter((path) => path.includes('a.b'))).toEqual([])
  await expect(catalog.fileOf('a.b/t/theirs/x.parquet', NEVER)).rejects.toThrow('has no such file')
  expect(await catalog.fileOf('a.b/t/ours/x.parquet', NEVER)).toMatchObject({ key: 'ours/x.parquet' })
})

test('what would be read wrongly is refused, table by table, with its reason', async () => {
  const struct = (id: number, ...fields: [number, string][]) => ({
    'schema-id': id,
    type: 'struct',
    fields: [
      {
        id: 1,
        name: 's',
        type: {
          type: 'list',
          'element-id': 9,
          element: { type: 'struct', fields: fields.map(([at, name]) => ({ id: at, name, type: 'long' })) },
        },
      },
    ],
  })
  const cases: Record<string, [object, string | null]> = {
    'sea.add': [
      { schemas: [struct(0, [2, 'x']), struct(1, [2, 'x'], [3, 'y'])], 'current-schema-id': 1 },
      null,
    ],
    'sea.bucket': [{ location: 's3://NOT_A_BUCKET/x' }, 'no bucket has'],
    'sea.gone': [{ 'current-snapshot-id': 5 }, 'does not have its current snapshot'],
    'sea.history': [{ schemas: [struct(3, [2, 'x'])], 'current-schema-id': 3 }, 'were called before'],
    'sea.huge': [
      { schemas: [struct(2 ** 40, [2, 'x'])], 'current-schema-id': 2 ** 40 },
      'were called before',
    ],
    'sea.local': [{ location: 'file:///etc' }, 'do not lie in a bucket'],
    'sea.none': [{ schemas: [{ 'schema-id': 0, fields: [] }] }, 'no columns'],
    'sea.old': [
      { schemas: [struct(0, [2, 'x'])], schema: struct(0, [2, 'x']), 'current-schema-id': 1 },
      'does not have its current schema',
    ],
    'sea.other': [
      { 'current-snapshot-id': 5, snapshots: [{ 'snapshot-id': 5, 'manifest-list': 's3://other/x' }] },
      'does not lie in the folder of the table',
    ],
    'sea.renamed': [
      { schemas: [struct(0, [2, 'x']), struct(1, [2, 'y'])], 'current-schema-id': 1 },
      'parts of its column s were renamed',
    ],
    'sea.reused': [
      { schemas: [struct(0, [2, 'x']), struct(1, [3, 'x'])], 'current-schema-id': 1 },
      'have the name of one that was dropped',
    ],
    'sea.three': [{ 'format-version': 3 }, 'version 3 of the Iceberg format'],
    'sea.wrong': [{ schemas: 'nonsense' }, 'no metadata of a table'],
    'sea.zero': [{ 'format-version': 0 }, 'version 0 of the Iceberg format'],
  }
  const tables = Object.fromEntries(Object.entries(cases).map(([name, [more]]) => [name, metadata(more)]))
  const { catalog } = await setUp({ tables })
  const described = (await catalog.tables(null, NEVER)).tables.map(({ name, content }) => [
    `sea.${name}`,
    typeof content === 'string' ? content : null,
  ])
  expect(described).toEqual(
    Object.entries(cases).map(([name, [, why]]) => [
      name,
      why === null ? null : expect.stringContaining(why),
    ]),
  )
})

test('metadata that would take long to look into is refused before it is', async () => {
  const column = (id: number, type: unknown = 'int') => ({ id, name: `c${id}`, type })
  const columns = (count: number) => Array.from({ length: count }, (_, at) => column(at + 1))
  const schemas = (count: number, fields: object[]) => ({
    schemas: Array.from({ length: count }, (_, at) => ({ 'schema-id': at, fields })),
  })
  let deep: unknown = 'int'
  for (let level = 0; level < 200; level++) deep = { type: 'list', 'element-id': 2, element: deep }
  let chain: unknown = { type: 'struct', fields: columns(3_000) }
  for (let level = 0; level < 30; level++)
    chain = { type: 'struct', fields: [{ id: 10_000 + level, name: 'x'.repeat(1000), type: chain }] }
  const small = { type: 'struct', fields: [column(2)] }
  const cases: Record<string, [object, string | null]> = {
    'sea.a-long': [schemas(1, [{ ...column(1), name: 'x'.repeat(1001) }]), 'no metadata of a table'],
    'sea.b-deep': [schemas(1, [column(1, deep)]), 'more than 32 levels'],
    'sea.c-wide': [schemas(1, columns(10_001)), 'more than 10000 columns'],
    'sea.d-all': [schemas(12, columns(5_000)), 'more than 50000 columns'],
    'sea.e-many': [schemas(1_001, [column(1)]), 'more than 1000 schemas'],
    'sea.f-same': [
      schemas(
        4,
        Array.from({ length: 4_500 }, () => column(1, small)),
      ),
      'two of its columns have the same id',
    ],
    'sea.g-chain': [schemas(9, [column(1, chain)]), null],
    'sea.h-versions': [schemas(1_000, [column(1, small), ...columns(20).slice(2)]), null],
  }
  const { catalog } = await setUp({
    tables: Object.fromEntries(Object.entries(cases).map(([name, [more]]) => [name, metadata(more)])),
  })
  const { tables } = await catalog.tables(null, NEVER)
  expect(tables.map(({ content }) => (typeof content === 'string' ? content : null))).toEqual(
    Object.values(cases).map(([, why]) => (why === null ? null : expect.stringContaining(why))),
  )
})

test('the current snapshot is found by an id that is longer than a number', async () => {
  const text = metadata().replace(
    '"current-snapshot-id":-1,"snapshots":[]',
    `"current-snapshot-id":4611686018427387905,"snapshots":[
      {"snapshot-id":4611686018427387904,"manifest-list":"s3://harbour/warehouse/t/a"},
      {"snapshot-id":4611686018427387905,"manifest-list":"s3a://harbour/warehouse/t/b"}]`,
  )
  const { catalog } = await setUp({ tables: { 'sea.a': text } })
  const [table] = (await catalog.tables(null, NEVER)).tables
  expect(table?.content).toMatchObject({ manifestList: 'warehouse/t/b', roots: ['warehouse/t'] })
})

test('without a current snapshot, that of the branch main is the current one', async () => {
  const described = {
    snapshots: [{ 'snapshot-id': 5, 'manifest-list': 's3://harbour/warehouse/t/a' }],
    refs: { main: { 'snapshot-id': 5, type: 'branch' } },
  }
  const { catalog } = await setUp({
    tables: {
      'sea.a': metadata({ ...described, 'current-snapshot-id': undefined }),
      'sea.b': metadata({ ...described, 'current-snapshot-id': null }),
      'sea.c': metadata({ ...described, 'current-snapshot-id': undefined, refs: {} }),
      'sea.d': metadata({ ...described, 'current-snapshot-id': null, snapshots: [] }),
    },
  })
  const contents = (await catalog.tables(null, NEVER)).tables.map(({ content }) => content)
  expect(contents).toEqual([
    expect.objectContaining({ manifestList: 'warehouse/t/a' }),
    expect.objectContaining({ manifestList: 'warehouse/t/a' }),
    expect.objectContaining({ manifestList: null }),
    'its metadata does not have its current snapshot',
  ])
})

test('keys of the server are those of the nearest prefix, and are renewed before they expire', async () => {
  const { door, clock, catalog } = await setUp({
    tables: { 'sea.a': metadata() },
    keys: null,
    vended: {
      's3.access-key-id': 'id',
      's3.secret-access-key': 'secret',
      's3.session-token': 'session',
      's3.session-token-expires-at-ms': String(fakeClock().now().getTime() + 60_000),
    },
  })
  const file = await catalog.fileOf('sea/a/warehouse/t/x.parquet', NEVER)
  expect(file).toEqual({
    key: 'warehouse/t/x.parquet',
    place: {
      endpoint: '',
      region: 'eu-central-1',
      bucket: 'harbour',
      prefix: '',
      accessKey: 'id',
      secretKey: 'secret',
      sessionToken: 'session',
    },
  })
  const { length } = door.asked
  await catalog.fileOf('sea/a/warehouse/t/x.parquet', NEVER)
  expect(door.asked).toHaveLength(length)
  clock.advance(40_000)
  await catalog.fileOf('sea/a/warehouse/t/x.parquet', NEVER)
  expect(door.asked.length).toBeGreaterThan(length)
  for (const key of [
    'sea/a/warehouse/other',
    'sea/b/warehouse/t/x',
    'warehouse/t/x',
    '%/a/warehouse/t/x',
    '',
  ])
    await expect(catalog.fileOf(key, NEVER)).rejects.toThrow('has no such file')
})

test('slowness, nonsense, floods and redirects are reported as such, and no word of the server is repeated', async () => {
  const slow = await setUp({ credential: 'token', silenceMs: 300 })
  slow.door.instead = () => true
  await expect(slow.catalog.tables(null, NEVER)).rejects.toThrow('does not answer within 0.3 s')
  const { door, catalog } = await setUp({ credential: 'token' })
  for (const [instead, why] of [
    [
      (_: unknown, response: Response) => (response.end('secret words'), true),
      'not that of an Iceberg REST catalog',
    ],
    [(_: unknown, response: Response) => (response.end('x'.repeat(5_000_000)), true), 'far too long'],
    [
      (_: unknown, response: Response) => (
        response.writeHead(301, { location: 'http://127.0.0.1:1' }).end(),
        true
      ),
      'leads on to another place',
    ],
    [
      (_: unknown, response: Response) => (response.writeHead(500).end('secret words'), true),
      'reported an internal error',
    ],
    [(_: unknown, response: Response) => (response.destroy(), true), 'hangs up'],
  ] as const) {
    door.instead = instead as typeof door.instead
    await expect(catalog.tables(null, NEVER)).rejects.toThrow(why)
  }
  expect(new Set(door.asked)).toEqual(new Set(['GET /iceberg/v1/config']))
})

/** Answers to every question for names or a table. */
const saying =
  (answer: (path: string, token: number) => object | null): NonNullable<Door['instead']> =>
  (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://door')
    const said = answer(pathname.replace('/iceberg/v1/wh/1/', ''), Number(searchParams.get('pageToken') ?? 0))
    if (said) response.end(JSON.stringify(said))
    return said !== null
  }

test('a server that sends names without end is refused at the first one too many', async () => {
  const many = (count: number, from = 0) => Array.from({ length: count }, (_, at) => `n${from + at}`)
  const asTables = (names: string[]) => names.map((name) => ({ namespace: ['sea'], name }))
  for (const [answer, why, most] of [
    [
      (path: string, token: number) =>
        path === 'namespaces'
          ? { namespaces: many(400, token * 400).map((name) => [name]), 'next-page-token': `${token + 1}` }
          : null,
      'more than 1000 namespaces',
      6,
    ],
    [
      (path: string, token: number) =>
        path.endsWith('/tables')
          ? { identifiers: asTables(many(400, token * 400)), 'next-page-token': `${token + 1}` }
          : null,
      'more than 1000 tables',
      30,
    ],
    [
      (path: string) => (path === 'namespaces' ? { namespaces: many(1001).map((name) => [name]) } : null),
      'more than 1000 namespaces',
      4,
    ],
    [
      (path: string) =>
        path.endsWith('/tables')
          ? { identifiers: asTables(many(300).map((n) => n + 'x'.repeat(990))) }
          : null,
      'characters of names',
      30,
    ],
  ] as const) {
    const { door, catalog } = await setUp({ tables: {} })
    door.instead = saying(answer)
    await expect(catalog.tables(null, NEVER)).rejects.toThrow(why)
    expect(door.asked.length).toBeLessThan(most)
  }
})

test('no more is remembered of a catalog than there is room for, and what is beyond is refused', async () => {
  const fields = Array.from({ length: 900 }, (_, at) => ({
    id: at + 1,
    name: `${at}${'x'.repeat(990)}`,
    type: 'long',
  }))
  const large = metadata({ schemas: [{ 'schema-id': 0, fields }] })
  const names = NAMES.slice(0, 40)
  const { catalog } = await setUp({ tables: Object.fromEntries(names.map((name) => [`sea.${name}`, large])) })
  const contents: unknown[] = []
  let after: string | null = null
  do {
    const page = await catalog.tables(after, NEVER)
    contents.push(...page.tables.map(({ content }) => content))
    after = page.next
  } while (after !== null)
  expect(contents).toHaveLength(40)
  expect(contents.findIndex((content) => typeof content === 'string')).toBeGreaterThan(30)
  expect(contents.at(-1)).toContain('is more than 32 MB')
})

test('the cache of all catalogs together is bounded, and the least recently used are evicted', async () => {
  const fields = Array.from({ length: 100 }, (_, at) => ({
    id: at + 1,
    name: `${at}${'x'.repeat(990)}`,
    type: 'long',
  }))
  const wide = metadata({ schemas: [{ 'schema-id': 0, fields }] })
  const tables = Object.fromEntries(NAMES.slice(0, 12).map((name) => [`sea.${name}`, wide]))
  // Room for what is being read, and for the tables of one catalog and some of another.
  const memory = new Memory(33.5 * 1024 * 1024)
  const { catalog, catalogs, place, door } = await setUp({ tables, memory })
  const others = [1, 2].map(() => catalogs.open(place))
  const asks = async (one: typeof catalog) => {
    const before = door.asked.length
    expect((await one.tables(null, NEVER)).tables).toHaveLength(12)
    return door.asked.slice(before).filter((path) => path.includes('/tables/')).length
  }
  expect(await asks(catalog)).toBe(12)
  expect(await asks(catalog)).toBe(0)
  for (const other of others) expect(await asks(other)).toBe(12)
  expect(await asks(others[1] ?? catalog)).toBe(0)
  expect(await asks(catalog)).toBeGreaterThan(0)
})

type Door = Awaited<ReturnType<typeof startCatalogDoor>>
type Response = Parameters<NonNullable<Awaited<ReturnType<typeof startCatalogDoor>>['instead']>>[1]

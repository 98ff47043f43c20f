import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { keyInTable, OutsideRefused, type OutsideTable } from '../../kernel/outside.ts'
import { MINUTES, fakeClock } from '../../testing/fake-clock.ts'
import { GLUE_KEYS, type MadeTable, refusing, ROLE_KEYS, startGlue } from '../../testing/glue-server.ts'
import type { BucketPlace, Buckets } from '../bucket/bucket.ts'
import { createOutsideRequests } from '../bucket/outside-requests.ts'
import { Memory } from '../iceberg/memory.ts'
import type { HiveCatalog, TableStorage } from '../hive/hive-catalog.ts'
import { createHiveCatalogs } from '../hive/hive-catalogs.ts'
import { createGlueKeeper } from './glue-keeper.ts'

const stop = new AbortController().signal

const serde = (name: string, Parameters: Record<string, string> = {}) => ({
  SerializationLibrary: `org.apache.hadoop.hive.${name}`,
  Parameters,
})
const PARQUET = serde('ql.io.parquet.serde.ParquetHiveSerDe')

const made = (Name: string, more: Record<string, unknown> = {}, storage: object = {}): MadeTable => ({
  Name,
  TableType: 'EXTERNAL_TABLE',
  CreateTime: 1.7e9,
  StorageDescriptor: {
    Columns: [{ Name: 'id', Type: 'bigint' }],
    Location: `s3://harbour/lake/${Name}/`,
    SerdeInfo: PARQUET,
    ...storage,
  },
  ...more,
})

/** Objects of buckets in memory, in pages of two, by `bucket/key`. */
function memoryBuckets() {
  const objects = new Map<string, string>()
  const places: BucketPlace[] = []
  const buckets: Buckets = {
    async list(place, after) {
      places.push(place)
      const below = [place.bucket, place.prefix].filter((part) => part !== '').join('/')
      const keys = [...objects.keys()].filter((key) => key.startsWith(`${below}/`)).toSorted()
      const begin = Number(after ?? 0)
      const some = keys.slice(begin, begin + 2).map((key) => ({
        key: key.slice(below.length + 1),
        size: objects.get(key)?.length ?? 0,
        etag: '"e"',
        changedAt: new Date(0),
      }))
      return { objects: some, next: begin + 2 < keys.length ? String(begin + 2) : null }
    },
    async read(place, { key }) {
      places.push(place)
      const content = objects.get(`${place.bucket}/${key}`)
      if (content === undefined) throw new OutsideRefused('missing', 'it is not there')
      return { length: content.length, body: Readable.from([Buffer.from(content)]) }
    },
  }
  return { objects, places, buckets }
}

async function setUp(keys: TableStorage['keys'] = async () => GLUE_KEYS) {
  const glue = await startGlue()
  const requests = createOutsideRequests({ openEndpoints: [glue.url] })
  onTestFinished(() => requests.close())
  const clock = fakeClock()
  const waits: number[] = []
  const { objects, places, buckets } = memoryBuckets()
  const catalogs = createHiveCatalogs({ buckets, clock, memory: new Memory() })
  const parts = { requests, glueUrl: glue.url, clock, wait: async (ms: number) => void waits.push(ms) }
  const open = (more: Partial<TableStorage> = {}) => {
    const storage = { region: 'eu-central-1', endpoint: '', keys, ...more }
    return catalogs.open(createGlueKeeper(storage, parts), storage)
  }
  return { glue, catalog: open(), open, clock, waits, objects, places }
}

async function allTables(catalog: HiveCatalog) {
  const tables: OutsideTable[] = []
  let after: string | null = null
  for (;;) {
    const page = await catalog.tables(after, stop)
    tables.push(...page.tables)
    if (page.next === null) return { ...page, tables }
    after = page.next
  }
}

async function allFiles(catalog: HiveCatalog, database: string, name: string) {
  const files: string[] = []
  let after: string | null = null
  do {
    const page = await catalog.files({ database, name, after }, stop)
    files.push(...page.files.map(({ key, values }) => [key, ...values].join(' ')))
    after = page.next
  } while (after !== null)
  return files
}

test('keys that AWS does not know, wrong secrets, ended tokens and another region are refused in words', async () => {
  const { glue, open } = await setUp()
  glue.databases.set('sales', [])
  const why = async (more: Partial<TableStorage>) => {
    try {
      await open(more).tables(null, stop)
      return ''
    } catch (error) {
      return error instanceof OutsideRefused ? error.message : String(error)
    }
  }
  const withKeys = (more: object) => why({ keys: async () => ({ ...GLUE_KEYS, ...more }) })
  expect(await withKeys({ accessKey: 'AKIANOBODY' })).toBe('the access key is not known to AWS Glue')
  expect(await withKeys({ secretKey: 'x' })).toContain('the secret key is wrong')
  expect(await withKeys({ ...ROLE_KEYS, sessionToken: 'old' })).toBe('the credentials have expired')
  expect(await why({ region: 'eu-west-1' })).toContain('the secret key is wrong')
  expect(await withKeys(ROLE_KEYS)).toBe('')
  const unregistered = new OutsideRefused('refused', 'the IAM role is not registered in this account')
  expect(await why({ keys: () => Promise.reject(unregistered) })).toBe(unregistered.message)
  expect(glue.asked).toHaveLength(6)
})

test('all databases and tables are found, page by page, and remembered for some seconds', async () => {
  const { glue, catalog, clock } = await setUp()
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const database of ['one', 'two', 'three'])
    glue.databases.set(
      database,
      names.map((name) => made(name)),
    )
  const { databases, tables, ignored } = await allTables(catalog)
  expect(databases).toEqual(['one', 'two', 'three'])
  expect(tables.map(({ database, name }) => `${database}.${name}`)).toEqual(
    ['one', 'three', 'two'].flatMap((database) => names.map((name) => `${database}.${name}`)),
  )
  expect(ignored).toEqual([])
  const before = glue.asked.length
  await allTables(catalog)
  expect(glue.asked).toHaveLength(before)
  glue.databases.get('one')?.push(made('f'))
  clock.advance(6_000)
  expect((await allTables(catalog)).tables).toHaveLength(16)
})

test('a database without access does not hide the others; when there is no access at all, that is said', async () => {
  const { glue, catalog, open, clock } = await setUp()
  glue.databases.set('open', [made('a')])
  glue.databases.set('closed', [made('a')])
  glue.denied.add('closed')
  const { databases, tables, ignored } = await allTables(catalog)
  expect([databases, tables.length]).toEqual([['open', 'closed'], 1])
  expect(ignored).toEqual(['the tables of closed are not listed: its policy does not allow glue:GetTables'])
  glue.denied.add('open')
  clock.advance(6_000)
  await expect(catalog.tables(null, stop)).rejects.toThrow('its policy does not allow glue:GetTables')
  glue.faults.push(refusing('AccessDeniedException'))
  await expect(open().tables(null, stop)).rejects.toThrow('its policy does not allow glue:GetDatabases')
  glue.databases.clear()
  expect((await open().tables(null, stop)).ignored).toEqual([
    'AWS Glue has no databases in the region eu-central-1 that these credentials may see',
  ])
})

test('AWS is asked again when it asks for that, three times in all, with growing waits', async () => {
  const { glue, catalog, open, waits } = await setUp()
  glue.databases.set('sales', [])
  glue.faults.push(refusing('ThrottlingException'), refusing('com.amazon#InternalServiceException', 500))
  expect((await catalog.tables(null, stop)).databases).toEqual(['sales'])
  expect(waits).toHaveLength(2)
  expect(waits[0]).toBeLessThanOrEqual(1_000)
  expect(waits[1]).toBeLessThanOrEqual(2_000)
  for (let count = 0; count < 3; count++) glue.faults.push(refusing('ThrottlingException'))
  await expect(open().tables(null, stop)).rejects.toThrow('is asked too often at this moment')
  expect(glue.faults).toEqual([])
})

test.each([
  ['no JSON', 'the answer of AWS Glue is no JSON'],
  ['[]', 'the answer of AWS Glue is not one to GetDatabases'],
  ['{"DatabaseList":[{"Name":7}]}', 'the answer of AWS Glue is not one to GetDatabases'],
  ['['.repeat(100_000), 'the answer of AWS Glue is no JSON'],
  [`{"DatabaseList":[],"x":"${'x'.repeat(5_000_000)}"}`, 'its answer is far too long'],
])('an invalid answer is reported, and none of it is repeated: %s', async (answer, why) => {
  const { glue, catalog } = await setUp()
  glue.faults.push((response) => void response.end(answer))
  await expect(catalog.tables(null, stop)).rejects.toThrow(why)
})

test('lists without end, and more tables than are shown, are refused', async () => {
  const { glue, catalog, open } = await setUp()
  let page = 0
  const more: (typeof glue.faults)[number] = (response) =>
    void response.end(JSON.stringify({ DatabaseList: [], NextToken: `again-${page++}` }))
  for (let count = 0; count < 100; count++) glue.faults.push(more)
  await expect(catalog.tables(null, stop)).rejects.toThrow('it has more than 100 pages of databases')
  glue.faults.length = 0
  glue.databases.set('sales', [])
  const many = { TableList: Array.from({ length: 1001 }, (_, at) => ({ Name: `t${at}` })) }
  glue.faults.push(
    (response) => void response.end(JSON.stringify({ DatabaseList: [{ Name: 'sales' }] })),
    (response) => void response.end(JSON.stringify(many)),
  )
  await expect(open().tables(null, stop)).rejects.toThrow('it has more than 1000 tables')
})

test('a server that hangs up or does not answer in time is reported', async () => {
  const { glue, open, catalog } = await setUp()
  glue.faults.push((response) => void response.destroy())
  await expect(catalog.tables(null, stop)).rejects.toThrow('it hangs up')
  const late = new AbortController()
  glue.faults.push(() => late.abort())
  await expect(open().tables(null, late.signal)).rejects.toThrow(OutsideRefused)
})

test('what a table is, or why it is not read, is found in its metadata', async () => {
  const { glue, catalog } = await setUp()
  const text = (name: string, words: Record<string, string> = {}) => ({
    SerdeInfo: serde(`serde2.${name}`, words),
  })
  glue.databases.set('sales', [
    made('avro', {}, text('avro.AvroSerDe')),
    made('delta', { Parameters: { 'spark.sql.sources.provider': 'delta' } }),
    made('elsewhere', {}, { Location: 'hdfs://name/x' }),
    made('footer', {}, text('lazy.LazySimpleSerDe', { 'skip.footer.line.count': '1' })),
    made('hive', {}, text('lazy.LazySimpleSerDe')),
    made('json', {}, { SerdeInfo: { SerializationLibrary: 'org.openx.data.jsonserde.JsonSerDe' } }),
    made('latin', {}, text('lazy.LazySimpleSerDe', { 'serialization.encoding': 'latin1' })),
    made('link', { TargetTable: { Name: 'x' }, StorageDescriptor: null }),
    made('orc', {}, { SerdeInfo: serde('ql.io.orc.OrcSerde') }),
    made('parquet', { PartitionKeys: [{ Name: 'day', Type: 'date' }] }),
    made('projected', { Parameters: { 'projection.enabled': 'true' } }),
    made(
      'quoted',
      { Parameters: { 'skip.header.line.count': '2' } },
      text('OpenCSVSerde', { separatorChar: ';' }),
    ),
    made('regex', {}, text('RegexSerDe')),
    made(
      'tabs',
      { Parameters: { classification: 'csv' } },
      { SerdeInfo: { Parameters: { 'field.delim': '\t' } } },
    ),
    made('view', { TableType: 'VIRTUAL_VIEW', StorageDescriptor: { Columns: [] } }),
    made('void', {}, { Columns: [] }),
  ])
  const columns = [{ name: 'id', type: 'bigint' }]
  const csv = { kind: 'csv', quote: '', escape: '', skippedLines: 0, nullText: '\\N' }
  const of = (format: object, partitionColumns: object[] = []) => ({ columns, partitionColumns, format })
  const { tables } = await allTables(catalog)
  expect(Object.fromEntries(tables.map(({ name, content }) => [name, content]))).toEqual({
    avro: 'its files are in the format Avro, and Parquet, CSV and JSON files are read',
    delta: 'it is a Delta Lake table, and Iceberg and plain files are read',
    elsewhere: 'its files do not lie in a bucket that speaks S3',
    footer: 'lines at the end of its files are no rows',
    hive: of({ ...csv, delimiter: '\u0001' }),
    json: of({ kind: 'json', ignoresMalformed: false }),
    latin: 'its files are not in UTF-8',
    link: 'it is a link to a table of another database or account',
    orc: 'its files are in the format ORC, and Parquet, CSV and JSON files are read',
    parquet: of({ kind: 'parquet' }, [{ name: 'day', type: 'date' }]),
    projected: 'its partitions are computed (projection.enabled) and not kept in AWS Glue',
    quoted: of({ ...csv, delimiter: ';', quote: '"', escape: '\\', skippedLines: 2, nullText: null }),
    regex:
      'its files are written with the SerDe org.apache.hadoop.hive.serde2.RegexSerDe, and Parquet, CSV and JSON files are read',
    tabs: of({ ...csv, delimiter: '\t' }),
    view: 'it is a view, and views of AWS Glue are not read',
    void: 'it has no columns in AWS Glue',
  })
})

test('files are those below the folder of the table, without what tools leave behind', async () => {
  const { glue, catalog, objects, places } = await setUp()
  glue.databases.set('sales', [
    made('orders'),
    made('text', {}, { SerdeInfo: serde('serde2.lazy.LazySimpleSerDe') }),
  ])
  for (const name of ['a.parquet', 'deep/b.parquet', 'c', '_SUCCESS', '.x.crc', '_temporary/d', 'deep/_e'])
    objects.set(`harbour/lake/orders/${name}`, 'x')
  objects.set('harbour/lake/orders/empty', '')
  objects.set('harbour/lake/orders_other/a.parquet', 'x')
  const key = (path: string) =>
    keyInTable({ database: 'sales', name: 'orders' }, `harbour/lake/orders/${path}`)
  expect(await allFiles(catalog, 'sales', 'orders')).toEqual(['a.parquet', 'c', 'deep/b.parquet'].map(key))
  expect(places[0]).toMatchObject({ bucket: 'harbour', prefix: 'lake/orders', ...GLUE_KEYS })
  objects.set('harbour/lake/text/a.bz2', 'x')
  await expect(allFiles(catalog, 'sales', 'text')).rejects.toThrow('its files are compressed with bz2')
  await expect(allFiles(catalog, 'sales', 'nothing')).rejects.toThrow('AWS Glue does not have it')
  await expect(allFiles(catalog, 'nowhere', 'orders')).rejects.toThrow('AWS Glue does not have it')
})

const partition = (values: string[], Location: string, more: object = {}) => ({
  Values: values,
  StorageDescriptor: { Location, SerdeInfo: PARQUET, ...more },
})

test('of a table with partitions, files are those of partitions that Glue has, wherever they lie', async () => {
  const { glue, catalog, objects, places, clock } = await setUp()
  glue.databases.set('sales', [made('days', { PartitionKeys: [{ Name: 'day', Type: 'int' }] })])
  const partitions = [
    partition(['1'], 's3://harbour/lake/days/day=1'),
    partition(['2'], 's3a://harbour/lake/days/second/'),
    partition(['3'], 's3://elsewhere/days/three'),
  ]
  glue.partitions.set('sales.days', partitions)
  for (const name of ['day=1/a', 'second/deep/b', 'day=9/unknown', 'stray'])
    objects.set(`harbour/lake/days/${name}`, 'x')
  objects.set('elsewhere/days/three/c', 'x')
  const key = (path: string) => keyInTable({ database: 'sales', name: 'days' }, path)
  const all = [
    `${key('elsewhere/days/three/c')} 3`,
    `${key('harbour/lake/days/day=1/a')} 1`,
    `${key('harbour/lake/days/second/deep/b')} 2`,
  ]
  expect((await allFiles(catalog, 'sales', 'days')).toSorted()).toEqual(all)
  // Of few partitions, each is listed; of many, the folder that they lie in.
  expect(places.map(({ prefix }) => prefix)).toContain('lake/days/day=1')
  for (let day = 10; day < 70; day++)
    partitions.push(partition([`${day}`], `s3://harbour/lake/days/day=${day}`))
  clock.advance(1 * MINUTES)
  places.length = 0
  expect((await allFiles(catalog, 'sales', 'days')).toSorted()).toEqual(all)
  expect(new Set(places.map(({ prefix }) => prefix))).toEqual(new Set(['lake/days', 'days/three']))
})

test.each([
  [partition(['1', '2'], 's3://harbour/x'), 'has other columns than the table'],
  [partition(['1'], 'hdfs://x'), 'does not lie in a bucket'],
  [partition(['1'], 's3://harbour/x', { SerdeInfo: serde('ql.io.orc.OrcSerde') }), 'not all in the format'],
])('a partition that would be read wrongly is refused: %j', async (one, why) => {
  const { glue, catalog } = await setUp()
  glue.databases.set('sales', [made('days', { PartitionKeys: [{ Name: 'day', Type: 'int' }] })])
  glue.partitions.set('sales.days', [one])
  await expect(allFiles(catalog, 'sales', 'days')).rejects.toThrow(why)
})

test('a file is given only if it lies in the folders of its table', async () => {
  const { glue, catalog } = await setUp()
  glue.databases.set('sales', [
    made('orders'),
    made('days', { PartitionKeys: [{ Name: 'day', Type: 'int' }] }),
    made('view', { TableType: 'VIRTUAL_VIEW' }),
  ])
  glue.partitions.set('sales.days', [partition(['3'], 's3://elsewhere/days/three')])
  const of = (name: string, path: string) =>
    catalog.fileOf(keyInTable({ database: 'sales', name }, path), stop)
  expect(await of('orders', 'harbour/lake/orders/a')).toMatchObject({
    place: { bucket: 'harbour', prefix: '', region: 'eu-central-1' },
    key: 'lake/orders/a',
  })
  expect((await of('days', 'elsewhere/days/three/c')).key).toBe('days/three/c')
  for (const [name, path] of [
    ['orders', 'harbour/lake/ordersx/a'],
    ['orders', 'harbour/lake/days/a'],
    ['orders', 'elsewhere/days/three/c'],
    ['days', 'elsewhere/days/threefold/c'],
    ['days', 'elsewhere/secret'],
  ] as const)
    await expect(of(name, path)).rejects.toThrow('the catalog has no such file')
  await expect(of('view', 'harbour/lake/view/a')).rejects.toThrow('it is a view')
  await expect(of('nothing', 'harbour/x/a')).rejects.toThrow('AWS Glue does not have it')
  for (const key of ['', 'x', '%/x/y'])
    await expect(catalog.fileOf(key, stop)).rejects.toThrow('no such file')
})

test('an Iceberg table is what its metadata says, which is read once for each place', async () => {
  const { glue, catalog, objects, places, clock } = await setUp()
  const iceberg = (at: string) => ({ Parameters: { table_type: 'ICEBERG', metadata_location: at } })
  const metadata = {
    'format-version': 2,
    location: 's3://harbour/ice/t',
    'current-schema-id': 0,
    schemas: [{ 'schema-id': 0, fields: [{ id: 1, name: 'n', type: 'long' }] }],
    'current-snapshot-id': 7,
    snapshots: [{ 'snapshot-id': 7, 'manifest-list': 's3://harbour/ice/t/metadata/list.avro' }],
  }
  objects.set('harbour/ice/t/metadata/1.metadata.json', JSON.stringify(metadata))
  objects.set('harbour/ice/t/metadata/bad.metadata.json', 'no JSON')
  glue.databases.set('sales', [
    made('bad', iceberg('s3://harbour/ice/t/metadata/bad.metadata.json')),
    made('gone', iceberg('s3://harbour/ice/t/metadata/none.json')),
    made('lost', iceberg('')),
    made('packed', iceberg('s3://harbour/ice/t/metadata/1.gz.metadata.json')),
    made('t', iceberg('s3://harbour/ice/t/metadata/1.metadata.json')),
  ])
  const contents = async () =>
    Object.fromEntries((await allTables(catalog)).tables.map(({ name, content }) => [name, content]))
  expect(await contents()).toEqual({
    bad: 'what its metadata location names is no Iceberg metadata',
    gone: 'its Iceberg metadata cannot be read: it is not there',
    lost: 'it is an Iceberg table without the place of its metadata',
    packed: 'its Iceberg metadata is compressed',
    t: expect.objectContaining({
      bucket: 'harbour',
      roots: ['ice/t'],
      manifestList: 'ice/t/metadata/list.avro',
    }),
  })
  const before = places.length
  clock.advance(6_000)
  await contents()
  // That of the one that could not be read, and no other.
  expect(places.length - before).toBe(1)
  const of = (path: string) => catalog.fileOf(keyInTable({ database: 'sales', name: 't' }, path), stop)
  expect(await of('ice/t/data/a.parquet')).toMatchObject({
    place: { bucket: 'harbour' },
    key: 'ice/t/data/a.parquet',
  })
  await expect(of('ice/other/a.parquet')).rejects.toThrow('no such file')
})

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { CODES, objectOf, perms, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { openClusterCatalog } from '../../store/cluster-catalog.ts'
import { sessionOf } from '../../testing/channel-session.ts'
import { startApp } from '../../testing/start-app.ts'
import { rowsUpTo } from '../conformance/fixture.ts'
import type { ClusterSpace } from '../engine/cluster-space.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import { NO_NAME_RULES } from '../engine/name-rules.ts'
import type { EngineProvider } from '../engine/provider.ts'

const CSV = {
  format: 'csv',
  encoding: 'utf-8',
  delimiter: null,
  quote: null,
  escape: null,
  header: null,
  skip: null,
  newLine: null,
  dateFormat: null,
  timestampFormat: null,
  sheet: null,
} as const

/** None of its clusters ever runs. */
const CLUSTERS: EngineProvider<ClusterSpace> = {
  id: 'clusters',
  label: 'Cluster',
  nameRules: NO_NAME_RULES,
  open: () => Promise.reject(new EngineUnavailable('It does not start.')),
  close: () => Promise.resolve(),
}

const METADATA = {
  'table-uuid': 'the-one',
  'last-sequence-number': 1,
  schemas: [
    {
      'schema-id': 0,
      fields: [
        { name: 'id', required: true, type: 'long' },
        { name: 'tags', required: false, type: { type: 'list', element: 'string' }, doc: 'Words' },
      ],
    },
  ],
  'current-schema-id': 0,
  properties: { comment: 'Boats' },
  'current-snapshot-id': 5,
  snapshots: [
    {
      'snapshot-id': 5,
      'sequence-number': 1,
      summary: { 'total-records': '7', 'total-position-deletes': '2' },
    },
  ],
}

const VIEW = {
  'current-version-id': 1,
  schemas: METADATA.schemas,
  versions: [
    { 'version-id': 1, 'schema-id': 0, representations: [{ type: 'sql', sql: 'SELECT id FROM boats' }] },
  ],
}

/** An account whose clusters have left the table `harbor.boats`; none of them runs. */
async function startWithLake() {
  const app = await startApp({}, { engine: 'embedded', clusterEngine: CLUSTERS })
  const { accountId, lakes, store } = app
  if (!lakes) throw new Error('There are no lakes.')
  const admin = await app.admin()
  const addLake = async () => {
    const { schema: name } = await openClusterCatalog(store.pool, {
      accountId,
      clusterId: 'c-1',
      password: 'x',
    })
    lakes.opened(accountId)
    await store.pool.query(
      `insert into "${name}".iceberg_namespace_properties values ('lake', 'main', 'exists', 'true')`,
    )
    return name
  }
  const addTable = async (name: string) => {
    await store.pool.query(
      `insert into "${name}".iceberg_tables values ('lake', 'harbor', 'boats', 'local:///harbor/boats/1.metadata.json', null, 'TABLE')`,
    )
    await store.pool.query(
      `insert into "${name}".iceberg_tables values ('lake', 'harbor', 'fleet', 'local:///harbor/boats/2.gz.metadata.json', null, 'VIEW')`,
    )
    const folder = join(lakes.folderOf(accountId), 'harbor', 'boats')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, '1.metadata.json'), JSON.stringify(METADATA))
    await writeFile(join(folder, '2.gz.metadata.json'), gzipSync(JSON.stringify(VIEW)))
  }
  return { app, admin, addLake, addTable }
}

test('a lake is a catalog of its account, whose databases are created while no cluster runs', async () => {
  const { admin, addLake, addTable } = await startWithLake()
  const run = sessionOf(await admin.channel())
  const rows = async (sql: string) => (await run(sql)).rows
  expect((await run('USE lake.main')).error).toContain('lake')
  expect((await admin.call(schema.catalogs, {})).data.list.map(({ name }) => name)).not.toContain('lake')

  const name = await addLake()
  expect((await admin.call(schema.catalogs, {})).data.list.map(({ name: one }) => one)).toContain('lake')
  expect((await run('CREATE DATABASE lake.harbor')).error).toBe('')
  expect((await run('CREATE DATABASE lake.harbor')).error).toContain('already exists')
  expect((await run('CREATE DATABASE IF NOT EXISTS lake.Harbor')).error).toBe('')
  expect(await rows('SHOW DATABASES FROM lake')).toEqual([['harbor'], ['main']])

  await addTable(name)
  expect((await run('USE lake.harbor')).error).toBe('')
  expect(await rows('SHOW TABLES')).toEqual([['boats'], ['fleet']])
  expect((await run('SELECT * FROM boats')).error).toContain('only warehouses that are clusters')
  expect((await run('DROP DATABASE lake.harbor')).error).toContain('boats')
  expect((await run('USE default_catalog.main')).error).toBe('')
  expect(await rows('SELECT 1')).toEqual([['1']])

  const { list: databases } = (await admin.call(schema.databases, { catalog: 'lake' })).data
  expect(databases.map((one) => [one.name, one.tables])).toEqual([
    ['harbor', 2],
    ['main', 0],
  ])
  const place = { catalog: 'lake', databaseName: 'harbor' }
  const columns = await admin.call(schema.describe, { ...place, tableName: 'boats' })
  expect(columns.data).toMatchObject({ comment: 'Boats', columnCount: 2, rows: { count: 5, exact: true } })
  const view = await admin.call(schema.showCreateTable, { ...place, name: 'fleet' })
  expect(view.data.createStatement).toBe('CREATE VIEW "lake"."harbor"."fleet" AS\nSELECT id FROM boats')
  expect(columns.data).toMatchObject({ actions: ['read'], fixed: expect.stringContaining('cluster') })
  const actions = await admin.call(schema.actions, place)
  const elsewhere = expect.stringContaining('cluster')
  expect(actions.data).toMatchObject({ createTable: elsewhere, loadData: elsewhere, dropDatabase: '' })
  const dropped = await admin.call(schema.dropTable, { ...place, tableName: 'boats' })
  expect(dropped.message).toContain('by statements in a warehouse that is a cluster')
  const sample = await admin.call(schema.sample, { ...place, tableName: 'boats' })
  expect(sample.code).not.toBe(CODES.Ok.code)
})

test('a file that is gone, cut off, too large or not packed says so, and the list of tables works', async () => {
  const { app, admin, addLake, addTable } = await startWithLake()
  await addTable(await addLake())
  const folder = join(app.lakes?.folderOf(app.accountId) ?? '', 'harbor', 'boats')
  const table = { catalog: 'lake', databaseName: 'harbor', tableName: 'boats' }
  const view = { catalog: 'lake', databaseName: 'harbor', name: 'fleet' }
  const file = join(folder, '1.metadata.json')
  for (const spoil of [
    () => writeFile(file, JSON.stringify(METADATA).slice(0, 100)),
    () => writeFile(file, JSON.stringify({ ...METADATA, padding: 'x'.repeat(3 * 1024 ** 2) })),
    () => rm(file),
  ]) {
    await spoil()
    const { message } = await admin.call(schema.describe, table)
    expect(message).toContain('The file that describes harbor.boats cannot be read.')
  }
  await writeFile(join(folder, '2.gz.metadata.json'), JSON.stringify(VIEW))
  expect((await admin.call(schema.describe, view)).message).toContain('describes harbor.fleet cannot be read')
  const { list } = (await admin.call(schema.tables, { catalog: 'lake', databaseName: 'harbor' })).data
  expect(list.map(({ tableName }) => tableName)).toEqual(['boats'])
})

test('to a user without a privilege on it there is no lake', async () => {
  const { app, admin, addLake, addTable } = await startWithLake()
  await addTable(await addLake())
  const grace = await app.user()
  const run = sessionOf(await grace.channel())
  expect((await grace.call(schema.catalogs, {})).data.list.map(({ name }) => name)).not.toContain('lake')
  expect((await run('SHOW DATABASES FROM lake')).error).toContain('lake')
  expect((await run('CREATE DATABASE lake.port')).error).not.toBe('')
  const grant = (object: ReturnType<typeof objectOf>, privileges: ['USAGE'] | ['SELECT']) =>
    admin.call(perms.grantPrivToUser, { user: grace.name, object, privileges })
  expect((await grant(objectOf('catalog', { catalog: 'lake' }), ['USAGE'])).code).toBe(CODES.Ok.code)
  expect((await run('CREATE DATABASE lake.port')).error).not.toBe('')
  expect((await run('SHOW TABLES FROM lake.harbor')).rows).toEqual([])
  const boats = objectOf('table', { catalog: 'lake', database: 'harbor', name: 'boats' })
  expect((await grant(boats, ['SELECT'])).code).toBe(CODES.Ok.code)
  expect((await run('SHOW TABLES FROM lake.harbor')).rows).toEqual([['boats']])
})

test('nobody takes the name of a lake, drops it or renames it', async () => {
  const { admin, addLake } = await startWithLake()
  await addLake()
  const run = sessionOf(await admin.channel())
  expect((await run('CREATE CATALOG lake')).error).toContain('already exists')
  expect((await run('DROP CATALOG lake')).error).toContain('clusters of this account')
})

test('what a cluster that is gone has written, its table tells; nobody guesses', async () => {
  const { app, addLake, addTable } = await startWithLake()
  const { accountId, store, lakes, compute } = app
  const name = await addLake()
  await addTable(name)
  const lake = lakes?.of(accountId)
  const write = {
    warehouseId: '5d0a5c0e-0d5e-4c1e-8a44-0a4e3a8c9d11',
    database: 'harbor',
    name: 'boats',
    leavesSnapshot: true,
  }
  const begun = ['written', 'unwritten', 'altering', 'elsewhere', 'creating', 'database']
  for (const queryId of begun)
    await lake?.noteWrite({
      ...write,
      queryId,
      remoteId: `q_${queryId}`,
      ...(queryId === 'altering' && { leavesSnapshot: false }),
      ...(queryId === 'elsewhere' && { name: 'fleet' }),
      ...(queryId === 'creating' && { name: 'buoys' }),
      ...(queryId === 'database' && { name: null }),
    })
  const effects = () =>
    compute.useServiceEngine(accountId, async (engine) => {
      const found = await engine.effects?.tookEffect([...begun, 'never begun'])
      return found && Object.fromEntries(found)
    })
  const moveOn = async (file: string, snapshots: readonly object[]) => {
    const metadata = { ...METADATA, 'last-sequence-number': 3, 'current-snapshot-id': 7, snapshots }
    const folder = join(lakes?.folderOf(accountId) ?? '', 'harbor', 'boats')
    await writeFile(join(folder, file), JSON.stringify(metadata))
    await store.pool.query(
      `update "${name}".iceberg_tables set metadata_location = $1 where table_name = 'boats'`,
      [`local:///harbor/boats/${file}`],
    )
  }
  // Nothing has changed: nothing was done.
  expect(await effects()).toEqual({ database: 'untold' })

  const theirs = { 'snapshot-id': 6, 'sequence-number': 2, summary: { writer: 'q_of_others' } }
  const summary = { operation: 'append', writer: 'q_written', 'added-records': '4' }
  const own = { 'snapshot-id': 7, 'sequence-number': 3, summary }
  await moveOn('3.metadata.json', [...METADATA.snapshots, theirs, own])
  expect(await effects()).toEqual({ written: { rowsChanged: 4 }, altering: 'untold', database: 'untold' })

  // A snapshot that might have been its own was removed meanwhile.
  await moveOn('4.metadata.json', [own])
  expect(await effects()).toMatchObject({ written: { rowsChanged: 4 }, unwritten: 'untold' })
  await rm(join(lakes?.folderOf(accountId) ?? '', 'harbor', 'boats', '4.metadata.json'))
  expect(await effects()).toMatchObject({ written: 'untold', unwritten: 'untold' })

  await lake?.forget(new Date(Date.now() + 60_000))
  expect(await effects()).toEqual({})
})

test('files and streams are not loaded into its tables, and that is said', async () => {
  const { app, addLake, addTable } = await startWithLake()
  await addTable(await addLake())
  const loading = {
    does: 'load',
    file: 'one',
    reading: CSV,
    columns: [],
    table: { catalog: 'lake', database: 'harbor', name: 'boats' },
    makesTable: false,
    mostRejected: 0,
    widens: false,
  } as const
  const place = { catalog: 'default_catalog', database: 'main', timeZone: 'UTC', variables: {} }
  const outcome = await app.compute.useServiceEngine(app.accountId, async (engine) => {
    const session = await engine.openSession(place)
    const run = session.execute('LOAD FILE', { ...rowsUpTo(1), file: loading })
    await run.outcome
    await session.close()
    return run.outcome
  })
  expect(outcome).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('does not load data into tables of a lake') },
  })
})

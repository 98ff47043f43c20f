import { CODES, perms, schema, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../../testing/start-app.ts'

const place = { catalog: 'default_catalog', databaseName: 'boats' }
const OARS = { ...place, tableName: 'oars' }
const BOATS = `CREATE DATABASE boats;
  CREATE TABLE boats.oars (id BIGINT PRIMARY KEY, name VARCHAR NOT NULL DEFAULT 'oar', price DECIMAL(18,2), made TIMESTAMP);
  INSERT INTO boats.oars SELECT range, 'oar ' || range, 1.5, NULL FROM range(60);
  CREATE VIEW boats.dear AS SELECT id, price FROM boats.oars WHERE price > 1;
  CREATE VIEW boats.dearest AS SELECT max(price) AS price FROM boats.dear;
  COMMENT ON TABLE boats.oars IS 'All oars';
  COMMENT ON COLUMN boats.oars.price IS 'In USD'`

async function run(user: TestUser, sql: string) {
  const channel = await user.channel()
  for (const answer of await channel.run(sql)) expect(answer.errMsg).toBe('')
}

async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await run(admin, BOATS)
  return { app, admin }
}

const LOOKS = [
  schema.describe,
  schema.columns,
  schema.showCreateTable,
  schema.sample,
  schema.dependencies,
  schema.readers,
] as const

test('who was given nothing on it finds nothing there, and neither does another account', async () => {
  const { app } = await setUp()
  const strangers = [await app.user(), await app.user(['user_admin']), await app.stranger(['db_admin'])]
  for (const user of strangers)
    for (const call of LOOKS)
      expect([call.path, (await user.call(call, OARS)).code]).toEqual([call.path, CODES.NotFound.code])
})

test('who may insert but not read sees the columns, and neither rows nor the create statement', async () => {
  const { app, admin } = await setUp()
  const clerk = await app.user()
  await run(admin, `GRANT INSERT ON boats.oars TO ${clerk.name}`)
  const { data } = await clerk.call(schema.columns, OARS)
  expect(data.columns).toHaveLength(4)
  const described = (await clerk.call(schema.describe, OARS)).data
  expect(described.actions).toEqual([])
  expect(described.rows).toEqual({ count: 60, exact: false })
  for (const call of [schema.showCreateTable, schema.sample, schema.readers])
    expect([call.path, (await clerk.call(call, OARS)).code]).toEqual([call.path, CODES.NoPermission.code])
})

test('a table has columns with name, type, nullable, primary key, default, length, precision and comment [CATALOG-06, CATALOG-30, CATALOG-47]', async () => {
  const { admin } = await setUp()
  const { data } = await admin.call(schema.columns, OARS)
  const none = { length: null, precision: null, scale: null, comment: '', default: null, primaryKey: false }
  expect(data).toEqual({
    tableName: 'oars',
    type: 'table',
    total: 4,
    columns: [
      { ...none, name: 'id', type: 'BIGINT', nullable: false, primaryKey: true },
      { ...none, name: 'name', type: 'VARCHAR', nullable: false, default: "'oar'" },
      {
        ...none,
        name: 'price',
        type: 'DECIMAL(18,2)',
        nullable: true,
        precision: 18,
        scale: 2,
        comment: 'In USD',
      },
      { ...none, name: 'made', type: 'TIMESTAMP', nullable: true },
    ],
  })
  await run(admin, 'CREATE TABLE boats.marks (spot DOUBLE[3], tags VARCHAR[])')
  const marks = (await admin.call(schema.columns, { ...place, tableName: 'marks' })).data.columns
  expect(marks.map(({ name, type, length }) => [name, type, length])).toEqual([
    ['spot', 'DOUBLE[3]', 3],
    ['tags', 'VARCHAR[]', null],
  ])
  const page = (await admin.call(schema.columns, { ...OARS, offset: 1, limit: 2 })).data
  expect([page.total, ...page.columns.map(({ name }) => name)]).toEqual([4, 'name', 'price'])
})

test('a view is read by name, and shows its columns and what it is made of [CATALOG-32]', async () => {
  const { admin } = await setUp()
  const dear = { ...place, name: 'DEAR' }
  expect((await admin.call(schema.columns, dear)).data).toMatchObject({
    tableName: 'dear',
    type: 'view',
    columns: [{ name: 'id' }, { name: 'price', type: 'DECIMAL(18,2)' }],
  })
  expect((await admin.call(schema.describe, dear)).data).toMatchObject({ type: 'view', rows: null })
  const { createStatement } = (await admin.call(schema.showCreateTable, dear)).data
  expect(createStatement).toMatch(/^CREATE VIEW .*dear.* AS SELECT id, price/)
  // A table is not a view, and the other way round.
  expect((await admin.call(schema.columns, { ...place, name: 'oars' })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(schema.columns, { ...place, tableName: 'dear' })).code).toBe(CODES.NotFound.code)
})

test('one and only one object is asked for', async () => {
  const { admin } = await setUp()
  for (const input of [place, { ...OARS, name: 'oars' }])
    expect((await admin.call(schema.describe, input)).code).toBe(CODES.BadInput.code)
})

test('a table offers the statement that makes it [CATALOG-07, CATALOG-46]', async () => {
  const { admin } = await setUp()
  const { createStatement } = (await admin.call(schema.showCreateTable, OARS)).data
  expect(createStatement).toContain('CREATE TABLE')
  expect(createStatement).toContain('price DECIMAL(18,2)')
})

test('pain 16: a table is looked at with some of its rows, counted by the engine’s statistics, and no warehouse runs for it', async () => {
  const { app, admin } = await setUp()
  const { warehouses } = (await admin.call(warehouse.list, {})).data
  for (const { warehouseId } of warehouses) await admin.call(warehouse.suspend, { warehouseId })
  expect((await admin.call(schema.describe, OARS)).data).toEqual({
    name: 'oars',
    type: 'table',
    comment: 'All oars',
    columnCount: 4,
    rows: { count: 60, exact: true },
    size: { bytes: expect.any(Number), exact: false },
    actions: ['read', 'alter', 'drop'],
    fixed: '',
  })
  const { data } = await admin.call(schema.sample, OARS)
  expect(data.columns.map(({ name }) => name)).toEqual(['id', 'name', 'price', 'made'])
  expect(data.rows[0]).toEqual(['0', 'oar 0', '1.50', null])
  expect([data.rows.length, data.truncated]).toEqual([50, true])
  expect(app.compute.running()).toEqual([])
})

test('deleted rows are not counted', async () => {
  const { admin } = await setUp()
  await run(admin, 'DELETE FROM boats.oars WHERE id < 10')
  expect((await admin.call(schema.describe, OARS)).data.rows).toEqual({ count: 50, exact: true })
})

test('dependencies of views and tables are those that the engine binds', async () => {
  const { app, admin } = await setUp()
  await run(
    admin,
    `CREATE VIEW boats.other AS SELECT 'oars' AS oars; CREATE TABLE boats.locks (oar BIGINT REFERENCES boats.oars(id))`,
  )
  const dependenciesOf = async (user: TestUser, of: object) =>
    (await user.call(schema.dependencies, { ...place, ...of })).data
  const oars = { database: 'boats', name: 'oars', type: 'table' }
  const dear = { database: 'boats', name: 'dear', type: 'view' }
  const locks = { database: 'boats', name: 'locks', type: 'table' }
  expect(await dependenciesOf(admin, { tableName: 'oars' })).toEqual({
    uses: [],
    usedBy: [dear, locks],
    hidden: 0,
    broken: '',
  })
  expect(await dependenciesOf(admin, { name: 'dear' })).toMatchObject({
    uses: [oars],
    usedBy: [{ database: 'boats', name: 'dearest', type: 'view' }],
  })
  const reader = await app.user()
  await run(admin, `GRANT SELECT ON boats.oars TO ${reader.name}`)
  expect(await dependenciesOf(reader, { tableName: 'oars' })).toEqual({
    uses: [],
    usedBy: [],
    hidden: 2,
    broken: '',
  })
})

test('a view whose table was dropped says why its dependencies are unknown', async () => {
  const { admin } = await setUp()
  await run(admin, 'DROP TABLE boats.oars')
  const { data } = await admin.call(schema.dependencies, { ...place, name: 'dear' })
  expect(data.uses).toEqual([])
  expect(data.broken).toContain('oars')
  const sample = await admin.call(schema.sample, { ...place, name: 'dear' })
  expect(sample).toMatchObject({ code: CODES.QueryFailed.code, message: expect.stringContaining('oars') })
})

test('the users and roles that may read a table are listed with the reason, page by page', async () => {
  const { app, admin } = await setUp()
  const reader = await app.user()
  await admin.call(perms.createRole, { role: 'rowers' })
  await run(
    admin,
    `GRANT SELECT ON boats.oars TO ${reader.name}; GRANT SELECT ON ALL TABLES IN DATABASE boats TO ROLE rowers`,
  )
  const { list, total } = (await admin.call(schema.readers, OARS)).data
  const of = (name: string) => list.find((one) => one.name === name)
  expect(of('db_admin')).toMatchObject({ kind: 'role', why: 'Built in: SELECT on ALL TABLES' })
  expect(of('account_admin')).toMatchObject({ kind: 'role', why: 'Inherits db_admin' })
  expect(of('rowers')?.why).toBe('Granted on ALL TABLES IN DATABASE default_catalog.boats by admin')
  expect(of(reader.name)).toMatchObject({
    kind: 'user',
    why: 'Granted on TABLE default_catalog.boats.oars by admin',
  })
  expect(total).toBe(list.length)
  const pages = await Promise.all(
    list.map((_, offset) => admin.call(schema.readers, { ...OARS, offset, limit: 1 })),
  )
  expect(pages.flatMap(({ data }) => data.list)).toEqual(list)
})

test('a sample is refused to who may not read, also through a view', async () => {
  const { app, admin } = await setUp()
  const reader = await app.user()
  await run(admin, `GRANT SELECT ON VIEW boats.dear TO ${reader.name}`)
  expect((await reader.call(schema.sample, { ...place, name: 'dear' })).data.rows).toHaveLength(50)
  expect((await reader.call(schema.sample, OARS)).code).toBe(CODES.NotFound.code)
})

test('an engine that does not describe its tables says so', async () => {
  const app = await startApp()
  const admin = await app.admin()
  await run(admin, 'CREATE TABLE t (n int)')
  const answer = await admin.call(schema.describe, { ...place, databaseName: 'main', tableName: 't' })
  expect(answer).toMatchObject({
    code: CODES.NotFound.code,
    message: 'The engine of this account does not describe its tables.',
  })
})

test('sizes on disk are listed for the tables that the user may see', async () => {
  const { app, admin } = await setUp()
  await run(
    admin,
    `CREATE TABLE boats.long AS SELECT range AS i, 'boat ' || range AS name FROM range(200_000)`,
  )
  const asked = { ...place, tableNames: ['oars', 'long', 'nowhere'] }
  const { list } = (await admin.call(schema.tableSizes, asked)).data
  expect(list.map(({ tableName, exact }) => [tableName, exact])).toEqual([
    ['oars', false],
    ['long', false],
  ])
  const [oars, long] = list.map(({ bytes }) => bytes)
  expect(oars).toBeLessThan(20_000)
  expect(long).toBeGreaterThan(200_000)
  expect(long).toBeLessThan(20_000_000)
  const guest = await app.user()
  expect((await guest.call(schema.tableSizes, asked)).data.list).toEqual([])
  expect((await admin.call(schema.tableSizes, { ...asked, databaseName: 'nowhere' })).code).toBe(
    CODES.NotFound.code,
  )
  expect((await admin.call(schema.tableSizes, { ...asked, catalog: 'nowhere' })).code).toBe(
    CODES.NotFound.code,
  )
  expect((await admin.call(schema.tableSizes, { ...place, tableNames: [] })).code).toBe(CODES.BadInput.code)
})

import { CODES, editor, query, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sessionOf } from '../../../testing/channel-session.ts'
import { startApp } from '../../../testing/start-app.ts'

const setUp = async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  return { app, admin, channel: await admin.channel() }
}

test('nobody but a database administrator creates an internal catalog, by call or statement', async () => {
  const { app } = await setUp()
  const nobody = await app.user()
  expect((await nobody.call(schema.createCatalog, { name: 'archive' })).code).toBe(CODES.NoPermission.code)
  const run = sessionOf(await nobody.channel())
  expect((await run('CREATE CATALOG archive')).error).toContain('db_admin')
})

test('an account of the lake edition is refused with the edition that it needs [CATALOG-39]', async () => {
  const { app } = await setUp()
  const stranger = await app.stranger(['db_admin'])
  expect(await stranger.call(schema.createCatalog, { name: 'archive' })).toMatchObject({
    code: CODES.NoPermission.code,
    message:
      'Internal catalogs beside default_catalog need the Standard edition, and this account has the Lake edition. An upgrade is irreversible and is handled by support.',
  })
  expect((await stranger.call(schema.catalogs, {})).data.total).toBe(1)
})

test('a catalog is created, listed, written to, read across catalogs, and dropped with what is in it [CATALOG-39]', async () => {
  const { admin, channel } = await setUp()
  const draft = { name: 'archive', description: 'Old voyages' }
  expect((await admin.call(schema.createCatalog, draft)).code).toBe(CODES.Ok.code)
  expect((await admin.call(schema.catalogs, { commonSearchParam: { search: 'arch' } })).data.list).toEqual([
    { name: 'archive', type: 'Internal', description: 'Old voyages' },
  ])
  expect((await admin.call(schema.showCreateCatalog, { catalog: 'ARCHIVE' })).data.createStatement).toBe(
    `CREATE CATALOG "archive"\nCOMMENT 'Old voyages'`,
  )
  const run = sessionOf(channel)
  for (const sql of [
    'CREATE TABLE voyages (id int)',
    'INSERT INTO voyages VALUES (1)',
    'CREATE DATABASE archive.years',
    'CREATE TABLE archive.years.voyages (id int)',
    'INSERT INTO archive.years.voyages VALUES (2), (3)',
    'UPDATE archive.years.voyages SET id = 4 WHERE id = 3',
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  const both = 'SELECT id FROM voyages UNION ALL SELECT id FROM archive.years.voyages ORDER BY 1'
  expect((await run(both)).rows).toEqual([['1'], ['2'], ['4']])
  expect((await run('SHOW DATABASES FROM archive')).rows).toContainEqual(['years'])
  expect((await run('USE archive')).error).toBe('')
  expect((await run('USE years')).error).toBe('')
  expect((await run('SELECT count(*) FROM voyages')).rows).toEqual([['2']])
  expect((await run('INSERT INTO voyages VALUES (5)')).error).toBe('')
  expect((await run('INSERT INTO default_catalog.main.voyages VALUES (6)')).error).toBe('')
  expect((await run('SET CATALOG default_catalog')).error).toBe('')
  expect((await run('SELECT count(*) FROM voyages')).rows).toEqual([['2']])
  const tables = await admin.call(schema.tables, { catalog: 'Archive', databaseName: 'years' })
  expect(tables.data.list).toEqual([{ tableName: 'voyages', type: 'table' }])
  expect(await admin.call(schema.dropCatalog, { catalog: 'archive' })).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('it holds years.voyages'),
  })
  expect((await run('DROP CATALOG archive')).error).toContain('CASCADE drops all of it')
  expect((await run('DROP CATALOG archive CASCADE')).error).toBe('')
  expect((await run('SELECT * FROM archive.years.voyages')).error).toContain('archive')
  expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
  expect((await run('SELECT count(*) FROM voyages')).rows).toEqual([['2']])
})

test('by statements, with IF NOT EXISTS and IF EXISTS', async () => {
  const run = sessionOf((await setUp()).channel)
  expect((await run(`CREATE CATALOG archive COMMENT 'Old voyages'`)).error).toBe('')
  expect((await run('CREATE CATALOG Archive')).error).toBe(
    'The catalog Archive already exists. Choose another name.',
  )
  expect((await run('CREATE CATALOG IF NOT EXISTS archive')).error).toBe('')
  expect((await run('SHOW CATALOGS')).rows).toEqual([
    ['default_catalog', 'Internal', ''],
    ['archive', 'Internal', 'Old voyages'],
  ])
  expect((await run('CREATE CATALOG archive PROPERTIES (x = y)')).error).toContain('Write CREATE CATALOG')
  expect((await run('CREATE CATALOG a.b')).error).toContain('Write CREATE CATALOG')
  expect((await run('CREATE CATALOG "9"')).error).toContain('Start with a letter')
  for (const name of ['sys', 'pg_temp', 'Information_Listed'])
    expect((await run(`CREATE CATALOG ${name}`)).error).toContain(`The catalog ${name} already exists`)
  expect((await run('DROP CATALOG archive')).error).toBe('')
  expect((await run('DROP CATALOG archive')).error).toContain('There is no catalog archive')
  expect((await run('DROP CATALOG IF EXISTS archive')).error).toBe('')
  expect((await run('DROP CATALOG default_catalog')).error).toContain('cannot be dropped')
})

test('what somebody holds nothing on is not there for them, and each privilege opens its part', async () => {
  const { app, admin, channel } = await setUp()
  const run = sessionOf(channel)
  await admin.call(schema.createCatalog, { name: 'archive' })
  for (const sql of [
    'CREATE TABLE archive.main.voyages (id int)',
    'INSERT INTO archive.main.voyages VALUES (1)',
  ])
    await run(sql)
  const guest = await app.user()
  const asked = sessionOf(await guest.channel())
  const select = 'SELECT * FROM archive.main.voyages'
  expect((await asked(select)).error).toContain('USAGE on CATALOG archive')
  expect((await asked('USE archive')).error).toContain('does not exist')
  expect((await asked('USE archive.main')).error).toContain('does not exist, or you may not use it')
  expect((await asked('SET CATALOG archive')).error).toContain('does not exist, or you may not use it')
  expect((await asked('SHOW TABLES FROM archive.main')).error).toContain('does not exist')
  expect((await asked('SHOW CATALOGS')).rows).toHaveLength(1)
  expect((await asked('CREATE DATABASE archive.mine')).error).toContain('does not exist')
  for (const sql of [
    'SELECT database_name FROM information_schema.tables',
    `SELECT table_name FROM information_schema.tables WHERE table_catalog = 'archive'`,
    `SELECT schema_name FROM information_schema.schemata WHERE catalog_name = 'archive'`,
  ])
    expect((await asked(sql)).rows).toEqual([])
  expect((await guest.call(schema.databases, { catalog: 'archive' })).code).toBe(CODES.NotFound.code)
  const one = { catalog: 'archive', databaseName: 'main', tableName: 'voyages' }
  expect((await guest.call(schema.describe, one)).code).toBe(CODES.NotFound.code)
  await run(`GRANT USAGE ON CATALOG archive TO USER ${guest.name}`)
  expect((await asked(select)).error).toContain('SELECT on TABLE archive.main.voyages')
  expect((await asked('INSERT INTO archive.main.voyages VALUES (2)')).error).toContain('INSERT on TABLE')
  expect((await asked('CREATE DATABASE archive.mine')).error).toContain('CREATE DATABASE on CATALOG archive')
  await run(`GRANT SELECT ON TABLE archive.main.voyages TO USER ${guest.name}`)
  expect((await asked(select)).rows).toEqual([['1']])
  expect((await asked('USE archive')).error).toBe('')
  expect((await guest.call(schema.describe, one)).code).toBe(CODES.Ok.code)
  await run('DROP CATALOG archive CASCADE')
  await run('CREATE CATALOG archive')
  await run('CREATE TABLE archive.main.voyages (id int)')
  const again = sessionOf(await guest.channel())
  expect((await again(select)).error).toContain('USAGE on CATALOG archive')
})

test('a session in a dropped catalog gets one error, and continues in the default catalog', async () => {
  const { admin, channel } = await setUp()
  const run = sessionOf(channel)
  const other = sessionOf(await admin.channel())
  await run('CREATE CATALOG archive')
  await other('USE archive.main')
  await other('CREATE TABLE voyages (id int)')
  expect((await run('DROP CATALOG archive CASCADE')).error).toBe('')
  expect((await other('SELECT 1')).error).toBe(
    'The catalog archive no longer exists, so this session is now in default_catalog.main. Run the statement again, or choose another database with USE.',
  )
  expect((await other('SELECT current_catalog()')).rows).toEqual([['default_catalog']])
})

test('a session that drops its own catalog continues in the default catalog', async () => {
  const run = sessionOf((await setUp()).channel)
  await run('CREATE CATALOG archive')
  await run('USE archive')
  expect((await run('DROP CATALOG archive')).error).toBe('')
  expect((await run('SELECT current_catalog()')).rows).toEqual([['default_catalog']])
})

test('a transaction writes to one catalog, and what refuses another leaves it as it is', async () => {
  const run = sessionOf((await setUp()).channel)
  for (const sql of [
    'CREATE CATALOG archive',
    'CREATE TABLE archive.main.a (i int)',
    'CREATE TABLE b (i int)',
  ])
    await run(sql)
  await run('BEGIN')
  await run('INSERT INTO archive.main.a VALUES (1)')
  expect((await run('INSERT INTO b VALUES (1)')).error).toBe(
    'A transaction can write to one catalog only, and this one has written to archive. Commit it, then write to default_catalog.',
  )
  expect((await run('COMMIT')).error).toBe('')
  expect((await run('SELECT (SELECT count(*) FROM archive.main.a), (SELECT count(*) FROM b)')).rows).toEqual([
    ['1', '0'],
  ])
})

test('the names of internal and external catalogs are of one kind, and there is a limit [CATALOG-36]', async () => {
  const { app, admin } = await setUp()
  await admin.call(schema.createCatalog, { name: 'archive' })
  const hive = {
    name: 'Archive',
    metastoreType: 'hive',
    access: 'key',
    s3Region: 'eu-central-1',
    hiveHost: 'hive.example.com',
    accessKey: 'AKIAEXAMPLE',
    secretKey: 'very-secret-key',
  } as const
  expect((await admin.call(schema.addCatalog, hive)).code).toBe(CODES.NameTaken.code)
  await admin.call(schema.addCatalog, { ...hive, name: 'lake' })
  expect((await admin.call(schema.createCatalog, { name: 'LAKE' })).code).toBe(CODES.NameTaken.code)
  const both = await Promise.all([1, 2].map(() => admin.call(schema.createCatalog, { name: 'twice' })))
  expect(new Set(both.map(({ code }) => code))).toEqual(new Set([CODES.Ok.code, CODES.NameTaken.code]))
  const row = {
    account_id: admin.accountId,
    description: '',
    created_by: 'admin',
    created_at: app.clock.now(),
  }
  const many = Array.from({ length: 18 }, (_, at) => ({
    ...row,
    catalog_id: crypto.randomUUID(),
    name: `c${at}`,
    opened_at: null,
  }))
  await app.store.db.insertInto('internal_catalogs').values(many).execute()
  expect(await admin.call(schema.createCatalog, { name: 'one_more' })).toMatchObject({
    code: CODES.LimitReached.code,
    message: expect.stringContaining('at most 20 internal catalogs'),
  })
})

test('an engine that keeps its data in one catalog says so, and no name is left behind', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect(await admin.call(schema.createCatalog, { name: 'archive' })).toMatchObject({
    code: CODES.QueryFailed.code,
    message: 'The engine of this account supports only one catalog.',
  })
  expect((await admin.call(schema.catalogs, {})).data.total).toBe(1)
})

const rename = (newName: string, more: object = {}) => ({ catalog: 'archive', newName, ...more })

test('nobody but a database administrator renames a catalog, by call or statement', async () => {
  const { app, admin } = await setUp()
  await admin.call(schema.createCatalog, { name: 'archive' })
  const nobody = await app.user()
  expect((await nobody.call(schema.renameCatalog, rename('sea'))).code).toBe(CODES.NoPermission.code)
  const run = sessionOf(await nobody.channel())
  expect((await run('ALTER CATALOG archive RENAME TO sea')).error).toContain('db_admin')
  const stranger = await app.stranger(['db_admin'])
  expect((await stranger.call(schema.renameCatalog, rename('sea'))).code).toBe(CODES.NotFound.code)
  expect((await admin.call(schema.catalogs, {})).data.list.map(({ name }) => name)).toEqual([
    'archive',
    'default_catalog',
  ])
})

test('a new name of a catalog is written in one row: sessions, tabs, grants, views and the history hold its id', async () => {
  const { app, admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of [
    'CREATE CATALOG archive',
    'CREATE DATABASE archive.years',
    'USE archive.years',
    'CREATE TABLE voyages AS SELECT 1 AS id',
    'CREATE VIEW seen AS SELECT * FROM voyages',
    'CREATE TEMP TABLE mine AS SELECT 5 AS id',
    'CREATE MATERIALIZED VIEW total REFRESH AFTER CHANGES AS SELECT count(*) AS n FROM voyages',
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  const guest = await app.user()
  for (const sql of [
    `GRANT USAGE ON CATALOG archive TO USER ${guest.name}`,
    `GRANT SELECT ON TABLE archive.years.voyages TO USER ${guest.name}`,
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  const asked = sessionOf(await guest.channel())
  expect((await asked('USE archive.years')).error).toBe('')
  expect((await asked('SELECT * FROM voyages')).rows).toEqual([['1']])
  const { tabId } = (await admin.call(editor.createTab, { tabName: 'old', catalog: 'archive' })).data

  const kept = async () =>
    Promise.all(
      ['connections', 'editor_tabs', 'grants', 'materialized_views', 'statements', 'view_owners'].map(
        async (table) =>
          (await app.store.pool.query(`select xmin::text, catalog_id from ${table} order by 1, 2`)).rows,
      ),
    )
  const before = await kept()
  expect((await admin.call(schema.renameCatalog, rename('history'))).code).toBe(CODES.Ok.code)
  expect(await kept()).toEqual(before)

  expect((await asked('SELECT * FROM voyages')).rows).toEqual([['1']])
  expect((await asked('SELECT * FROM history.years.voyages')).rows).toEqual([['1']])
  expect((await asked('SELECT * FROM archive.years.voyages')).error).toContain('archive')
  expect((await run('SELECT id FROM mine')).rows).toEqual([['5']])
  expect((await run('SELECT * FROM seen')).rows).toEqual([['1']])
  expect((await run('INSERT INTO voyages VALUES (2)')).error).toBe('')
  expect((await run('SELECT current_catalog(), current_schema()')).rows).toEqual([['history', 'years']])
  expect((await run('REFRESH MATERIALIZED VIEW total')).error).toBe('')
  expect((await run('SELECT n FROM total')).rows).toEqual([['2']])
  expect((await run('DROP TABLE total')).error).toContain('materialized view')
  expect((await run(`SHOW GRANTS FOR USER ${guest.name}`)).rows.flat().join(' ')).toContain('history')
  expect((await admin.call(editor.tabDetail, { tabId })).data.catalog).toBe('history')
  const { entries } = (await admin.call(query.history, { text: 'CREATE VIEW seen' })).data
  expect(entries[0]?.catalog).toBe('history')

  // Its old name is free, and means another one from now on.
  expect((await run('CREATE CATALOG archive')).error).toBe('')
  expect((await asked('USE archive')).error).toContain('does not exist')
  expect((await asked('SELECT count(*) FROM voyages')).rows).toEqual([['2']])
})

test('by a statement, also from within, and with every name that cannot be', async () => {
  const { admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of ['CREATE CATALOG archive', 'CREATE CATALOG other', 'USE archive'])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  expect((await run('ALTER CATALOG archive RENAME TO Archive')).error).toBe('')
  expect((await run('ALTER CATALOG archive RENAME TO sea')).last).toMatchObject({
    errMsg: '',
    catalog: 'sea',
    catalogChange: true,
  })
  expect((await run('SELECT current_catalog()')).rows).toEqual([['sea']])
  expect((await run('ALTER CATALOG sea RENAME TO OTHER')).error).toContain('The catalog OTHER already exists')
  expect((await run('ALTER CATALOG sea RENAME TO sys')).error).toContain('The catalog sys already exists')
  expect((await run('ALTER CATALOG sea RENAME TO "9"')).error).toContain('Start with a letter')
  expect((await run('ALTER CATALOG nowhere RENAME TO sea')).error).toContain('There is no catalog nowhere')
  expect((await run('ALTER CATALOG default_catalog RENAME TO sea')).error).toContain('cannot be renamed')
  expect((await run('ALTER CATALOG sea SET x = 1')).error).toContain('Write ALTER CATALOG')
  const shown = (await admin.call(schema.catalogs, {})).data.list.map(({ name }) => name)
  expect(shown).toEqual(['default_catalog', 'other', 'sea'])
})

test('a rename lists the views that name the catalog, and breaks them only after confirmation', async () => {
  const { admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of [
    'CREATE CATALOG archive',
    'CREATE TABLE archive.main.voyages AS SELECT 1 AS id',
    'CREATE VIEW outside AS SELECT * FROM archive.main.voyages',
    'CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM archive.main.voyages',
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  const refusal = await admin.call(schema.renameCatalog, rename('sea'))
  expect(refusal.code).toBe(CODES.Conflict.code)
  expect(refusal.message).toContain('default_catalog.main.outside')
  expect(refusal.message).toContain('default_catalog.main.counted')
  expect((await run('SELECT * FROM outside')).rows).toEqual([['1']])
  expect((await admin.call(schema.renameCatalog, rename('sea', { evenIfUsed: true }))).code).toBe(
    CODES.Ok.code,
  )
  expect((await run('SELECT * FROM outside')).error).toContain('archive')
})

test('it is not renamed under a transaction that uses it', async () => {
  const { admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of [
    'CREATE CATALOG archive',
    'CREATE TABLE archive.main.voyages (id int)',
    'BEGIN',
    'INSERT INTO archive.main.voyages VALUES (1)',
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  expect(await admin.call(schema.renameCatalog, rename('sea'))).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('are using the catalog archive'),
  })
  expect((await run('COMMIT')).error).toBe('')
  expect((await admin.call(schema.renameCatalog, rename('sea'))).code).toBe(CODES.Ok.code)
  expect((await run('SELECT * FROM sea.main.voyages')).rows).toEqual([['1']])
})

test('a statement that is sent while its catalog is renamed runs in it under its new name', async () => {
  const { app, admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of [
    'CREATE CATALOG archive',
    'USE archive.main',
    'CREATE TABLE voyages AS SELECT 1 AS id',
    'CREATE TEMP TABLE mine AS SELECT 5 AS id',
  ])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  const other = await app.store.pool.connect()
  await other.query('begin')
  await other.query('select 1 from internal_catalogs for update')
  const renamed = admin.call(schema.renameCatalog, rename('sea'))
  // In the engine it has its new name, and nowhere else.
  const codeIn = async (catalog: string) => (await admin.call(schema.databases, { catalog })).code
  await expect.poll(() => codeIn('sea'), { timeout: 20_000 }).toBe(CODES.Ok.code)
  const joined = run('SELECT v.id, m.id FROM voyages v, mine m')
  const underWay = async () =>
    (await app.store.pool.query(`select 1 from statements where sql like 'SELECT v.id%'`)).rowCount
  await expect.poll(underWay, { timeout: 20_000 }).toBe(1)
  await other.query('commit')
  other.release()
  expect((await renamed).code).toBe(CODES.Ok.code)
  expect(await joined).toMatchObject({ error: '', rows: [['1', '5']], last: { catalog: 'sea' } })
  expect((await run('SHOW TABLES')).rows).toEqual([['voyages']])
})

test('a statement that waits in a catalog keeps it from being renamed', async () => {
  const { app, admin, channel } = await setUp()
  const run = sessionOf(channel)
  for (const sql of ['CREATE CATALOG archive', 'USE archive.main', 'CREATE TABLE voyages AS SELECT 1 AS id'])
    expect([sql, (await run(sql)).error]).toEqual([sql, ''])
  app.engines.hold()
  const waiting = run('SELECT id FROM voyages')
  await expect.poll(() => app.engines.heldStatements(), { timeout: 20_000 }).toBe(1)
  expect(await admin.call(schema.renameCatalog, rename('sea', { evenIfUsed: true }))).toMatchObject({
    code: CODES.Conflict.code,
    message: expect.stringContaining('are using the catalog archive'),
  })
  app.engines.release()
  expect((await waiting).rows).toEqual([['1']])
  expect((await admin.call(schema.renameCatalog, rename('sea'))).code).toBe(CODES.Ok.code)
})

import { CODES, LIMITS, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { session, done, PLACE, setUp } from '../../testing/view-kit.ts'

const DENIED = CODES.NoPermission.code
const FAILED = CODES.QueryFailed.code

test('it has the rows of its query, and those of the next refresh after that [CATALOG-44, CATALOG-31]', async () => {
  const { admin, run, rows } = await setUp()
  await done(run, 'CREATE MATERIALIZED VIEW fleet AS SELECT a, a + 1 AS b FROM boats')
  expect(await rows('SELECT * FROM fleet')).toEqual([['1', '2']])
  await done(run, 'INSERT INTO boats VALUES (5)')
  expect(await rows('SELECT * FROM fleet')).toEqual([['1', '2']])
  await done(run, 'REFRESH MATERIALIZED VIEW main.fleet')
  expect(await rows('SELECT a FROM fleet ORDER BY a')).toEqual([['1'], ['5']])

  const listed = await admin.call(schema.materializedViews, PLACE)
  expect(listed.data).toMatchObject({
    total: 1,
    list: [{ mvName: 'fleet', type: 'materialized_view', trigger: 'manual', lastRefreshState: 'success' }],
  })
  const tables = await admin.call(schema.tables, PLACE)
  expect(tables.data).toEqual({ list: [{ tableName: 'boats', type: 'table' }], total: 1 })
  const asked = { ...PLACE, mvName: 'FLEET' }
  expect((await admin.call(schema.describe, asked)).data).toMatchObject({
    name: 'fleet',
    type: 'materialized_view',
    rows: { count: 2, exact: true },
    actions: ['read', 'refresh', 'alter', 'drop'],
  })
  const { data: columns } = await admin.call(schema.columns, asked)
  expect(columns.columns.map(({ name }) => name)).toEqual(['a', 'b'])
  expect((await admin.call(schema.sample, asked)).data.rows).toHaveLength(2)
  expect((await admin.call(schema.describe, { ...PLACE, tableName: 'fleet' })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(schema.describe, { ...PLACE, mvName: 'boats' })).code).toBe(CODES.NotFound.code)
})

test('its refreshes are kept, with who requested them and why one failed [CATALOG-56]', async () => {
  const { admin, run, rows } = await setUp()
  await done(run, 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats')
  const asked = { ...PLACE, mvName: 'fleet' }
  await done(run, 'REFRESH MATERIALIZED VIEW fleet', 'DROP TABLE boats')
  const failed = await run('REFRESH MATERIALIZED VIEW fleet')
  expect(failed.errMsg).toMatch(/^fleet was not refreshed\. Its rows are unchanged\. .*boats/)
  expect(await rows('SELECT * FROM fleet')).toEqual([['1']])
  const { data } = await admin.call(schema.refreshTasks, asked)
  expect(data.total).toBe(3)
  expect(data.list).toMatchObject([
    { reason: 'manual', state: 'failed', startedBy: 'admin', error: expect.stringContaining('boats') },
    { reason: 'manual', state: 'success', rows: 1, error: '' },
    { reason: 'create', state: 'success', rows: 1 },
  ])
  expect(data.list[0]?.queryId).not.toBeNull()
  expect((await admin.call(schema.refreshTasks, { ...asked, offset: 1, limit: 1 })).data.list).toHaveLength(1)
  expect((await admin.call(schema.materializedView, asked)).data).toMatchObject({
    query: 'SELECT * FROM boats',
    refresh: 'REFRESH MANUAL',
    owner: 'admin',
    paused: false,
    lastRun: { state: 'failed' },
  })
  const none = { ...PLACE, mvName: 'other' }
  expect((await admin.call(schema.refreshTasks, none)).code).toBe(CODES.NotFound.code)
})

test('nobody writes to it, and nothing but DROP MATERIALIZED VIEW drops it', async () => {
  const { run, rows } = await setUp()
  await done(run, 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats')
  for (const sql of [
    'INSERT INTO fleet VALUES (2)',
    'UPDATE fleet SET a = 2',
    'DELETE FROM fleet',
    'TRUNCATE fleet',
    'DROP TABLE fleet',
    'ALTER TABLE fleet ADD COLUMN b INT',
    'CREATE OR REPLACE TABLE fleet AS SELECT 2 AS a',
    'CREATE INDEX i ON fleet (a)',
    `COMMENT ON TABLE fleet IS 'x'`,
  ]) {
    const { errCode, errMsg } = await run(sql)
    expect([sql, errCode, errMsg]).toEqual([
      sql,
      DENIED,
      expect.stringContaining('main.fleet is a materialized view'),
    ])
  }
  await done(run, 'INSERT INTO boats SELECT a + 10 FROM fleet', 'DROP MATERIALIZED VIEW fleet')
  expect((await run('SELECT * FROM fleet')).errCode).toBe(FAILED)
  await done(run, 'CREATE TABLE fleet AS SELECT 3 AS a', 'DROP TABLE fleet')
  expect(await rows('SELECT a FROM boats ORDER BY a')).toEqual([['1'], ['11']])
  expect(await run('DROP MATERIALIZED VIEW fleet')).toMatchObject({ errCode: FAILED })
  await done(run, 'DROP MATERIALIZED VIEW IF EXISTS fleet')
})

test('it is made by who may, read by whom it was granted to, and refreshed by its owner’s rights', async () => {
  const { app, admin, run } = await setUp()
  const [ada, grace] = [await app.user(), await app.user()]
  const [asAda, asGrace] = [await session(ada), await session(grace)]
  const create = 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats'
  expect((await asAda(create)).errMsg).toContain('CREATE MATERIALIZED VIEW on DATABASE default_catalog.main')
  await done(run, `GRANT CREATE MATERIALIZED VIEW ON DATABASE main TO ${ada.name}`)
  const refused = await asAda(create)
  expect([refused.errCode, refused.errMsg]).toEqual([DENIED, expect.stringContaining('SELECT on TABLE')])
  expect((await admin.call(schema.materializedViews, PLACE)).data.total, 'nothing is left of it').toBe(0)
  await done(run, `GRANT SELECT ON boats TO ${ada.name}`)
  await done(asAda, create)

  const asked = { ...PLACE, mvName: 'fleet' }
  expect((await grace.call(schema.materializedViews, PLACE)).data.total).toBe(0)
  for (const call of [schema.materializedView, schema.refreshTasks, schema.refreshMaterializedView])
    expect((await grace.call(call, asked)).code).toBe(CODES.NotFound.code)
  expect((await asGrace('SELECT * FROM fleet')).errMsg).toContain('SELECT on MATERIALIZED VIEW')
  await done(asAda, `GRANT SELECT ON MATERIALIZED VIEW fleet TO ${grace.name}`)
  expect((await asGrace('SELECT * FROM fleet')).result).toEqual([['1']])
  expect((await asGrace('SHOW TABLES')).result).toEqual([['fleet']])
  for (const sql of ['REFRESH', 'DROP', 'ALTER'])
    expect((await asGrace(`${sql} MATERIALIZED VIEW fleet${sql === 'ALTER' ? ' PAUSE' : ''}`)).errCode).toBe(
      DENIED,
    )
  expect((await grace.call(schema.pauseMaterializedView, { ...asked, paused: true })).code).toBe(DENIED)
  expect((await grace.call(schema.dropMaterializedView, asked)).code).toBe(DENIED)
  expect((await grace.call(schema.describe, asked)).data.actions).toEqual(['read'])

  await done(run, `GRANT REFRESH ON MATERIALIZED VIEW fleet TO ${grace.name}`, 'INSERT INTO boats VALUES (2)')
  await done(asGrace, 'REFRESH MATERIALIZED VIEW fleet')
  expect((await asGrace('SELECT count(*) FROM fleet')).result, 'read by ada’s rights').toEqual([['2']])
  await done(run, `REVOKE SELECT ON boats FROM ${ada.name}`)
  expect((await asGrace('REFRESH MATERIALIZED VIEW fleet')).errCode).toBe(DENIED)
  expect((await asGrace('SELECT count(*) FROM fleet')).result).toEqual([['2']])

  const stranger = await app.stranger(['db_admin'])
  expect((await stranger.call(schema.materializedView, asked)).code).toBe(CODES.NotFound.code)
  expect((await stranger.call(schema.materializedViews, PLACE)).data.total).toBe(0)
})

test('grants on it outlive its refreshes and die with it', async () => {
  const { app, run } = await setUp()
  const grace = await app.user()
  const asGrace = await session(grace)
  await done(
    run,
    'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats',
    `GRANT SELECT ON MATERIALIZED VIEW fleet TO ${grace.name}`,
    'REFRESH MATERIALIZED VIEW fleet',
  )
  expect((await asGrace('SELECT * FROM fleet')).result).toEqual([['1']])
  await done(run, 'DROP MATERIALIZED VIEW fleet', 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats')
  expect((await asGrace('SELECT * FROM fleet')).errCode).toBe(DENIED)
})

test('names mean what they meant where it was created', async () => {
  const { run, rows } = await setUp()
  await done(
    run,
    'CREATE DATABASE dock',
    'USE dock',
    'CREATE TABLE boats AS SELECT 7 AS a',
    'CREATE MATERIALIZED VIEW main.seven AS SELECT * FROM boats',
    'USE main',
    'REFRESH MATERIALIZED VIEW seven',
  )
  expect(await rows('SELECT * FROM seven')).toEqual([['7']])
})

test('one that reads another is allowed, one that would read itself is not', async () => {
  const { run, rows } = await setUp()
  await done(
    run,
    'CREATE MATERIALIZED VIEW one AS SELECT * FROM boats',
    'CREATE VIEW between AS SELECT * FROM one',
    'CREATE MATERIALIZED VIEW two AS SELECT a + 1 AS a FROM between',
  )
  expect(await rows('SELECT * FROM two')).toEqual([['2']])
  await done(run, 'DROP MATERIALIZED VIEW one')
  expect((await run('CREATE MATERIALIZED VIEW one AS SELECT * FROM two')).errMsg).toContain(
    'default_catalog.main.one would read itself through default_catalog.main.two',
  )
  await done(run, 'CREATE OR REPLACE VIEW between AS SELECT * FROM two')
  expect((await run('REFRESH MATERIALIZED VIEW two')).errMsg).toContain(
    'default_catalog.main.two would read itself.',
  )
  expect(await rows('SELECT * FROM two')).toEqual([['2']])
})

const REFUSED = [
  ['CREATE MATERIALIZED VIEW boats AS SELECT 1', 'A table or view boats already exists'],
  ['CREATE MATERIALIZED VIEW nowhere.m AS SELECT 1', 'The database nowhere does not exist'],
  ['CREATE MATERIALIZED VIEW m AS SELECT * FROM oars', 'oars'],
  ['CREATE MATERIALIZED VIEW m AS INSERT INTO boats VALUES (9)', 'Write SELECT after AS'],
  ['CREATE MATERIALIZED VIEW m PROPERTIES ("colour" = "red") AS SELECT 1', 'There is no property colour'],
  ['CREATE MATERIALIZED VIEW m PROPERTIES ("warehouse" = "w") AS SELECT 1', 'The warehouse w does not exist'],
  [
    'CREATE MATERIALIZED VIEW m REFRESH ASYNC EVERY (INTERVAL 5 SECOND) AS SELECT 1',
    'at most every 60 seconds',
  ],
  [
    "CREATE MATERIALIZED VIEW m REFRESH ASYNC START ('soon') EVERY (INTERVAL 1 DAY) AS SELECT 1",
    'soon is not a time',
  ],
  ['CREATE MATERIALIZED VIEW m PARTITION BY a AS SELECT 1', 'Write CREATE MATERIALIZED VIEW'],
  [
    `CREATE MATERIALIZED VIEW m COMMENT '${'x'.repeat(LIMITS.commentLength + 1)}' AS SELECT 1`,
    'at most 1024',
  ],
  ['ALTER MATERIALIZED VIEW m SWAP WITH n', 'Write ALTER MATERIALIZED VIEW'],
  ['ALTER MATERIALIZED VIEW m RENAME n', 'There is no materialized view m'],
  ['REFRESH MATERIALIZED VIEW m', 'There is no materialized view m'],
  [`CREATE MATERIALIZED VIEW m AS SELECT * FROM read_csv('/etc/passwd')`, ''],
] as const

test('what cannot be is refused with what is wrong, and nothing is left of it', async () => {
  const { admin, run } = await setUp()
  for (const [sql, message] of REFUSED) {
    const { errCode, errMsg } = await run(sql)
    expect([sql, errCode === CODES.Ok.code, errMsg]).toEqual([sql, false, expect.stringContaining(message)])
  }
  expect((await admin.call(schema.materializedViews, PLACE)).data.total).toBe(0)
})

test('it tells how it is made, what it reads and what reads it', async () => {
  const { admin, run, rows } = await setUp()
  await done(
    run,
    `CREATE MATERIALIZED VIEW IF NOT EXISTS fleet COMMENT 'it''s all' REFRESH ASYNC EVERY (INTERVAL 2 HOUR) AS SELECT * FROM boats`,
    'CREATE MATERIALIZED VIEW IF NOT EXISTS fleet AS SELECT 2',
    'CREATE MATERIALIZED VIEW more AS SELECT * FROM fleet',
  )
  const [[name, text] = []] = await rows('SHOW CREATE MATERIALIZED VIEW fleet')
  expect([name, text]).toEqual([
    'fleet',
    expect.stringMatching(
      /COMMENT 'it''s all'\nREFRESH ASYNC START .* EVERY \(INTERVAL 2 HOUR\)\nPROPERTIES .*\nAS SELECT \* FROM boats$/,
    ),
  ])
  const asked = { ...PLACE, mvName: 'fleet' }
  expect((await admin.call(schema.showCreateTable, asked)).data.createStatement).toBe(text)
  expect((await admin.call(schema.dependencies, asked)).data).toEqual({
    uses: [{ type: 'table', database: 'main', name: 'boats' }],
    usedBy: [{ type: 'materialized_view', database: 'main', name: 'more' }],
    hidden: 0,
    broken: '',
  })
  const used = await admin.call(schema.dropMaterializedView, asked)
  expect([used.code, used.message]).toEqual([CODES.Conflict.code, expect.stringContaining('main.more')])
  expect((await admin.call(schema.dropTable, { ...PLACE, tableName: 'boats' })).message).toContain(
    'main.fleet',
  )
  expect((await admin.call(schema.comment, { ...asked, comment: 'new' })).code).toBe(CODES.Ok.code)
  expect((await admin.call(schema.describe, asked)).data.comment).toBe('new')
  expect((await admin.call(schema.rename, { ...asked, newName: 'x' })).code).toBe(CODES.Conflict.code)
  await done(run, 'REFRESH MATERIALIZED VIEW fleet')
  const shown = await run(`SHOW MATERIALIZED VIEWS WHERE name = 'fleet'`)
  const at = (column: string) => shown.fields.findIndex((one) => one.name === column)
  const [row = []] = shown.result
  expect(
    ['name', 'refresh_type', 'is_active', 'last_refresh_state', 'rows', 'text', 'creator'].map(
      (one) => row[at(one)],
    ),
  ).toEqual(['fleet', 'ASYNC', 'true', 'SUCCESS', '1', 'SELECT * FROM boats', 'admin'])
  expect((await admin.call(schema.dropMaterializedView, { ...asked, evenIfUsed: true })).code).toBe(
    CODES.Ok.code,
  )
  expect((await admin.call(schema.materializedViews, PLACE)).data.total).toBe(1)
  await done(run, 'DESC more')
})

test('with its database it is gone', async () => {
  const { admin, run } = await setUp()
  const inDock = { catalog: 'default_catalog', databaseName: 'dock' }
  await done(run, 'CREATE DATABASE dock', 'CREATE MATERIALIZED VIEW dock.fleet AS SELECT * FROM boats')
  expect((await run('DROP DATABASE dock')).errMsg).toContain('fleet')
  await done(run, 'DROP DATABASE dock CASCADE', 'CREATE DATABASE dock', 'CREATE TABLE dock.fleet AS SELECT 1')
  expect((await admin.call(schema.materializedViews, inDock)).data.total).toBe(0)
  await done(run, 'INSERT INTO dock.fleet VALUES (2)')
  expect((await admin.call(schema.materializedViews, { ...inDock, databaseName: 'none' })).code).toBe(
    CODES.NotFound.code,
  )
})

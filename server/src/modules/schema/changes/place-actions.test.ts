import { CODES, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { startApp, type TestUser } from '../../../testing/start-app.ts'

const catalog = 'default_catalog'
const SAMPLE = { catalog, databaseName: 'sample' }

async function run(user: TestUser, sql: string) {
  const channel = await user.channel()
  for (const answer of await channel.run(sql)) expect(answer.errMsg).toBe('')
}

async function setUp(sql = 'CREATE DATABASE boats') {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await run(admin, sql)
  return { app, admin }
}

/** Of who may make everything in a database. */
const MAKES = { createTable: '', createView: '', createMaterializedView: '', loadData: '' }

const actionsIn = async (user: TestUser, databaseName?: string) =>
  (await user.call(schema.actions, databaseName === undefined ? { catalog } : { catalog, databaseName })).data

test('a database that nobody may see has no actions, and neither has one of another account', async () => {
  const { app } = await setUp()
  for (const user of [await app.user(), await app.stranger(['db_admin'])])
    expect((await user.call(schema.actions, { catalog, databaseName: 'boats' })).code).toBe(
      CODES.NotFound.code,
    )
  expect((await app.call(schema.actions, { catalog })).code).toBe(CODES.LoginRequired.code)
})

test('an action that the user may not take has a reason, and an allowed one has none', async () => {
  const { app, admin } = await setUp()
  expect(await actionsIn(admin)).toEqual({ createDatabase: '', restoreSamples: '' })
  expect(await actionsIn(admin, 'boats')).toEqual({ ...MAKES, dropDatabase: '' })
  expect(await actionsIn(admin, 'main')).toEqual(MAKES)
  const clerk = await app.user()
  await run(admin, `GRANT CREATE TABLE ON DATABASE boats TO ${clerk.name}`)
  const inCatalog = await actionsIn(clerk)
  expect(inCatalog.createDatabase).toContain('CREATE DATABASE on CATALOG default_catalog')
  expect(inCatalog.restoreSamples).toContain('CREATE DATABASE on CATALOG default_catalog')
  const inBoats = await actionsIn(clerk, 'boats')
  expect(inBoats.createTable).toBe('')
  const oars = { catalog, databaseName: 'boats', object: { type: 'table', name: 'oars' } } as const
  expect((await clerk.call(schema.actions, oars)).code).toBe(CODES.NotFound.code)
  await run(admin, `CREATE TABLE boats.oars (n INT); GRANT SELECT ON boats.oars TO ${clerk.name}`)
  expect((await clerk.call(schema.actions, oars)).data.dropObject).toContain('DROP on TABLE')
  expect((await admin.call(schema.actions, oars)).data).toEqual({ dropObject: '' })
  expect(inBoats.dropDatabase).toContain('DROP on DATABASE default_catalog.boats')
})

test('sample data is not restored by who may neither make nor drop its database', async () => {
  const { app, admin } = await setUp('CREATE DATABASE sample; CREATE TABLE sample.mine (n INT)')
  const clerk = await app.user()
  await run(admin, `GRANT CREATE DATABASE ON CATALOG default_catalog TO ${clerk.name}`)
  expect((await clerk.call(schema.restoreSamples, {})).code).toBe(CODES.NoPermission.code)
  expect((await app.call(schema.restoreSamples, {})).code).toBe(CODES.LoginRequired.code)
  const { data } = await admin.call(schema.tables, SAMPLE)
  expect(data.list.map(({ tableName }) => tableName)).toEqual(['mine'])
})

test('sample data is made where it is missing, and restored where it was changed; grants on it stay', async () => {
  const { app, admin } = await setUp()
  const keeper = await app.user()
  await run(admin, `GRANT CREATE DATABASE ON CATALOG default_catalog TO ${keeper.name}`)
  expect((await keeper.call(schema.restoreSamples, {})).code).toBe(CODES.Ok.code)
  const nation = { ...SAMPLE, tableName: 'nation' }
  expect((await keeper.call(schema.describe, nation)).data.actions).toEqual(['read', 'alter', 'drop'])
  const tables = async () => (await admin.call(schema.tables, SAMPLE)).data.list.map((one) => one.tableName)
  const made = await tables()
  const analyst = await app.user()
  expect((await analyst.call(schema.describe, nation)).code).toBe(CODES.NotFound.code)

  await run(admin, `GRANT SELECT ON sample.nation TO ${analyst.name}`)
  const counted = { ...SAMPLE, mvName: 'counted' }
  await run(
    admin,
    'CREATE MATERIALIZED VIEW sample.counted REFRESH AFTER CHANGES AS SELECT count(*) AS n FROM sample.nation',
  )
  await run(admin, 'DELETE FROM sample.nation; DROP TABLE sample.region; CREATE TABLE sample.own (n INT)')
  expect((await actionsIn(admin, 'sample')).restoreSamples).toBe('')
  expect((await admin.call(schema.restoreSamples, {})).code).toBe(CODES.Ok.code)
  expect(await tables()).toEqual([...made, 'own'].toSorted())
  // What reads the sample data has it again.
  app.clock.advance(MINUTES)
  await app.materialized.runDue()
  await app.materialized.idle()
  expect((await admin.call(schema.sample, counted)).data.rows).toEqual([['25']])
  expect((await admin.call(schema.refreshTasks, counted)).data.list[0]).toMatchObject({ reason: 'changes' })
  expect((await analyst.call(schema.describe, nation)).data.rows).toEqual({ count: 25, exact: true })
})

test('functions are listed to whom they are granted, and to who holds everything', async () => {
  const { app, admin } = await setUp(
    'CREATE DATABASE boats; CREATE MACRO boats.knots(a) AS a * 1.94; CREATE MACRO boats.feet(a) AS TABLE SELECT a',
  )
  const boats = { catalog, databaseName: 'boats' }
  const listed = async (user: TestUser, search = '') =>
    (await user.call(schema.functions, { ...boats, commonSearchParam: { search } })).data
  expect(await listed(admin)).toEqual({
    list: ['feet', 'knots'].map((name) => ({ name, type: 'function' })),
    total: 2,
  })
  expect((await listed(admin, 'KNO')).list).toEqual([{ name: 'knots', type: 'function' }])
  const sailor = await app.user()
  expect((await listed(sailor)).list).toEqual([])
  await run(admin, `GRANT USAGE ON FUNCTION boats.knots TO ${sailor.name}`)
  expect((await listed(sailor)).list).toEqual([{ name: 'knots', type: 'function' }])
  const none = { catalog, databaseName: 'no_boats' }
  expect((await admin.call(schema.functions, none)).code).toBe(CODES.NotFound.code)
  const stranger = await app.stranger(['db_admin'])
  expect((await stranger.call(schema.functions, boats)).code).toBe(CODES.NotFound.code)
})

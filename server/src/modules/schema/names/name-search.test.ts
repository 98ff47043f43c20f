import { CODES, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../../testing/start-app.ts'

const BOATS = `CREATE DATABASE boats; CREATE DATABASE harbour;
  CREATE TABLE boats.oars (oar_id BIGINT, length_cm INT);
  CREATE TABLE boats.oar_makers (name VARCHAR, oar_id BIGINT);
  CREATE TABLE harbour.soaring ("Oar count" INT);
  CREATE VIEW boats.long_oars AS SELECT oar_id FROM boats.oars`

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

async function find(user: TestUser, search: string) {
  const { data } = await user.call(schema.search, { search })
  return data.list.map(({ type, database, object, name }) =>
    [type, ...[database, object?.name, type === 'database' ? undefined : name].filter(Boolean)].join(' '),
  )
}

test('who was given nothing finds nothing of it, and neither does another account or who is not signed in', async () => {
  const { app } = await setUp()
  for (const user of [await app.user(), await app.user(['user_admin']), await app.stranger(['db_admin'])])
    for (const word of ['oar', 'boats', 'harbour', 'length_cm']) expect(await find(user, word)).toEqual([])
  expect((await app.call(schema.search, { search: 'oar' })).code).toBe(CODES.LoginRequired.code)
})

test('what is granted is found, with the database it is in and its columns, and nothing beside it', async () => {
  const { app, admin } = await setUp()
  const clerk = await app.user()
  await run(admin, `GRANT INSERT ON boats.oar_makers TO ${clerk.name}`)
  expect(await find(clerk, 'oar')).toEqual(['table boats oar_makers', 'column boats oar_makers oar_id'])
  expect(await find(clerk, 'boats')).toEqual(['database boats'])
  expect(await find(clerk, 'harbour')).toEqual([])
  await run(admin, `GRANT SELECT ON ALL VIEWS IN DATABASE boats TO ${clerk.name}`)
  expect(await find(clerk, 'long')).toEqual(['view boats long_oars'])
  await run(admin, `REVOKE INSERT ON boats.oar_makers FROM ${clerk.name}`)
  expect(await find(clerk, 'makers')).toEqual([])
})

test('catalogs, databases, tables, views and columns are found by a part of their names, the nearest first', async () => {
  const { admin } = await setUp()
  expect(await find(admin, 'OARS')).toEqual(['table boats oars', 'view boats long_oars'])
  expect(await find(admin, 'oar')).toEqual(
    [
      'table boats oar_makers',
      'table boats oars',
      'view boats long_oars',
      'table harbour soaring',
      'column harbour soaring Oar count',
      'column boats oars oar_id',
      'column boats oar_makers oar_id',
      'column boats long_oars oar_id',
    ].toSorted(inOrderOf(await find(admin, 'oar'))),
  )
  expect(await find(admin, 'default_cat')).toEqual(['catalog default_catalog'])
  expect(await find(admin, 'harb')).toEqual(['database harbour'])
})

/** Columns of one name come in the order of the engine, which is nobody's. */
const inOrderOf = (found: readonly string[]) => (a: string, b: string) => found.indexOf(a) - found.indexOf(b)

test('words before the last say where it is', async () => {
  const { admin } = await setUp()
  expect(await find(admin, 'harbour oar')).toEqual([
    'table harbour soaring',
    'column harbour soaring Oar count',
  ])
  expect(await find(admin, 'boats.oars')).toEqual(['table boats oars', 'view boats long_oars'])
  expect(await find(admin, 'makers id')).toEqual(['column boats oar_makers oar_id'])
  expect(await find(admin, 'elsewhere oar')).toEqual([])
})

test('what is created, renamed or dropped is found, or not, at once', async () => {
  const { admin } = await setUp()
  expect(await find(admin, 'rudder')).toEqual([])
  await run(admin, 'CREATE TABLE boats.rudders (n INT)')
  expect(await find(admin, 'rudder')).toEqual(['table boats rudders'])
  await run(admin, 'ALTER TABLE boats.rudders ADD COLUMN rudder_kind INT')
  expect(await find(admin, 'rudder')).toEqual(['table boats rudders', 'column boats rudders rudder_kind'])
  await admin.call(schema.rename, {
    catalog: 'default_catalog',
    databaseName: 'boats',
    tableName: 'rudders',
    newName: 'helms',
  })
  expect(await find(admin, 'helm')).toEqual(['table boats helms'])
  await run(admin, 'DROP DATABASE boats CASCADE')
  expect(await find(admin, 'helm')).toEqual([])
  expect(await find(admin, 'boats')).toEqual([])
})

test('a list that is cut says so, keeps room for columns, and a text without a letter is refused', async () => {
  const { admin } = await setUp()
  const { data } = await admin.call(schema.search, { search: 'oar', limit: 4 })
  expect(data.list.map(({ type }) => type)).toEqual(['table', 'table', 'view', 'column'])
  expect(data.more).toBe(true)
  expect((await admin.call(schema.search, { search: 'helm', limit: 4 })).data).toEqual({
    list: [],
    more: false,
  })
  for (const search of ['', '   ', 'x'.repeat(300)])
    expect((await admin.call(schema.search, { search })).code).toBe(CODES.BadInput.code)
})

test('with every warehouse suspended names are found all the same', async () => {
  const { admin } = await setUp()
  await run(admin, 'SUSPEND WAREHOUSE default_warehouse')
  expect(await find(admin, 'oars')).toEqual(['table boats oars', 'view boats long_oars'])
})

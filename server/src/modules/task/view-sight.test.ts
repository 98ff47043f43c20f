import { CODES, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { TestUser } from '../../testing/start-app.ts'
import { done, PLACE, session, setUp } from '../../testing/view-kit.ts'

const TABLES = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'main' ORDER BY 1`
const COLUMNS = `SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'main' ORDER BY 1`

const found = async (user: TestUser, search: string) =>
  (await user.call(schema.search, { search, limit: 20 })).data.list.map(({ type, name }) => `${type} ${name}`)

test('access to all tables shows no materialized views, nor the other way round', async () => {
  const { app, run } = await setUp()
  const [ofTables, ofViews, ofOne] = [await app.user(), await app.user(), await app.user()]
  await done(
    run,
    'CREATE MATERIALIZED VIEW fleet AS SELECT a AS anchor FROM boats',
    'CREATE MATERIALIZED VIEW Flotilla AS SELECT a AS anchor FROM boats',
    `GRANT SELECT ON ALL TABLES IN DATABASE main TO ${ofTables.name}`,
    `GRANT SELECT ON ALL MATERIALIZED VIEWS IN DATABASE main TO ${ofViews.name}`,
    `GRANT SELECT ON MATERIALIZED VIEW flotilla TO ${ofOne.name}`,
  )
  const seen: (readonly [TestUser, readonly string[]])[] = [
    [ofTables, ['boats']],
    [ofViews, ['Flotilla', 'fleet']],
    [ofOne, ['Flotilla']],
  ]
  for (const [user, names] of seen) {
    const asUser = await session(user)
    for (const sql of [TABLES, COLUMNS])
      expect([sql, (await asUser(sql)).result]).toEqual([sql, names.map((name) => [name])])
    expect((await asUser('SHOW TABLES')).result).toEqual(expect.arrayContaining(names.map((name) => [name])))
    expect((await found(user, 'fl')).toSorted()).toEqual(
      names.filter((name) => name !== 'boats').map((name) => `materialized_view ${name}`),
    )
    expect(await found(user, 'anchor')).toHaveLength(names.filter((name) => name !== 'boats').length)
  }
  // Later ones and those that go are seen, and no longer seen, at once.
  const asTables = await session(ofTables)
  await done(run, 'DROP MATERIALIZED VIEW fleet', 'CREATE TABLE fleet AS SELECT 1 AS anchor')
  expect((await asTables(TABLES)).result).toEqual([['boats'], ['fleet']])
})

test('statements on a materialized view need its own privileges, however it is named', async () => {
  const { app, run, admin } = await setUp()
  const [ofTables, ofOne] = [await app.user(), await app.user()]
  await done(
    run,
    'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats',
    `GRANT SELECT, DROP ON ALL TABLES IN DATABASE main TO ${ofTables.name}`,
    `GRANT SELECT ON MATERIALIZED VIEW fleet TO ${ofOne.name}`,
  )
  for (const type of ['table', 'materialized_view'] as const) {
    const asked = { ...PLACE, object: { type, name: 'FLEET' } }
    expect((await ofTables.call(schema.actions, asked)).code).toBe(CODES.NotFound.code)
    expect((await ofOne.call(schema.actions, asked)).data.dropObject).toContain('DROP on MATERIALIZED VIEW')
    expect((await admin.call(schema.actions, asked)).data).toEqual({ dropObject: '' })
  }
  const boats = { ...PLACE, object: { type: 'table', name: 'boats' } } as const
  expect((await ofTables.call(schema.actions, boats)).data).toEqual({ dropObject: '' })
})

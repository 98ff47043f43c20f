import { CODES, LIMITS, schema } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { done, PLACE, session, setUp } from '../../testing/view-kit.ts'

const DENIED = CODES.NoPermission.code
const FLEET = { ...PLACE, mvName: 'fleet' }

async function withFleet() {
  const set = await setUp()
  await done(set.run, 'CREATE MATERIALIZED VIEW fleet AS SELECT * FROM boats')
  return set
}

test('a user without ALTER cannot rename it, and a user without access does not learn that it exists', async () => {
  const { app, run, rows } = await withFleet()
  const [ada, grace] = [await app.user(), await app.user()]
  await done(run, `GRANT SELECT ON MATERIALIZED VIEW fleet TO ${ada.name}`)
  expect((await ada.call(schema.rename, { ...FLEET, newName: 'x' })).code).toBe(DENIED)
  expect((await (await session(ada))('ALTER MATERIALIZED VIEW fleet RENAME x')).errCode).toBe(DENIED)
  for (const other of [grace, await app.stranger(['db_admin'])])
    expect((await other.call(schema.rename, { ...FLEET, newName: 'x' })).code).toBe(CODES.NotFound.code)
  expect((await app.call(schema.rename, { ...FLEET, newName: 'x' })).code).toBe(CODES.LoginRequired.code)
  expect(await rows('SELECT * FROM fleet')).toEqual([['1']])
})

test('it has its rows, grants and refreshes under the new name, and nothing under the old one', async () => {
  const { app, admin, run, rows } = await withFleet()
  const ada = await app.user()
  await done(run, `GRANT SELECT, ALTER ON MATERIALIZED VIEW fleet TO ${ada.name}`)
  expect((await ada.call(schema.rename, { ...FLEET, newName: 'Great fleet' })).code).toBe(CODES.Ok.code)
  const renamed = { ...PLACE, mvName: 'great fleet' }
  expect((await ada.call(schema.describe, renamed)).data).toMatchObject({
    name: 'Great fleet',
    type: 'materialized_view',
    actions: ['read', 'alter'],
  })
  expect((await admin.call(schema.refreshTasks, renamed)).data.list).toMatchObject([{ reason: 'create' }])
  for (const other of [FLEET, { ...PLACE, mvName: 'boats' }])
    expect((await admin.call(schema.describe, other)).code).toBe(CODES.NotFound.code)
  await done(run, 'INSERT INTO boats VALUES (2)', 'REFRESH MATERIALIZED VIEW "Great fleet"')
  expect(await rows('SELECT count(*) FROM "great fleet"')).toEqual([['2']])
  await done(run, 'CREATE TABLE fleet AS SELECT 7 AS a')
  expect((await (await session(ada))('SELECT * FROM fleet')).errCode, 'nothing is left on the name').toBe(
    DENIED,
  )
  await done(run, 'DROP TABLE fleet', 'ALTER MATERIALIZED VIEW "Great fleet" RENAME TO FLEET')
  expect((await admin.call(schema.materializedViews, PLACE)).data.list).toMatchObject([{ mvName: 'FLEET' }])
  await done(
    run,
    'ALTER MATERIALIZED VIEW fleet RENAME fleet',
    'ALTER MATERIALIZED VIEW IF EXISTS none RENAME n',
  )
  expect((await admin.call(schema.materializedViews, PLACE)).data.list).toMatchObject([{ mvName: 'fleet' }])
  expect(await rows('SELECT count(*) FROM fleet')).toEqual([['2']])
  const entries = await app.store.db
    .selectFrom('audit_entries')
    .select('entry')
    .where('action', '=', 'materialized_view.rename')
    .orderBy('number')
    .execute()
  expect(entries.map(({ entry }) => (JSON.parse(entry) as { after: unknown }).after)).toEqual([
    { name: 'Great fleet' },
    { name: 'FLEET' },
    { name: 'fleet' },
  ])
})

test('a name that is taken, too long or invalid is refused, and nothing changes', async () => {
  const { admin, run, rows } = await withFleet()
  await done(run, 'CREATE MATERIALIZED VIEW other AS SELECT 9 AS a', 'CREATE VIEW seen AS SELECT 3 AS a')
  for (const name of ['boats', 'OTHER', 'seen']) {
    const { code, message } = await admin.call(schema.rename, { ...FLEET, newName: name, evenIfUsed: true })
    expect([code, message]).toEqual([CODES.NameTaken.code, expect.stringContaining(name)])
    expect((await run(`ALTER MATERIALIZED VIEW fleet RENAME ${name}`)).errMsg).toContain('already')
  }
  expect((await admin.call(schema.rename, { ...FLEET, newName: '' })).code).toBe(CODES.BadInput.code)
  const long = 'x'.repeat(LIMITS.identifierLength + 1)
  expect((await run(`ALTER MATERIALIZED VIEW fleet RENAME ${long}`)).errMsg).toContain('at most')
  expect((await run('ALTER MATERIALIZED VIEW fleet RENAME a.b')).errMsg).toContain('Write ALTER')
  await done(run, 'CREATE MATERIALIZED VIEW reader AS SELECT * FROM fleet')
  const used = await admin.call(schema.rename, { ...FLEET, newName: 'x' })
  expect([used.code, used.message]).toEqual([CODES.Conflict.code, expect.stringContaining('main.reader')])
  expect(await rows('SELECT * FROM fleet')).toEqual([['1']])
})

test('one that is being refreshed is not renamed, and of two at once one has its name', async () => {
  const { app, admin, run, rows } = await withFleet()
  const other = await session(admin)
  const runs = (state: 'running' | 'success') =>
    app.store.db.updateTable('task_runs').set({ state }).execute()
  await runs('running')
  const busy = await admin.call(schema.rename, { ...FLEET, newName: 'x' })
  expect([busy.code, busy.message]).toEqual([
    CODES.Conflict.code,
    expect.stringContaining('is being refreshed'),
  ])
  await runs('success')
  const both = await Promise.all([
    run('ALTER MATERIALIZED VIEW fleet RENAME one'),
    other('ALTER MATERIALIZED VIEW fleet RENAME two'),
  ])
  expect(both.filter(({ errMsg }) => errMsg === '')).toHaveLength(1)
  const [name] = (await admin.call(schema.materializedViews, PLACE)).data.list.map(({ mvName }) => mvName)
  expect(await rows(`SELECT * FROM ${name}`)).toEqual([['1']])
})

test('a rename that a server has left is finished or reverted, as the engine has it', async () => {
  const { app, admin, run, rows } = await withFleet()
  const leave = (renamingTo: string) =>
    app.store.db
      .updateTable('materialized_views')
      .set({ state: 'renaming', renaming_to: renamingTo })
      .execute()
  // Before the table was renamed.
  await leave('armada')
  app.materialized.forgetKnown(app.accountId)
  expect((await run('CREATE MATERIALIZED VIEW armada AS SELECT 1 AS a')).errMsg, 'it is promised').toContain(
    'already',
  )
  expect((await run('DROP TABLE fleet')).errCode).toBe(DENIED)
  await app.materialized.recover()
  expect(await rows('SELECT * FROM fleet')).toEqual([['1']])
  await done(run, 'REFRESH MATERIALIZED VIEW fleet')
  // After it, and before that was written down.
  await done(run, 'ALTER MATERIALIZED VIEW fleet RENAME armada')
  await app.store.db.updateTable('materialized_views').set({ name: 'fleet' }).execute()
  await leave('armada')
  app.materialized.forgetKnown(app.accountId)
  expect((await run('DROP TABLE armada')).errCode, 'nobody takes it for a table').toBe(DENIED)
  await app.materialized.recover()
  expect((await admin.call(schema.materializedViews, PLACE)).data.list).toMatchObject([{ mvName: 'armada' }])
  await done(run, 'REFRESH MATERIALIZED VIEW armada')
  expect(await rows('SELECT * FROM armada')).toEqual([['1']])
})

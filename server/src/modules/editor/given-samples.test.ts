import { editor, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { SAVED_QUERIES } from '../samples/saved-queries.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { giveSamples, insertSavedQueries } from './saved-queries-store.ts'

const idOf = async (app: TestApp, name: string) =>
  (
    await app.store.db
      .selectFrom('users')
      .select('user_id')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).user_id

const namesOf = async (app: TestApp, name: string) =>
  (
    await app.store.db
      .selectFrom('editor_tabs')
      .innerJoin('users', 'users.user_id', 'editor_tabs.user_id')
      .select('editor_tabs.name')
      .where('users.name', '=', name)
      .where('sample', '=', true)
      .orderBy('position')
      .execute()
  ).map((row) => row.name)

const ALL = SAVED_QUERIES.map(({ name }) => name)
const password = Buffer.from('Rowing_2026').toString('base64')

test('who is invited, or given a password, has the samples that the account has', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const owner = { accountId: app.accountId, userId: await idOf(app, admin.name), at: app.clock.now() }
  await admin.call(perms.createUser, { user: 'before', password })
  expect(await namesOf(app, 'before')).toEqual([])
  await app.store.transaction((trx) => insertSavedQueries(trx, owner, SAVED_QUERIES))
  await admin.call(perms.createUser, { user: 'ada', password })
  await admin.call(perms.createUser, { user: 'bea', email: 'bea@boats.example' })
  await (await admin.channel()).run(`CREATE USER cid IDENTIFIED BY 'Rowing_2026'`)
  for (const user of ['ada', 'bea', 'cid']) expect(await namesOf(app, user)).toEqual(ALL)
  // The first user can delete theirs: they were created for the account.
  const { folders } = (await admin.call(editor.listTabTree, {})).data
  expect(folders.map(({ folder }) => folder)).toEqual(['Samples'])
  await app.store.db.deleteFrom('editor_tabs').where('user_id', '=', owner.userId).execute()
  await admin.call(perms.createUser, { user: 'dot', password })
  expect(await namesOf(app, 'dot')).toEqual(ALL)
})

test('an account that was made with samples gives them, another account does not', async () => {
  const app = await startApp()
  const other = await app.otherAccount()
  await app.store.db
    .updateTable('accounts')
    .set({ wants_samples: true })
    .where('account_id', '=', app.accountId)
    .execute()
  const mine = await app.user([])
  const theirs = await other.user([])
  for (const user of [mine, theirs])
    await app.store.transaction(async (trx) =>
      giveSamples(trx, {
        accountId: user.accountId,
        userId: await idOf(app, user.name),
        at: app.clock.now(),
      }),
    )
  expect(await namesOf(app, mine.name)).toEqual(ALL)
  expect(await namesOf(app, theirs.name)).toEqual([])
})

import { CODES, objectOf, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

const IN_MAIN = { catalog: 'default_catalog', database: 'main' }
const ASKED = { type: 'table' as const, ...IN_MAIN, names: ['boats', 'OARS'] }

async function scene() {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run('CREATE TABLE boats (a INT); CREATE TABLE oars (a INT); CREATE TABLE hulls (a INT)')
  for (const role of ['readers', 'analysts', 'idle'])
    expect((await admin.call(perms.createRole, { role })).code).toBe(CODES.Ok.code)
  await admin.call(perms.grantRoleToRole, { role: 'readers', toRole: 'analysts' })
  const give = (
    role: string,
    object: ReturnType<typeof objectOf>,
    privilege: 'SELECT' | 'DELETE' | 'INSERT',
  ) => admin.call(perms.grantPrivToRole, { role, object, privileges: [privilege] })
  await give('analysts', objectOf('table', { ...IN_MAIN, name: 'boats' }), 'INSERT')
  await give('readers', objectOf('table', IN_MAIN), 'SELECT')
  await give('readers', objectOf('table', { ...IN_MAIN, name: 'oars' }), 'DELETE')
  // Not of what is asked for: another table, another type, another role.
  await give('analysts', objectOf('table', { ...IN_MAIN, name: 'hulls' }), 'DELETE')
  await give('analysts', objectOf('view', IN_MAIN), 'SELECT')
  await give('idle', objectOf('table'), 'DELETE')
  return { app, admin }
}

test('own and inherited privileges on some tables are listed with the way to each', async () => {
  const { admin } = await scene()
  const { list } = (await admin.call(perms.roleMatrix, { role: 'Analysts', ...ASKED })).data
  const rows = list.map(({ objectText, privileges, path }) =>
    [path.map(({ name }) => name).join(' > '), privileges.join(), objectText].join(' | '),
  )
  expect(rows.toSorted()).toEqual([
    'analysts > readers | DELETE | TABLE default_catalog.main.oars',
    'analysts > readers | SELECT | ALL TABLES IN DATABASE default_catalog.main',
    'analysts | INSERT | TABLE default_catalog.main.boats',
  ])
})

test('a built-in role has what comes with it, and a role that inherits it has that through it', async () => {
  const { admin } = await scene()
  const { list } = (await admin.call(perms.roleMatrix, { role: 'account_admin', ...ASKED })).data
  expect(list.some(({ path }) => path.length > 1 && path.at(-1)?.name === 'db_admin')).toBe(true)
  expect(list.every(({ grantedBy }) => grantedBy === null)).toBe(true)
})

test('only user administrators see it, of their account, and no more than a page of it', async () => {
  const { app, admin } = await scene()
  const grace = await app.user(['db_admin'])
  expect((await grace.call(perms.roleMatrix, { role: 'analysts', ...ASKED })).code).toBe(
    CODES.NoPermission.code,
  )
  const stranger = await app.stranger(['user_admin'])
  expect((await stranger.call(perms.roleMatrix, { role: 'analysts', ...ASKED })).code).toBe(
    CODES.NotFound.code,
  )
  const names = Array.from({ length: 101 }, (_, index) => `t${index}`)
  expect((await admin.call(perms.roleMatrix, { role: 'analysts', ...ASKED, names })).code).toBe(
    CODES.BadInput.code,
  )
})

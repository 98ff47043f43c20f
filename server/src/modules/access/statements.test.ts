import { CODES, perms } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

async function setUp() {
  const app = await startApp()
  const admin = await app.admin()
  const grace = await app.user()
  const byAdmin = await admin.channel()
  const run = async (sql: string) => {
    const [answer] = await byAdmin.run(sql)
    if (!answer) throw new Error('no answer')
    return answer
  }
  return { app, admin, grace, run }
}

test('users, roles and grants are made, shown and taken away by statements', async () => {
  const { admin, grace, run } = await setUp()
  for (const sql of [
    `CREATE ROLE crew COMMENT 'who rows'`,
    'CREATE ROLE IF NOT EXISTS crew',
    `CREATE USER ada IDENTIFIED BY 'Rowing_2026' DEFAULT ROLE crew`,
    'CREATE TABLE boats (a INT)',
    'GRANT SELECT, INSERT ON boats TO ROLE crew',
    'GRANT SELECT ON ALL TABLES IN DATABASE main TO USER ada WITH GRANT OPTION',
    `GRANT crew TO ${grace.name}`,
    'GRANT cluster_admin TO ROLE crew',
  ])
    expect([sql, (await run(sql)).errMsg]).toEqual([sql, ''])
  expect((await run('SHOW GRANTS FOR ROLE crew')).result).toEqual([
    ['crew', null, 'GRANT "cluster_admin" TO ROLE "crew"'],
    ['crew', 'default_catalog', 'GRANT INSERT, SELECT ON TABLE default_catalog.main.boats TO ROLE "crew"'],
  ])
  expect((await run('SHOW GRANTS FOR ada')).result).toEqual([
    ['ada', null, 'GRANT "crew" TO USER "ada"'],
    [
      'ada',
      'default_catalog',
      'GRANT SELECT ON ALL TABLES IN DATABASE default_catalog.main TO USER "ada" WITH GRANT OPTION',
    ],
  ])
  expect((await run(`SHOW ROLES LIKE 'cr%'`)).result).toEqual([['crew']])
  expect((await run('SHOW USERS')).result).toEqual([['ada'], ['admin'], [grace.name]])
  await run('REVOKE INSERT ON boats FROM ROLE crew')
  await run(`REVOKE crew FROM ${grace.name}`)
  const { list } = (await admin.call(perms.roleGrants, { role: 'crew' })).data
  expect(list.map(({ privileges }) => privileges)).toEqual([['SELECT']])
  await run('DROP USER ada')
  await run('DROP ROLE crew')
  expect((await run('DROP ROLE crew')).errMsg).toBe('There is no role crew in this account.')
  expect((await run('DROP ROLE IF EXISTS crew')).errMsg).toBe('')
})

test('no password is kept in the history', async () => {
  const { app, run } = await setUp()
  await run(`CREATE USER ada IDENTIFIED BY 'Rowing_2026'`)
  await run(`ALTER USER ada IDENTIFIED BY "Rowing_2027"`)
  await run(`ALTER USER ada IDENTIFIED BY 'Rowing_2028'`)
  await app.endsWritten()
  const rows = await app.store.db.selectFrom('statements').select('sql').orderBy('accepted_at').execute()
  expect(rows.map(({ sql }) => sql).join('\n')).not.toContain('Rowing202')
  expect(rows.map(({ sql }) => sql)).toContain(`CREATE USER ada IDENTIFIED BY '***'`)
})

test('an error names its place, and nothing is ignored', async () => {
  const { run } = await setUp()
  await run('CREATE TABLE boats (a INT)')
  for (const [sql, words] of [
    ['GRANT FLY ON boats TO grace', 'This form of the statement is not supported. Write GRANT role'],
    ['GRANT USAGE ON boats TO grace', 'There is no privilege USAGE on a table.'],
    ['GRANT SELECT ON ships TO grace', 'There is no TABLE default_catalog.main.ships'],
    ['GRANT SELECT ON boats TO nobody_at_all', 'There is no user nobody_at_all'],
    ['GRANT SELECT ON boats TO ROLE db_admin', 'built-in role'],
    ['GRANT db_admin TO admin', 'You cannot grant to yourself'],
    ['CREATE ROLE public', 'This name is reserved'],
    [`CREATE USER ada IDENTIFIED BY 'short'`, '8 to 16 characters'],
    [`SET PASSWORD = PASSWORD('Rowing_2026')`, 'in your profile'],
  ] as const)
    expect([sql, (await run(sql)).errMsg]).toEqual([sql, expect.stringContaining(words)])
})

test('statements ask for what their calls ask for', async () => {
  const { grace } = await setUp()
  const channel = await grace.channel()
  for (const sql of [
    'CREATE ROLE mine',
    `CREATE USER mine IDENTIFIED BY 'Rowing_2026'`,
    'DROP USER admin',
    `GRANT db_admin TO ${grace.name}`,
    'SHOW USERS',
    'SHOW ROLES',
    'SHOW GRANTS FOR admin',
    'SET DEFAULT ROLE NONE TO admin',
    `ALTER USER admin IDENTIFIED BY 'Rowing_2026'`,
  ]) {
    const [answer] = await channel.run(sql)
    expect([sql, answer?.errCode]).toEqual([sql, CODES.NoPermission.code])
  }
  const [own] = await channel.run('SHOW GRANTS')
  expect(own?.result).toEqual([])
})

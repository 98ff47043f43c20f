import { readFile } from 'node:fs/promises'
import { allCalls, type BuiltInRole, type Call, CODES, type Sent } from '@boathouse/contract'
import { STATEMENT_KINDS, type StatementKind } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'
import { WHO } from '../../testing/who-may-call.ts'

/** Roles that bring another with them. */
const BRINGS: Partial<Record<BuiltInRole, readonly BuiltInRole[]>> = {
  account_admin: ['org_admin'],
  db_admin: ['account_admin', 'org_admin'],
  user_admin: ['account_admin', 'org_admin'],
  security_admin: ['account_admin', 'org_admin'],
}
const ROLES: readonly BuiltInRole[] = [
  'account_admin',
  'user_admin',
  'org_admin',
  'cluster_admin',
  'security_admin',
  'db_admin',
]

const nothing = {} as Sent<Call>

test('the table names every call, and says of each what the contract says', () => {
  const said = Object.fromEntries(
    allCalls().map(({ path, needs }) => {
      const who = WHO[path]
      const byNeeds = typeof needs === 'string' ? needs : needs.roles.join()
      const isOpen = who === 'own' || who === 'account' || who === 'privilege'
      return [
        path,
        who === undefined
          ? 'not in the table'
          : byNeeds === (isOpen ? 'login' : who === 'anyone' ? 'nothing' : who),
      ]
    }),
  )
  expect(said).toEqual(Object.fromEntries(allCalls().map(({ path }) => [path, true])))
})

test('without a login nothing is answered but what is for anyone', async () => {
  const app = await startApp()
  const answered: string[] = []
  for (const call of allCalls()) {
    const { code } = await app.call(call, nothing)
    if (code !== CODES.LoginRequired.code) answered.push(call.path)
  }
  expect(answered.sort()).toEqual(Object.keys(WHO).filter((path) => WHO[path] === 'anyone'))
})

test('a call of a role is refused to every other role, and to who has the role but not active [ROLE-07, ROLE-09, ROLE-10]', async () => {
  const app = await startApp()
  const calls = allCalls().filter(({ needs }) => typeof needs !== 'string')
  const refusedTo = async (role: BuiltInRole): Promise<string[]> => {
    const somebody = await app.user([role])
    const refused: string[] = []
    for (const call of calls)
      if ((await somebody.call(call, nothing)).code === CODES.NoPermission.code) refused.push(call.path)
    return refused.sort()
  }
  const opens = (role: BuiltInRole, path: string): boolean => {
    const needed = WHO[path] as BuiltInRole
    return role === needed || (BRINGS[needed] ?? []).includes(role)
  }
  for (const role of ROLES)
    expect([role, await refusedTo(role)]).toEqual([
      role,
      calls
        .map(({ path }) => path)
        .filter((path) => !opens(role, path))
        .sort(),
    ])
  const passive = await app.user(['user_admin', 'security_admin', 'org_admin', 'account_admin'])
  await app.store.db.updateTable('user_roles').set({ active: false }).execute()
  for (const call of calls)
    expect([call.path, (await passive.call(call, nothing)).code]).toEqual([
      call.path,
      CODES.NoPermission.code,
    ])
})

test('the documents name every call that a frozen account is answered, and no other [ACCOUNT-86]', async () => {
  const text = await readFile(new URL('../../../../docs/protocols.md', import.meta.url), 'utf8')
  const [, part = ''] = text.split('### Calls of a frozen account')
  const named = (part.split('###')[0] ?? '').matchAll(/`(\/[a-z-]+\/[a-z-]+)`/g)
  const answered = allCalls().filter(({ whileFrozen, needs }) => whileFrozen && needs !== 'nothing')
  const paths = [...named].map(([, path = '']) => path)
  expect(paths.sort()).toEqual(answered.map(({ path }) => path).sort())
})

/** A statement of each kind that is there, for somebody who was given nothing. */
const STATEMENTS: Partial<Record<StatementKind, string>> = {
  select: 'SELECT * FROM t',
  pivot: 'PIVOT t ON a USING count(*)',
  summarize: 'SUMMARIZE t',
  'describe-query': 'DESCRIBE SELECT * FROM t',
  explain: 'EXPLAIN SELECT * FROM t',
  insert: 'INSERT INTO t VALUES (1)',
  update: 'UPDATE t SET a = 1',
  delete: 'DELETE FROM t',
  truncate: 'TRUNCATE t',
  'create-table': 'CREATE TABLE mine (a INT)',
  'drop-table': 'DROP TABLE t',
  'alter-table': 'ALTER TABLE t ADD COLUMN b INT',
  'create-view': 'CREATE VIEW mine AS SELECT 1',
  'drop-view': 'DROP VIEW v',
  'create-index': 'CREATE INDEX i ON t (a)',
  'create-sequence': 'CREATE SEQUENCE mine',
  'create-macro': 'CREATE MACRO mine() AS 1',
  'create-type': `CREATE TYPE mine AS ENUM ('a')`,
  'comment-on': `COMMENT ON TABLE t IS 'x'`,
  'create-database': 'CREATE DATABASE mine',
  'drop-database': 'DROP DATABASE main',
  'create-catalog': 'CREATE CATALOG mine',
  'alter-catalog': 'ALTER CATALOG lake RENAME TO sea',
  'drop-catalog': 'DROP CATALOG lake',
  'create-materialized-view': 'CREATE MATERIALIZED VIEW mine AS SELECT 1',
  'create-pipe': `CREATE PIPE mine AS INSERT INTO t SELECT * FROM FILES("path" = "folder://f/", "format" = "csv")`,
  'show-create-catalog': 'SHOW CREATE CATALOG default_catalog',
  'create-warehouse': 'CREATE WAREHOUSE mine',
  'drop-warehouse': 'DROP WAREHOUSE default_warehouse',
  'alter-warehouse': 'ALTER WAREHOUSE default_warehouse SET size = Small',
  'suspend-warehouse': 'SUSPEND WAREHOUSE default_warehouse',
  'resume-warehouse': 'RESUME WAREHOUSE default_warehouse',
  'create-user': `CREATE USER mine IDENTIFIED BY 'Rowing_2026'`,
  'drop-user': 'DROP USER admin',
  'alter-user': `ALTER USER admin IDENTIFIED BY 'Rowing_2026'`,
  'create-role': 'CREATE ROLE mine',
  'drop-role': 'DROP ROLE mine',
  grant: 'GRANT SELECT ON t TO admin',
  revoke: 'REVOKE SELECT ON t FROM admin',
  'set-default-role': 'SET DEFAULT ROLE NONE TO admin',
  'set-password': `SET PASSWORD FOR admin = 'Rowing_2026'`,
  'show-grants': 'SHOW GRANTS FOR admin',
  'show-roles': 'SHOW ROLES',
  'show-users': 'SHOW USERS',
}

/** As if what they name were not there: who was given nothing sees nothing. */
const UNSEEN: Partial<Record<StatementKind, string>> = {
  describe: 'DESC t',
  'show-columns': 'SHOW COLUMNS FROM t',
  'show-index': 'SHOW INDEX FROM t',
  'show-create-table': 'SHOW CREATE TABLE t',
  'show-create-view': 'SHOW CREATE VIEW v',
  'show-create-database': 'SHOW CREATE DATABASE hidden',
  'alter-materialized-view': 'ALTER MATERIALIZED VIEW m PAUSE',
  'drop-materialized-view': 'DROP MATERIALIZED VIEW m',
  'refresh-materialized-view': 'REFRESH MATERIALIZED VIEW m',
  'show-create-materialized-view': 'SHOW CREATE MATERIALIZED VIEW m',
  'alter-task': 'ALTER TASK nightly PAUSE',
  'drop-task': 'DROP TASK nightly',
  'alter-pipe': 'ALTER PIPE p SUSPEND',
  'drop-pipe': 'DROP PIPE p',
  'describe-pipe': 'DESC PIPE p',
}

/** For all users: they are about their own session, or list what they have access to. */
const FOR_EVERYONE: readonly StatementKind[] = [
  'begin',
  'commit',
  'rollback',
  'savepoint',
  'lock-tables',
  'unlock-tables',
  'reset-user-variable',
  'reset-variable',
  'set-catalog',
  'set-role',
  'set-sql-select-limit',
  'set-user-variable',
  'set-variable',
  'set-warehouse',
  'use-database',
  'describe-warehouse',
  'show-catalogs',
  'kill',
  'cancel-load',
  'show-load',
  'show-pipes',
  'show-databases',
  'show-materialized-views',
  'show-processlist',
  'show-tables',
  'show-tasks',
  'show-task-runs',
  'prepare',
  'deallocate',
  // What these run is decided on when it runs.
  'execute',
  'submit-task',
  'show-variables',
  'show-views',
  'show-warehouses',
  'show-character-sets',
  'show-collations',
  'show-binary-logs',
  'show-engines',
  'show-events',
  'show-open-tables',
  'show-plugins',
  'show-privileges',
  'show-replication-status',
  'show-routine-status',
  'show-status',
  'show-table-status',
  'show-triggers',
  'show-warnings',
]

/** Never run, for any user: forbidden, or not in this version. */
const FOR_NOBODY: readonly StatementKind[] = [
  'attach',
  'call',
  'checkpoint',
  'copy',
  'create-secret',
  'detach',
  'drop-secret',
  'export',
  'import',
  'inspect-file',
  'install',
  'load',
  'load-data',
  'load-file',
  'pragma',
  'stream-load',
  'unknown',
  'update-extensions',
  'alter-database',
  'alter-index',
  'alter-macro',
  'alter-role',
  'alter-type',
  'analyze',
  'show-profilelist',
  'show-running-queries',
  'vacuum',
]

/** As the kinds beside them, on objects that they need first. */
const ALIKE: readonly StatementKind[] = [
  'unpivot',
  'merge',
  'alter-view',
  'alter-sequence',
  'drop-index',
  'drop-sequence',
  'drop-type',
  'drop-macro',
]

test('every kind of statement is in one of the tables', () => {
  const known = [
    ...Object.keys({ ...STATEMENTS, ...UNSEEN }),
    ...FOR_EVERYONE,
    ...FOR_NOBODY,
    ...ALIKE,
  ].sort()
  expect(known).toEqual(Object.keys(STATEMENT_KINDS).sort())
})

test('a statement of every kind is refused to a user without privileges, and has no effect', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await (await app.admin()).channel()
  await admin.run('CREATE TABLE t (a INT)')
  await admin.run('CREATE VIEW v AS SELECT * FROM t')
  await admin.run('CREATE MATERIALIZED VIEW m AS SELECT * FROM t')
  await admin.run('CREATE DATABASE hidden')
  await admin.run('SUBMIT TASK nightly SCHEDULE EVERY (INTERVAL 1 DAY) AS DELETE FROM t')
  const channel = await (await app.user()).channel()
  for (const [kind, sql] of Object.entries(STATEMENTS)) {
    const [answer] = await channel.run(sql)
    expect([kind, sql, answer?.errCode, answer?.errMsg]).toEqual([
      kind,
      sql,
      CODES.NoPermission.code,
      expect.any(String),
    ])
  }
  for (const [kind, sql] of Object.entries(UNSEEN)) {
    const [answer] = await channel.run(sql)
    const refused = { errCode: CODES.QueryFailed.code, errMsg: expect.any(String), result: [] }
    expect([kind, answer]).toEqual([kind, expect.objectContaining(refused)])
  }
  expect((await admin.run('SELECT count(*) FROM t'))[0]?.result).toEqual([['0']])
})

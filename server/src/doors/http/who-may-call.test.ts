import { readFile } from 'node:fs/promises'
import { allCalls, type BuiltInRole, type Call, CODES, type Sent } from '@boathouse/contract'
import { STATEMENT_KINDS, type StatementKind } from '@boathouse/sql'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

/**
 * Who may make which call, as a table that every new call must be entered into. The door refuses calls of a role to all
 * other users; what 'own' and 'privilege' mean is proved where the call is: no user sees another user's objects.
 */
const WHO: Readonly<Record<string, 'anyone' | 'own' | 'account' | 'privilege' | BuiltInRole>> = {
  '/account/activate': 'anyone',
  '/account/activation-link': 'anyone',
  '/account/details': 'account',
  '/account/locate': 'anyone',
  '/account/set-up-progress': 'anyone',
  '/account/start-free-trial': 'anyone',
  '/alert/create': 'account_admin',
  '/alert/delete': 'account_admin',
  '/alert/deliveries': 'account_admin',
  '/alert/list': 'account_admin',
  '/alert/redeliver': 'account_admin',
  '/alert/test': 'account_admin',
  '/alert/update': 'account_admin',
  '/audit/detail': 'security_admin',
  '/audit/list': 'security_admin',
  '/audit/object-types': 'security_admin',
  '/audit/sign-ins': 'security_admin',
  '/audit/texts': 'security_admin',
  '/audit/verify': 'security_admin',
  '/budget/delete': 'account_admin',
  '/budget/list': 'account_admin',
  '/budget/set': 'account_admin',
  '/cluster/describe': 'privilege',
  '/diagnose/statement': 'own',
  '/diagnose/warehouse': 'privilege',
  '/editor/active-tab': 'own',
  '/editor/change-tab-folder': 'own',
  '/editor/change-tab-folder-parent': 'own',
  '/editor/create-tab': 'own',
  '/editor/create-tab-folder': 'own',
  '/editor/delete-tab-folder': 'own',
  '/editor/delete-tabs': 'own',
  '/editor/empty-bin': 'own',
  '/editor/hide-tab': 'own',
  '/editor/kill': 'own',
  '/editor/list-deleted-tabs': 'own',
  '/editor/list-tab-tree': 'own',
  '/editor/order-tabs': 'own',
  '/editor/restore-tab': 'own',
  '/editor/tab-detail': 'own',
  '/editor/update-sql': 'own',
  '/editor/update-tab-chart': 'own',
  '/editor/update-tab-database': 'own',
  '/editor/update-tab-folder': 'own',
  '/editor/update-tab-name': 'own',
  '/firewall/confirm-change': 'security_admin',
  '/firewall/create-rule': 'security_admin',
  '/firewall/delete-rule': 'security_admin',
  '/firewall/rules': 'security_admin',
  '/firewall/take-back-change': 'security_admin',
  '/firewall/update-rule': 'security_admin',
  '/integration/check-iam-role': 'account_admin',
  '/integration/connections': 'own',
  '/integration/delete-iam-role': 'account_admin',
  '/integration/endpoints': 'account',
  '/integration/iam-roles': 'account_admin',
  '/integration/own-requests': 'own',
  '/integration/register-iam-role': 'account_admin',
  '/integration/request': 'own',
  '/key/create': 'own',
  '/key/list': 'own',
  '/key/revoke': 'own',
  '/key/rotate': 'own',
  '/log/report': 'anyone',
  '/marketplace/resolve': 'anyone',
  '/marketplace/sign-up': 'anyone',
  '/metrics/list': 'account',
  '/metrics/series': 'own',
  '/org/account-detail': 'org_admin',
  '/org/confirm-release': 'org_admin',
  '/org/create-account': 'org_admin',
  '/org/detail': 'account',
  '/org/free-trial-contract': 'account',
  '/org/list-account': 'account',
  '/org/release-account': 'org_admin',
  '/payment/answer-test-challenge': 'privilege',
  '/payment/card-binding': 'privilege',
  '/payment/confirm-test-card': 'privilege',
  '/payment/get-customer': 'privilege',
  '/payment/invoice-file': 'account_admin',
  '/payment/invoice-lines': 'account_admin',
  '/payment/line-hours': 'account_admin',
  '/payment/list-invoices': 'account_admin',
  '/payment/overview': 'account_admin',
  '/payment/setup-customer': 'privilege',
  '/payment/setup-payment-method': 'privilege',
  '/perms/all-roles': 'own',
  '/perms/create-role': 'user_admin',
  '/perms/create-user': 'user_admin',
  '/perms/delete-role': 'user_admin',
  '/perms/delete-user': 'user_admin',
  '/perms/describe-role': 'user_admin',
  '/perms/describe-user': 'user_admin',
  '/perms/effect': 'user_admin',
  '/perms/effective-privileges': 'user_admin',
  '/perms/explain': 'user_admin',
  '/perms/get-active-recursion-roles': 'own',
  '/perms/get-default-roles': 'own',
  '/perms/grant-priv-to-role': 'privilege',
  '/perms/grant-priv-to-user': 'privilege',
  '/perms/grant-role-to-role': 'user_admin',
  '/perms/grant-role-to-user': 'user_admin',
  '/perms/list-roles': 'user_admin',
  '/perms/list-users': 'user_admin',
  '/perms/revoke-priv-from-role': 'privilege',
  '/perms/revoke-priv-from-user': 'privilege',
  '/perms/revoke-role-from-role': 'user_admin',
  '/perms/revoke-role-from-user': 'user_admin',
  '/perms/role-grants': 'user_admin',
  '/perms/roles-role': 'user_admin',
  '/perms/roles-user': 'user_admin',
  '/perms/set-roles': 'own',
  '/perms/set-user-email': 'user_admin',
  '/perms/user-grants': 'user_admin',
  '/perms/user-roles': 'user_admin',
  '/pkg/list': 'account',
  '/query/detail': 'own',
  '/query/earlier-runs': 'own',
  '/query/export-result': 'own',
  '/query/export-state': 'own',
  '/query/full-run-state': 'own',
  '/query/history': 'own',
  '/query/kill': 'own',
  '/query/result-cell': 'own',
  '/query/result-window': 'own',
  '/query/run-in-full': 'own',
  '/query/running': 'own',
  '/query/stop-export': 'own',
  '/result/arranged-rows': 'own',
  '/result/facts': 'own',
  '/result/share': 'own',
  '/result/unshare': 'own',
  '/quota/account': 'account_admin',
  '/quota/own': 'own',
  '/region/list': 'anyone',
  '/schema/actions': 'privilege',
  '/schema/add-catalog': 'db_admin',
  '/schema/catalog-options': 'db_admin',
  '/schema/catalogs': 'privilege',
  '/schema/columns': 'privilege',
  '/schema/comment': 'privilege',
  '/schema/create-catalog': 'db_admin',
  '/schema/create-database': 'privilege',
  '/schema/create-table': 'privilege',
  '/schema/databases': 'privilege',
  '/schema/dependencies': 'privilege',
  '/schema/describe': 'privilege',
  '/schema/drop-catalog': 'db_admin',
  '/schema/drop-database': 'privilege',
  '/schema/drop-materialized-view': 'privilege',
  '/schema/drop-table': 'privilege',
  '/schema/drop-view': 'privilege',
  '/schema/functions': 'privilege',
  '/schema/materialized-view': 'privilege',
  '/schema/materialized-views': 'privilege',
  '/schema/pause-materialized-view': 'privilege',
  '/schema/readers': 'privilege',
  '/schema/refresh-materialized-view': 'privilege',
  '/schema/refresh-tasks': 'privilege',
  '/schema/rename': 'privilege',
  '/schema/rename-catalog': 'db_admin',
  '/schema/restore-samples': 'privilege',
  '/schema/sample': 'privilege',
  '/schema/search': 'privilege',
  '/schema/show-create-catalog': 'db_admin',
  '/schema/show-create-table': 'privilege',
  '/schema/show-warehouse': 'own',
  '/schema/table-sizes': 'privilege',
  '/schema/tables': 'privilege',
  '/schema/test-catalog': 'db_admin',
  '/schema/update-warehouse': 'own',
  '/schema/views': 'privilege',
  '/sso/begin': 'anyone',
  '/sso/confirm': 'anyone',
  '/sso/confirmation-link': 'anyone',
  '/sso/connect': 'own',
  '/sso/connection': 'own',
  '/sso/delete-settings': 'security_admin',
  '/sso/disconnect': 'own',
  '/sso/finish': 'anyone',
  '/sso/finish-connect': 'own',
  '/sso/offer': 'anyone',
  '/sso/save-settings': 'security_admin',
  '/sso/settings': 'security_admin',
  '/task/begin-upload': 'own',
  '/task/create-load': 'privilege',
  '/task/drop-load': 'own',
  '/task/drop-upload': 'own',
  '/task/inspect-upload': 'own',
  '/task/load': 'own',
  '/task/load-rejections': 'own',
  '/task/loads': 'own',
  '/task/pause-load': 'own',
  '/task/change-pipe': 'own',
  '/task/create-pipe': 'privilege',
  '/task/drop-pipe': 'own',
  '/task/find-pipe': 'own',
  '/task/pipe': 'own',
  '/task/pipe-files': 'own',
  '/task/pipe-sources': 'own',
  '/task/pipes': 'own',
  '/task/resume-pipe': 'own',
  '/task/retry-pipe-file': 'own',
  '/task/retry-pipe-files': 'own',
  '/task/skip-pipe-file': 'own',
  '/task/suspend-pipe': 'own',
  '/task/resume-load': 'own',
  '/task/upload': 'own',
  '/usage/by-statement': 'account_admin',
  '/usage/by-user': 'account_admin',
  '/usage/details': 'account_admin',
  '/usage/summary': 'account_admin',
  '/user/account-info': 'own',
  '/user/change-password': 'own',
  '/user/confirm-email': 'anyone',
  '/user/email-change-link': 'anyone',
  '/user/end-login': 'own',
  '/user/end-other-logins': 'own',
  '/user/info': 'own',
  '/user/invitation-link': 'anyone',
  '/user/list-logins': 'own',
  '/user/list-sign-ins': 'own',
  '/user/list-messages': 'own',
  '/user/list-unread-messages': 'own',
  '/user/login': 'anyone',
  '/user/logout': 'own',
  '/user/mark-message-read': 'own',
  '/user/password-reset-link': 'anyone',
  '/user/request-email-change': 'own',
  '/user/request-password-reset': 'anyone',
  '/user/reset-password': 'anyone',
  '/user/set-up-password': 'anyone',
  '/vpce/create': 'security_admin',
  '/vpce/delete': 'security_admin',
  '/vpce/list': 'security_admin',
  '/warehouse/activity': 'privilege',
  '/warehouse/create': 'privilege',
  '/warehouse/delete': 'privilege',
  '/warehouse/describe': 'privilege',
  '/warehouse/grants': 'privilege',
  '/warehouse/list': 'privilege',
  '/warehouse/resume': 'privilege',
  '/warehouse/sizes': 'account',
  '/warehouse/suspend': 'privilege',
  '/warehouse/update': 'privilege',
  '/warehouse/usage': 'privilege',
}

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

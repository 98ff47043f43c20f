import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ownerProblems, problemsWith } from './check-tables.mjs'

const OUTSIDE = ['asks the database: move that to a store file']

test.each([
  "const rows = await db.selectFrom('users').selectAll().execute()",
  "await trx\n  .deleteFrom('users')\n  .execute()",
  "import { type Kysely, sql } from 'kysely'",
  "import { sql as raw } from 'kysely'",
])('SQL outside of a store file is refused: %s', (text) => {
  expect(problemsWith('server/src/modules/user/service.ts', text)).toEqual(OUTSIDE)
  expect(problemsWith('server/src/doors/http/signed-request.ts', text)).toEqual(OUTSIDE)
  expect(problemsWith('server/src/modules/user/restore.ts', text)).toEqual(OUTSIDE)
})

test.each([
  "import type { Kysely, Transaction } from 'kysely'",
  "import { type Kysely, type Transaction } from 'kysely'",
  "/** As `db.selectFrom('users')` does. */",
])('a service may pass a transaction on: %s', (text) => {
  expect(problemsWith('server/src/modules/user/service.ts', text)).toEqual([])
})

test.each([
  ["trx.insertInto('users').values(row)", 'writes to users'],
  ["trx\n  .updateTable('user_roles as r')", 'writes to user_roles'],
  ['sql`delete from statements where true`', 'writes to statements'],
  ['sql`update connections set warehouse = 1`', 'writes to connections'],
  ["db.selectFrom('links').selectAll()", 'reads links'],
  ["db.selectFrom(['accounts', 'mails as m'])", 'reads mails'],
  ["db.selectFrom('accounts').innerJoin('logins', 'a', 'b')", 'reads logins'],
  ['sql`select 1 from trials join sign_ups on true`', 'reads sign_ups'],
])("a store file does not name another module's table: %s", (text, problem) => {
  const problems = problemsWith('server/src/modules/org/trial-store.ts', text)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain(problem)
})

test('a store file names the tables of its module, and reads those that it is said to read', () => {
  const own = "trx.insertInto('trials'); sql`delete from deleted_accounts`; db.selectFrom('users')"
  expect(problemsWith('server/src/modules/org/trial-store.ts', own)).toEqual([])
  expect(
    problemsWith('server/src/modules/query/results/result-store.ts', "db.deleteFrom('downloads')"),
  ).toEqual([])
  expect(problemsWith('server/src/doors/http/nonce-store.ts', "db.insertInto('request_nonces')")).toEqual([])
})

test('tests and the store itself name every table', () => {
  const text = "db.selectFrom('users').innerJoin('mails', 'a', 'b')"
  for (const file of ['modules/org/org.test.ts', 'testing/start-app.ts', 'store/migrate.ts'])
    expect(problemsWith(`server/src/${file}`, text)).toEqual([])
})

test('a table that nobody owns is found, and so is an owned one that is gone', () => {
  const schema = readFileSync(new URL('../server/src/store/schema.ts', import.meta.url), 'utf8')
  expect(ownerProblems(schema)).toEqual([])
  expect(ownerProblems(schema.replace('  users: UsersTable', '  boats: BoatsTable'))).toEqual([
    'boats has no owner',
    'users is owned, but is no table',
  ])
})

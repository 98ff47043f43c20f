import { objectOf } from '@boathouse/contract/privileges'
import {
  readAlterUser,
  readAlterWarehouse,
  readCreateRole,
  readCreateUser,
  readCreateWarehouse,
  readDropWarehouse,
  readRenameCatalog,
  readGrant,
  readRevoke,
  readSetDefaultRole,
  readStatement,
} from '@boathouse/sql'
import { expect, test } from 'vitest'
import { type Change, SECRET } from '../../lib/recent-changes.ts'
import { httpCall } from './http-call.ts'
import { statementOf } from './statement-of.ts'

const change = (path: Change['path'], input: unknown, warehouse: string | null = null): Change => ({
  id: 1,
  at: 0,
  summary: 'Done',
  method: 'POST',
  path,
  address: `/api${path}`,
  toCentral: false,
  input,
  warehouse,
})

const sql = (...of: Parameters<typeof change>) => statementOf(change(...of))

test('what was done with users, roles and privileges is a statement that the service reads', () => {
  const table = objectOf('table', { catalog: 'c', database: 'd', name: 'odd "name"' })
  const grant = sql('/perms/grant-priv-to-role', {
    role: 'readers',
    object: table,
    privileges: ['SELECT', 'INSERT'],
    withGrantOption: true,
  })
  expect(grant).toBe(
    'GRANT SELECT, INSERT ON TABLE "c"."d"."odd ""name""" TO ROLE "readers" WITH GRANT OPTION;',
  )
  expect(sql('/perms/revoke-role-from-user', { role: 'readers', user: 'grace' })).toBe(
    'REVOKE "readers" FROM USER "grace";',
  )
  const set = sql('/perms/set-user-email', { user: 'grace', email: "o'hara@x.example" })
  expect(set).toBe(`ALTER USER "grace" SET EMAIL 'o''hara@x.example';`)
  expect(readAlterUser(readStatement(set?.slice(0, -1) ?? ''))).toMatchObject({ email: "o'hara@x.example" })
  expect(sql('/perms/set-roles', { roles: [] })).toBe('SET DEFAULT ROLE NONE;')
  expect(
    sql('/perms/grant-priv-to-user', {
      user: 'grace',
      object: objectOf('view', { catalog: 'c' }),
      privileges: ['SELECT'],
    }),
  ).toBe('GRANT SELECT ON ALL VIEWS IN CATALOG "c" TO USER "grace";')
})

test('a warehouse has the name that it had when it was changed', () => {
  const warehouseId = '00000000-0000-4000-8000-000000000001'
  expect(sql('/warehouse/suspend', { warehouseId }, 'etl')).toBe('SUSPEND WAREHOUSE "etl";')
  expect(sql('/warehouse/suspend', { warehouseId }, null)).toBeNull()
  expect(
    sql('/warehouse/update', { warehouseId, name: 'load', size: 'Small', idleMinutes: null }, 'etl'),
  ).toBe(
    `ALTER WAREHOUSE "etl" SET SIZE = 'Small', AUTO_SUSPEND = 0;\nALTER WAREHOUSE "etl" RENAME TO "load";`,
  )
})

test('databases, tables and views are made, renamed, described and dropped by statements', () => {
  const place = { catalog: 'c', databaseName: 'd' }
  const column = { name: 'id', type: 'BIGINT', nullable: false, primaryKey: true, default: '', comment: '' }
  expect(
    sql('/schema/create-table', {
      ...place,
      tableName: 't',
      comment: "it's new",
      columns: [column, { ...column, name: 'day', type: 'DATE', primaryKey: false, default: '2026-01-01' }],
    }),
  ).toBe(`CREATE TABLE "c"."d"."t" (
  "id" BIGINT PRIMARY KEY,
  "day" DATE NOT NULL DEFAULT '2026-01-01'
);
COMMENT ON TABLE "c"."d"."t" IS 'it''s new';`)
  expect(sql('/schema/rename', { ...place, name: 'v', newName: 'w' })).toBe(
    'ALTER VIEW "c"."d"."v" RENAME TO "w";',
  )
  expect(sql('/schema/comment', { ...place, tableName: 't', column: 'id', comment: 'key' })).toBe(
    `COMMENT ON COLUMN "c"."d"."t"."id" IS 'key';`,
  )
  expect(sql('/schema/create-catalog', { name: 'c', description: "it's ours" })).toBe(
    `CREATE CATALOG "c" COMMENT 'it''s ours';`,
  )
  expect(sql('/schema/drop-catalog', { catalog: 'c', cascade: true })).toBe('DROP CATALOG "c" CASCADE;')
  expect(sql('/schema/drop-database', { ...place, cascade: true })).toBe('DROP DATABASE "c"."d" CASCADE;')
})

const READERS = {
  '/perms/create-user': readCreateUser,
  '/perms/create-role': readCreateRole,
  '/perms/grant-role-to-role': readGrant,
  '/perms/revoke-priv-from-user': readRevoke,
  '/perms/set-roles': readSetDefaultRole,
  '/warehouse/create': readCreateWarehouse,
  '/warehouse/update': readAlterWarehouse,
  '/warehouse/delete': readDropWarehouse,
  '/schema/rename-catalog': readRenameCatalog,
} as const

const INPUTS: Record<keyof typeof READERS, unknown> = {
  '/perms/create-user': { user: "o'hara", email: null, password: SECRET, roles: ['a b', 'all'] },
  '/perms/create-role': { role: 'role', comment: "it's ours" },
  '/perms/grant-role-to-role': { role: 'user', toRole: 'to' },
  '/perms/revoke-priv-from-user': {
    user: 'grace',
    object: objectOf('database', { catalog: 'c', database: 'd' }),
    privileges: ['CREATE TABLE'],
  },
  '/perms/set-roles': { roles: ['none', 'b'] },
  '/warehouse/create': {
    name: 'etl',
    size: 'X-Small',
    idleMinutes: 5,
    autoResume: true,
    description: "a 'b'",
  },
  '/warehouse/update': { warehouseId: 'x', description: 'c' },
  '/warehouse/delete': { warehouseId: 'x' },
  '/schema/rename-catalog': { catalog: 'rename', newName: 'to' },
}

test.each(Object.keys(READERS) as (keyof typeof READERS)[])(
  '%s is read by the parser of the service',
  (path) => {
    const text = sql(path, INPUTS[path], 'etl') ?? ''
    expect(READERS[path](readStatement(text)), `is read: ${text}`).not.toBeNull()
  },
)

test('the same as a call from a shell, with quotes that a shell keeps', () => {
  const text = httpCall(change('/perms/create-role', { role: 'r', comment: "it's" }))
  expect(text).toContain(String.raw`BODY='{"role":"r","comment":"it'\''s"}'`)
  expect(text).toContain(`curl -s 'http://localhost:3000/api/perms/create-role'`)
})

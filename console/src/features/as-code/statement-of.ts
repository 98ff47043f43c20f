import type { Input } from '@boathouse/contract/call'
import type { perms } from '@boathouse/contract/perms'
import type { AccessObject } from '@boathouse/contract/privileges'
import type { warehouse } from '@boathouse/contract/warehouse'
import { quoteIdentifier as name, quoteString } from '@boathouse/sql'
import type { Change } from '../../lib/recent-changes.ts'
import { SCHEMA_STATEMENTS } from './schema-statements.ts'

type Perms = typeof perms
type Warehouse = typeof warehouse

const names = (all: readonly string[]): string => all.map(name).join(', ')

/** As `GRANT … ON` takes it. */
function objectSql({ type, catalog, database, name: own }: AccessObject): string {
  if (type === 'system') return 'SYSTEM'
  const word = type.toUpperCase()
  const all = `ALL ${word}S`
  if (type === 'warehouse') return own === '' ? all : `${word} ${name(own)}`
  if (catalog === '') return all
  const path = [catalog, database, own].filter(Boolean).map(name).join('.')
  if (type === 'catalog' || own !== '') return `${word} ${path}`
  if (type === 'database' && database !== '') return `${word} ${path}`
  return `${all} IN ${database === '' ? 'CATALOG' : 'DATABASE'} ${path}`
}

interface Privileges {
  readonly object: AccessObject
  readonly privileges: readonly string[]
  readonly withGrantOption?: boolean
}

const granting = ({ object, privileges, withGrantOption }: Privileges, to: string): string =>
  `GRANT ${privileges.join(', ')} ON ${objectSql(object)} TO ${to}${withGrantOption ? ' WITH GRANT OPTION' : ''}`
const revoking = ({ object, privileges }: Privileges, from: string): string =>
  `REVOKE ${privileges.join(', ')} ON ${objectSql(object)} FROM ${from}`

function createUser({ user, email, password, roles = [] }: Partial<Input<Perms['createUser']>>): string {
  const how = password ? `IDENTIFIED BY ${quoteString(password)}` : `EMAIL ${quoteString(email ?? '')}`
  return `CREATE USER ${name(user ?? '')} ${how}${roles.length > 0 ? ` DEFAULT ROLE ${names(roles)}` : ''}`
}

type Options = Partial<Omit<Input<Warehouse['update']>, 'warehouseId' | 'name'>>

function optionsSql({ size, idleMinutes, autoResume, description }: Options): string {
  const options = [
    size !== undefined && `SIZE = ${quoteString(size)}`,
    idleMinutes !== undefined && `AUTO_SUSPEND = ${idleMinutes ?? 0}`,
    autoResume !== undefined && `AUTO_RESUME = ${autoResume}`,
    description !== undefined && `COMMENT = ${quoteString(description)}`,
  ]
  return options.filter(Boolean).join(', ')
}

function alterWarehouse(before: string, { name: after, ...rest }: Input<Warehouse['update']>): string {
  const options = optionsSql(rest)
  const isRenamed = after !== undefined && after !== before
  return [
    options && `ALTER WAREHOUSE ${name(before)} SET ${options}`,
    isRenamed && `ALTER WAREHOUSE ${name(before)} RENAME TO ${name(after)}`,
  ]
    .filter(Boolean)
    .join(';\n')
}

/** By the path of a call: the statement that does the same. */
type Table = Readonly<Record<string, (input: never, warehouse: string) => string>>

const STATEMENTS: Table = {
  ...SCHEMA_STATEMENTS,
  '/perms/create-user': createUser,
  '/perms/set-user-email': ({ user, email }: Input<Perms['setUserEmail']>) =>
    `ALTER USER ${name(user)} SET EMAIL ${quoteString(email)}`,
  '/perms/delete-user': ({ user }: Input<Perms['deleteUser']>) => `DROP USER ${name(user)}`,
  '/perms/create-role': ({ role, comment }: Input<Perms['createRole']>) =>
    `CREATE ROLE ${name(role)}${comment ? ` COMMENT ${quoteString(comment)}` : ''}`,
  '/perms/delete-role': ({ role }: Input<Perms['deleteRole']>) => `DROP ROLE ${name(role)}`,
  '/perms/grant-role-to-user': ({ role, user }: Input<Perms['grantRoleToUser']>) =>
    `GRANT ${name(role)} TO USER ${name(user)}`,
  '/perms/revoke-role-from-user': ({ role, user }: Input<Perms['revokeRoleFromUser']>) =>
    `REVOKE ${name(role)} FROM USER ${name(user)}`,
  '/perms/grant-role-to-role': ({ role, toRole }: Input<Perms['grantRoleToRole']>) =>
    `GRANT ${name(role)} TO ROLE ${name(toRole)}`,
  '/perms/revoke-role-from-role': ({ role, fromRole }: Input<Perms['revokeRoleFromRole']>) =>
    `REVOKE ${name(role)} FROM ROLE ${name(fromRole)}`,
  '/perms/grant-priv-to-user': (input: Input<Perms['grantPrivToUser']>) =>
    granting(input, `USER ${name(input.user)}`),
  '/perms/revoke-priv-from-user': (input: Input<Perms['revokePrivFromUser']>) =>
    revoking(input, `USER ${name(input.user)}`),
  '/perms/grant-priv-to-role': (input: Input<Perms['grantPrivToRole']>) =>
    granting(input, `ROLE ${name(input.role)}`),
  '/perms/revoke-priv-from-role': (input: Input<Perms['revokePrivFromRole']>) =>
    revoking(input, `ROLE ${name(input.role)}`),
  '/perms/set-roles': ({ roles }: Input<Perms['setRoles']>) =>
    `SET DEFAULT ROLE ${roles.length > 0 ? names(roles) : 'NONE'}`,
  '/warehouse/create': ({ name: own, ...options }: Input<Warehouse['create']>) =>
    `CREATE WAREHOUSE ${name(own)} ${optionsSql(options)}`.trim(),
  '/warehouse/update': (input: Input<Warehouse['update']>, warehouse) => alterWarehouse(warehouse, input),
  '/warehouse/suspend': (_, warehouse) => `SUSPEND WAREHOUSE ${name(warehouse)}`,
  '/warehouse/resume': (_, warehouse) => `RESUME WAREHOUSE ${name(warehouse)}`,
  '/warehouse/delete': (_, warehouse) => `DROP WAREHOUSE ${name(warehouse)}`,
}

/** The statement that does the same as the call; null if there is no such statement. */
export function statementOf({ path, input, warehouse }: Change): string | null {
  const write = STATEMENTS[path] as ((input: unknown, warehouse: string) => string) | undefined
  const isAboutUnknown = path.startsWith('/warehouse/') && path !== '/warehouse/create' && warehouse === null
  if (!write || isAboutUnknown) return null
  const text = write(input, warehouse ?? '')
  return text === '' ? null : `${text};`
}

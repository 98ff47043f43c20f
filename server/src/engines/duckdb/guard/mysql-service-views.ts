import { SYSTEM_DATABASE } from '../../engine/system-tables.ts'
import { type Columns, named, NO_CATALOG, selected } from './mysql-columns.ts'

/** Rows of `sys.grants`, which the service sends with a statement that names one of these. */
const granted = (columns: Columns, where: string): string =>
  `SELECT ${selected({
    GRANTEE: `concat('''', grantee, '''@''%''')`,
    TABLE_CATALOG: NO_CATALOG,
    ...columns,
    PRIVILEGE_TYPE: 'privilege',
    IS_GRANTABLE: `CASE WHEN grantable THEN 'YES' ELSE 'NO' END`,
  })} FROM ${SYSTEM_DATABASE}.grants WHERE ${where}`

const IN_CATALOG = `"catalog" = system.main.current_catalog()`
const IN_DATABASE = { TABLE_SCHEMA: named('"catalog"', '"database"') }

const ANY_HOST = `'%'`

const variables = (value: string): string =>
  `SELECT ${selected({ VARIABLE_NAME: 'name', VARIABLE_VALUE: value })} FROM ${SYSTEM_DATABASE}.variables`

/** Their rows are known to the service alone, which sends them with a statement that names one of these. */
export const SERVICE_VIEWS: Columns = {
  USER_PRIVILEGES: granted(
    {},
    `object_type NOT IN ('table', 'view', 'materialized_view', 'function', 'database')`,
  ),
  SCHEMA_PRIVILEGES: granted(IN_DATABASE, `object_type = 'database' AND ${IN_CATALOG}`),
  TABLE_PRIVILEGES: granted(
    { ...IN_DATABASE, TABLE_NAME: 'name' },
    `object_type IN ('table', 'view', 'materialized_view') AND name IS NOT NULL AND ${IN_CATALOG}`,
  ),
  PROCESSLIST: `SELECT ${selected({
    ID: 'id',
    USER: '"user"',
    HOST: 'host',
    DB: 'db',
    COMMAND: 'command',
    TIME: '"time"',
    STATE: 'state',
    INFO: 'info',
  })} FROM ${SYSTEM_DATABASE}.processes`,
  SESSION_VARIABLES: variables('session_value'),
  GLOBAL_VARIABLES: variables('global_value'),
  APPLICABLE_ROLES: `SELECT ${selected({
    USER: 'user_name',
    HOST: ANY_HOST,
    GRANTEE: 'user_name',
    GRANTEE_HOST: ANY_HOST,
    ROLE_NAME: 'role_name',
    ROLE_HOST: ANY_HOST,
    IS_GRANTABLE: `'NO'`,
    IS_DEFAULT: `CASE WHEN is_default THEN 'YES' ELSE 'NO' END`,
    IS_MANDATORY: `'NO'`,
  })} FROM ${SYSTEM_DATABASE}.roles`,
  ENABLED_ROLES: `SELECT ${selected({
    ROLE_NAME: 'role_name',
    ROLE_HOST: ANY_HOST,
    IS_DEFAULT: `CASE WHEN is_default THEN 'YES' ELSE 'NO' END`,
    IS_MANDATORY: `'NO'`,
  })} FROM ${SYSTEM_DATABASE}.roles WHERE enabled`,
}

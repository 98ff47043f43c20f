import { SERVICE_USER } from './service-token.ts'

/** What may be done with the tables of a place; `OWNERSHIP` is to create, change and drop them. */
type TablePrivilege = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE' | 'OWNERSHIP'

/** A privilege of a user; null: whatever it is called. A table has a schema, a schema has a catalog. */
interface ObjectAccess {
  readonly catalog: string | null
  readonly schema: string | null
  readonly table: string | null
  readonly privileges: readonly TablePrivilege[]
}

/** Users who may do the same. */
export interface UserAccess {
  readonly users: readonly string[]
  readonly objects: readonly ObjectAccess[]
}

interface TableRule {
  readonly user: string
  readonly catalog?: string
  readonly schema?: string
  readonly table?: string
  readonly privileges: readonly TablePrivilege[]
}

/** Settings of a statement that the service sends along for a user. No other can be set. */
const SESSION_PROPERTIES = 'query_max_run_time|query_max_execution_time|query_max_planning_time|retry_policy'
/** Catalogs that a cluster always has. Their lists show what others run. */
const OWN_CATALOGS = 'system|jmx'

/** The expression of Java that matches this text alone. */
const exactly = (text: string): string => text.replaceAll(/[^\p{L}\p{N}_]/gu, String.raw`\$&`)
/** Objects have lower-case names in a cluster. */
const objectNamed = (name: string): string => exactly(name.toLowerCase())

const anyOf = (users: readonly string[]): string => users.map(exactly).join('|')

const depthOf = ({ catalog, schema, table }: ObjectAccess): number =>
  [catalog, schema, table].filter((name) => name !== null).length

const covers = (wide: ObjectAccess, narrow: ObjectAccess): boolean =>
  (['catalog', 'schema', 'table'] as const).every(
    (part) => wide[part] === null || wide[part].toLowerCase() === narrow[part]?.toLowerCase(),
  )

/** The first rule that matches decides: the narrowest comes first, and has what the wider ones give as well. */
function tableRules({ users, objects }: UserAccess): TableRule[] {
  const narrowestFirst = objects.toSorted((one, other) => depthOf(other) - depthOf(one))
  return narrowestFirst.map((object) => ({
    user: anyOf(users),
    ...(object.catalog === null ? {} : { catalog: objectNamed(object.catalog) }),
    ...(object.schema === null ? {} : { schema: objectNamed(object.schema) }),
    ...(object.table === null ? {} : { table: objectNamed(object.table) }),
    privileges: [
      ...new Set(objects.filter((wide) => covers(wide, object)).flatMap(({ privileges }) => privileges)),
    ],
  }))
}

function catalogRules({ users, objects }: UserAccess) {
  const catalogs = [...new Set(objects.map(({ catalog }) => catalog?.toLowerCase() ?? null))]
  const isEvery = catalogs.includes(null)
  return (isEvery ? [null] : catalogs).map((catalog) => {
    const own = isEvery ? objects : objects.filter((object) => object.catalog?.toLowerCase() === catalog)
    const isReadOnly = own.every(({ privileges }) => privileges.every((one) => one === 'SELECT'))
    return {
      user: anyOf(users),
      ...(catalog === null ? {} : { catalog: exactly(catalog) }),
      allow: isReadOnly ? 'read-only' : 'all',
    }
  })
}

/** Who owns tables of a whole schema may create and drop it, too. */
const schemaRules = ({ users, objects }: UserAccess) =>
  objects
    .filter(({ table, privileges }) => table === null && privileges.includes('OWNERSHIP'))
    .map(({ catalog, schema }) => ({
      user: anyOf(users),
      ...(catalog === null ? {} : { catalog: objectNamed(catalog) }),
      ...(schema === null ? {} : { schema: objectNamed(schema) }),
      owner: true,
    }))

/**
 * What the nodes of a cluster let users do, as its file of rules: the second lock behind what the service decides before a
 * statement runs. What no rule allows is refused. Only the service comes in, and speaks for users.
 */
export function renderRules(users: readonly UserAccess[]): string {
  const service = exactly(SERVICE_USER)
  const everybody = '.*'
  // A user of that name would have what the service has, and no user at all is an expression for everybody.
  const people = users
    .map((access) => ({ ...access, users: access.users.filter((user) => user !== SERVICE_USER) }))
    .filter((access) => access.users.length > 0)
  return `${JSON.stringify(
    {
      catalogs: [
        { user: service, allow: 'owner' },
        { catalog: OWN_CATALOGS, allow: 'none' },
        ...people.flatMap(catalogRules),
      ],
      schemas: [{ user: service, owner: true }, ...people.flatMap(schemaRules)],
      tables: [
        { user: service, privileges: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'OWNERSHIP'] },
        ...people.flatMap(tableRules),
      ],
      procedures: [{ user: service, privileges: ['EXECUTE'] }],
      system_information: [{ user: service, allow: ['read', 'write'] }],
      queries: [
        { user: service, allow: ['execute', 'kill', 'view'] },
        { user: everybody, allow: ['execute'] },
      ],
      impersonation: [{ original_user: service, new_user: everybody, allow: true }],
      system_session_properties: [
        { user: service, allow: true },
        { property: SESSION_PROPERTIES, allow: true },
      ],
      catalog_session_properties: [{ user: service, allow: true }],
    },
    null,
    1,
  )}\n`
}

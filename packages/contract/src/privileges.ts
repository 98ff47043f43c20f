import { isSameName } from './same-name.ts'
import { z } from 'zod/mini'
import type { BuiltInRole } from './roles.ts'

/**
 * What can be granted on what. Only privileges that something asks for are here: one that nobody checks would promise
 * what it does not give.
 */
export const PRIVILEGES = {
  system: ['GRANT', 'CREATE WAREHOUSE'],
  catalog: ['USAGE', 'CREATE DATABASE'],
  database: ['CREATE TABLE', 'CREATE VIEW', 'CREATE MATERIALIZED VIEW', 'CREATE FUNCTION', 'ALTER', 'DROP'],
  table: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'ALTER', 'DROP'],
  view: ['SELECT', 'ALTER', 'DROP'],
  materialized_view: ['SELECT', 'REFRESH', 'ALTER', 'DROP'],
  function: ['USAGE', 'DROP'],
  warehouse: ['USAGE', 'ALTER', 'DROP'],
} as const

export type ObjectType = keyof typeof PRIVILEGES
export const OBJECT_TYPES = Object.keys(PRIVILEGES) as ObjectType[]
export const ObjectType = z.enum(OBJECT_TYPES)

export type Privilege = (typeof PRIVILEGES)[ObjectType][number]
const ALL_PRIVILEGES = [...new Set<Privilege>(Object.values(PRIVILEGES).flat())]
export const Privilege = z.enum(ALL_PRIVILEGES)

/** Comes with the role user_admin and in no other way. */
export const NOT_GRANTABLE: ReadonlySet<Privilege> = new Set(['GRANT'])

/** The names that say which object of a type is meant, from the outside in. */
export const PARTS = {
  system: [],
  catalog: ['catalog'],
  database: ['catalog', 'database'],
  table: ['catalog', 'database', 'name'],
  view: ['catalog', 'database', 'name'],
  materialized_view: ['catalog', 'database', 'name'],
  function: ['catalog', 'database', 'name'],
  warehouse: ['name'],
} as const satisfies Record<ObjectType, readonly ('catalog' | 'database' | 'name')[]>

const Part = z._default(z.string().check(z.maxLength(256)), '')

/** One object, or all of a kind: a part that is empty stands for every name, and so does all that is inside it. */
export const AccessObject = z.object({ type: ObjectType, catalog: Part, database: Part, name: Part }).check(
  z.refine(({ type, ...parts }) => {
    const own: readonly string[] = PARTS[type]
    return Object.entries(parts).every(([part, value]) => value === '' || own.includes(part))
  }, 'This object type has no such part'),
  z.refine(({ type, ...parts }) => {
    const values = PARTS[type].map((part) => parts[part])
    const wide = values.indexOf('')
    return wide === -1 || values.slice(wide).every((value) => value === '')
  }, 'Set the catalog before the database, and the database before its objects'),
)
export type AccessObject = z.infer<typeof AccessObject>

export const objectOf = (
  type: ObjectType,
  parts: Partial<Omit<AccessObject, 'type'>> = {},
): AccessObject => ({
  type,
  catalog: '',
  database: '',
  name: '',
  ...parts,
})

export const SYSTEM = objectOf('system')

/** As in SQL and in sentences: 'TABLE default_catalog.main.t', 'ALL TABLES IN DATABASE c.d', 'SYSTEM'. */
export function objectText({ type, catalog, database, name }: AccessObject): string {
  if (type === 'system') return 'SYSTEM'
  const word = type.toUpperCase().replace('_', ' ')
  const all = `ALL ${word}S`
  if (type === 'warehouse') return name === '' ? all : `${word} ${name}`
  if (catalog === '') return all
  if (type === 'catalog') return `${word} ${catalog}`
  if (database === '') return `${all} IN CATALOG ${catalog}`
  if (type === 'database') return `${word} ${catalog}.${database}`
  return name === '' ? `${all} IN DATABASE ${catalog}.${database}` : `${word} ${catalog}.${database}.${name}`
}

export interface BuiltInGrant {
  readonly type: ObjectType
  /** On all objects of the type. */
  readonly privileges: readonly Privilege[]
}

const all = (type: ObjectType): BuiltInGrant => ({ type, privileges: PRIVILEGES[type] })

/** The grants of the built-in roles, which cannot be revoked. */
export const BUILT_IN_GRANTS: Readonly<Record<BuiltInRole, readonly BuiltInGrant[]>> = {
  org_admin: [],
  account_admin: [],
  user_admin: [{ type: 'system', privileges: ['GRANT'] }],
  cluster_admin: [{ type: 'system', privileges: ['CREATE WAREHOUSE'] }, all('warehouse')],
  security_admin: [],
  db_admin: [
    all('catalog'),
    all('database'),
    all('table'),
    all('view'),
    all('materialized_view'),
    all('function'),
  ],
  public: [],
}

const isSame = (part: string, other: string): boolean => part === '' || isSameName(part, other)

/** An object and the wider ones that contain it: what is granted on any of these holds for it. */
export function reaches(granted: AccessObject, wanted: AccessObject): boolean {
  return (
    granted.type === wanted.type &&
    isSame(granted.catalog, wanted.catalog) &&
    isSame(granted.database, wanted.database) &&
    isSame(granted.name, wanted.name)
  )
}

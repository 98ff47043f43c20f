import { foldedName, isSameName } from '../../../kernel/same-name.ts'
import { quotedIdentifier } from '@duckdb/node-api'
import type { ObjectName, ObjectType } from '../../engine/objects.ts'

/** Where a statement stands: what it names without more is looked for here. */
export interface Place {
  readonly catalog: string
  readonly schema: string
}

/** A table or another object by its full name. */
export interface FullName extends Place {
  readonly name: string
}

/** A name as it is written; what is missing is the session's own. */
export interface WrittenName {
  readonly catalog?: string
  readonly schema?: string
  readonly name: string
}

const same = isSameName

export const isSame = (one: FullName, other: FullName): boolean =>
  same(one.name, other.name) && same(one.schema, other.schema) && same(one.catalog, other.catalog)

export const keyOf = ({ catalog, schema, name }: FullName): string =>
  JSON.stringify([catalog, schema, name].map(foldedName))

/** Whether a written name can be this object for somebody, wherever they stand. */
export function canMean(written: WrittenName, { catalog, schema, name }: FullName): boolean {
  if (!same(written.name, name)) return false
  if (written.catalog !== undefined)
    return same(written.catalog, catalog) && same(written.schema ?? '', schema)
  // What stands before a table may be its schema or its catalog.
  return written.schema === undefined || same(written.schema, schema) || same(written.schema, catalog)
}

/** DuckDB looks here last, wherever in the catalog one stands. */
const LAST_SCHEMA = 'main'

/** The same for somebody who stands in one of these places: all but what is in main is found elsewhere by full names only. */
export function means(written: WrittenName, object: FullName, places: readonly Place[]): boolean {
  if (!canMean(written, object)) return false
  if (written.catalog !== undefined) return true
  return places.some(({ catalog, schema }) =>
    written.schema === undefined
      ? same(catalog, object.catalog) && [schema, LAST_SCHEMA].some((one) => same(one, object.schema))
      : same(catalog, object.catalog) || same(written.schema, object.catalog),
  )
}

export const quoted = ({ catalog, schema, name }: WrittenName): string =>
  [catalog, schema, name].flatMap((part) => (part === undefined ? [] : [quotedIdentifier(part)])).join('.')

export const objectName = (type: ObjectType, { catalog, schema, name }: FullName): ObjectName => ({
  type,
  catalog,
  database: schema,
  name,
})

export const databaseName = ({ catalog, schema }: Place): ObjectName => ({
  type: 'database',
  catalog,
  database: schema,
  name: null,
})

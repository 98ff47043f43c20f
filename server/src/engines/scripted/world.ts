import { foldedName } from '../../kernel/same-name.ts'
import type { DatabasePlace } from '../engine/names.ts'
import type { Effect } from '../engine/capabilities.ts'
import { refused } from './refused.ts'
import type { ColumnDefinition, Select, TableName, Value } from './statements.ts'

export const CATALOG = 'default_catalog'
export const FIRST_DATABASE = 'main'

export type Row = readonly Value[]

export interface Table {
  readonly name: string
  readonly columns: readonly ColumnDefinition[]
  readonly rows: readonly Row[]
  /** Of a view: what it shows, and where the names in it are looked for. */
  readonly view: { readonly select: Select; readonly database: string } | null
}

export interface Database {
  readonly name: string
  readonly tables: ReadonlyMap<string, Table>
}

/**
 * All that an account has, as one value that never changes: a statement that writes makes another. So a snapshot costs
 * nothing, and what a statement does is there together with the note of its effect or not at all.
 */
export interface World {
  readonly databases: ReadonlyMap<string, Database>
  readonly effects: ReadonlyMap<string, Effect & { readonly at: Date }>
}

/** Case is kept and does not matter. */
export const keyOf = foldedName

export const EMPTY_WORLD: World = {
  databases: new Map([[FIRST_DATABASE, { name: FIRST_DATABASE, tables: new Map() }]]),
  effects: new Map(),
}

export const withEntry = <V>(map: ReadonlyMap<string, V>, name: string, value: V | null): Map<string, V> => {
  const changed = new Map(map)
  if (value === null) changed.delete(keyOf(name))
  else changed.set(keyOf(name), value)
  return changed
}

export function checkCatalog(name: string, offset?: number): void {
  if (keyOf(name) !== CATALOG) throw refused('missing', `There is no catalog ${name}.`, offset)
}

export function databaseOf(world: World, { catalog, database }: DatabasePlace, offset?: number): Database {
  checkCatalog(catalog, offset)
  const found = world.databases.get(keyOf(database))
  if (!found) throw refused('missing', `There is no database ${database}.`, offset)
  return found
}

export const withDatabase = (world: World, database: Database): World => ({
  ...world,
  databases: withEntry(world.databases, database.name, database),
})

export const withEffect = (world: World, queryId: string, effect: Effect): World => ({
  ...world,
  effects: new Map(world.effects).set(queryId, { ...effect, at: new Date() }),
})

/** Where a table of this name is, or would be. */
export function placeOf({ parts, offset }: TableName, here: string): DatabasePlace & { table: string } {
  const [table = '', database = here, catalog = CATALOG, ...more] = parts.toReversed()
  if (more.length > 0) throw refused('syntax', 'A name has at most three parts.', offset)
  return { catalog, database, table }
}

import type { Snippet } from '@boathouse/contract/editor-snippets'

export interface NamedThing {
  readonly name: string
  /** Said beside it, as the type of a column. */
  readonly detail: string
  /** Of a table that is something else. */
  readonly kind?: 'view' | 'materialized'
}

/** A table of any database. */
export interface FoundTable extends NamedThing {
  readonly catalog: string
  readonly database: string
}

/** What there is to name. Each answers at once what it knows, and asks the service for the rest. */
export interface NameCache {
  /** The place of the tab. */
  place(): { readonly catalog: string; readonly database: string }
  catalogs(): Promise<readonly NamedThing[]>
  databases(catalog: string): Promise<readonly NamedThing[]>
  tables(catalog: string, database: string): Promise<readonly NamedThing[]>
  columns(catalog: string, database: string, table: string): Promise<readonly NamedThing[]>
  /** Tables of all databases with this in their name. */
  found(word: string): Promise<readonly FoundTable[]>
  /** The user's own. */
  snippets(): Promise<readonly Snippet[]>
}

/** The catalog and the database that a path means for a tab with this place. */
export function placeOf(names: NameCache, path: readonly string[]) {
  const own = names.place()
  const [first, second] = path
  if (second !== undefined) return { catalog: first ?? own.catalog, database: second }
  return { catalog: own.catalog, database: first ?? own.database }
}

/** Holds what the service remembers inside the account's own data; no statement of a user may name it. */
export const INTERNAL_SCHEMA = 'boathouse_internal'

/** In the text of every view that is a table of files. No text of a user's can have it in it. */
export const OF_FILES = `${INTERNAL_SCHEMA}_files`

interface MarkedTable {
  readonly catalog: string
  readonly schema: string
  readonly name: string
}

const MARK = `${OF_FILES}:`

/** A constant that stands in a plan where a table is read of which nothing is scanned. */
export const readMark = ({ catalog, schema, name }: MarkedTable): string =>
  MARK + JSON.stringify([catalog, schema, name])

/** The table of such a constant; null for any other value. */
export function markedTable(value: unknown): MarkedTable | null {
  if (typeof value !== 'string' || !value.startsWith(MARK)) return null
  try {
    const [catalog, schema, name] = JSON.parse(value.slice(MARK.length)) as unknown[]
    return { catalog: String(catalog), schema: String(schema), name: String(name) }
  } catch {
    // Somebody else has put it together.
    return null
  }
}

/** The database of the guard; see `raise-guard.ts`. */
export const GUARD_DATABASE = `${INTERNAL_SCHEMA}_guard`
// Not in its `main`: in a path with that, `main.t` would be a table of this database, which is gone with the process.
export const GUARD = `${GUARD_DATABASE}.${GUARD_DATABASE}`

/** DuckDB names a catalog after its file; the account's databases are schemas in it. */
export const CATALOG = 'default_catalog'

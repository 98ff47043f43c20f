/** Where a statement runs; an empty database stands for the catalog alone. */
export interface Place {
  readonly catalog: string
  readonly database: string
}

/** No name holds a NUL character. */
const SEPARATOR = '\0'
const idOf = (...parts: string[]): string => parts.join(SEPARATOR)

export const catalogId = (catalog: string): string => idOf('catalog', catalog)
export const databaseId = ({ catalog, database }: Place): string => idOf('database', catalog, database)
export const objectId = (place: Place, kind: string, name: string): string =>
  idOf(kind, place.catalog, place.database, name)

const OBJECT_KINDS = ['table', 'view', 'materialized_view'] as const
/** What has columns. */
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** What the id of a table, view or materialized view stands for; null of any other row. */
export function readObjectId(id: string): (Place & { kind: ObjectKind; name: string }) | null {
  const [written, catalog, database, name, ...more] = id.split(SEPARATOR)
  const kind = OBJECT_KINDS.find((one) => one === written)
  if (!kind || catalog === undefined || database === undefined || name === undefined || more.length > 0)
    return null
  return { kind, catalog, database, name }
}

/** Of the row that stands for the place; null when nothing is known of it. */
export function placeId(place: Place): string | null {
  if (place.database !== '') return databaseId(place)
  return place.catalog === '' ? null : catalogId(place.catalog)
}

/** The rows that must be open for what is in the place to be seen. */
export const openedBy = (place: Place): string[] =>
  place.database === '' ? [catalogId(place.catalog)] : [catalogId(place.catalog), databaseId(place)]

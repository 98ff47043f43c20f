import type { Found } from '@boathouse/contract/schema-search'
import { catalogPath } from '../../catalog-path.ts'
import type { Place } from '../../paths.ts'

/** Where it is, as people write it; of a catalog nothing. */
export const pathOf = ({ type, catalog, database, object }: Found): string => {
  if (type === 'catalog') return ''
  if (type === 'database') return catalog
  return [catalog, database, object?.name].filter(Boolean).join('.')
}

/** Every word of the text is in the name or the path, as the service looks for them. */
export function holdsWords(found: Found, text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/[\s.]+/)
    .filter(Boolean)
  const all = `${pathOf(found)}.${found.name}`.toLowerCase()
  return words.length > 0 && words.every((word) => all.includes(word))
}

export const keyOf = (found: Found): string => JSON.stringify([found.type, pathOf(found), found.name])

/** Its page; of a column the page of what it is a column of. */
export function addressOf(
  place: Place,
  { type, name, catalog, catalogType, database, object }: Found,
): string {
  const of = { catalog, catalogType }
  if (type === 'catalog' || database === undefined) return catalogPath(place, of)
  if (type === 'database') return catalogPath(place, of, { database })
  if (type === 'column') return catalogPath(place, of, { database, ...(object ? { object } : {}) })
  return catalogPath(place, of, { database, object: { type, name } })
}

import { type CatalogParams, stringifyCatalog } from './catalog-segment.ts'
import { pagePath } from './paths.ts'
import type { Place } from './paths.ts'

const DATABASE = 'database-'

/** SHELL-12, SHELL-13: one catalog, or a database in it. */
export const catalogPath = (place: Place, of: CatalogParams, database?: string): string => {
  const catalog = `catalog/${encodeURIComponent(stringifyCatalog(of))}`
  return pagePath(place, database ? `${catalog}/${encodeURIComponent(`${DATABASE}${database}`)}` : catalog)
}

/** Of a segment of an address; null when it names none. */
export const databaseOf = (segment: string): string | null =>
  segment.startsWith(DATABASE) && segment.length > DATABASE.length ? segment.slice(DATABASE.length) : null

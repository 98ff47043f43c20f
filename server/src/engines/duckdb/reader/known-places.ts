import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Arrangement } from '../../../results/reader.ts'
import type { WriterDatabase } from '../result-writer/writer-database.ts'
import { arrangedPlaces } from './arranged-places.ts'
import type { Found, FoundResults } from './found-result.ts'

// Four bytes a row: four results of a million rows, each arranged in one way.
const MOST_PLACES_KEPT = 4_000_000

interface KnownPlacesOptions {
  readonly database: WriterDatabase
  readonly results: Pick<FoundResults, 'withValues'>
  /** For files that are made on the way. */
  readonly folder: string
}

/** Where the rows of arranged results are. Scrolling through arranged rows asks for the same ones again. */
export function createKnownPlaces({ database, results, folder }: KnownPlacesOptions) {
  const places = new BoundedMap<Uint32Array>(MOST_PLACES_KEPT)
  const arranging = new Map<string, Promise<Uint32Array>>()

  return async (queryId: string, found: Found, arrangement: Arrangement): Promise<Uint32Array> => {
    const key = `${queryId} ${JSON.stringify([arrangement.sort, arrangement.filters])}`
    const known = places.get(key) ?? arranging.get(key)
    if (known) return known
    // Names of files that are made here are not those of exports.
    const made = results.withValues(found, join(folder, randomUUID()), (kept) =>
      database.use((connection) => arrangedPlaces(connection, kept, arrangement)),
    )
    arranging.set(key, made)
    try {
      places.set(key, await made, Math.max(1, (await made).length))
      return await made
    } finally {
      arranging.delete(key)
    }
  }
}

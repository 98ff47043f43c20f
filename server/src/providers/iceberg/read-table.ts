import { z } from 'zod'
import type { IcebergTable } from '../../kernel/iceberg.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { IcebergPlace } from './iceberg-catalog.ts'
import { nonsense } from './refusals.ts'
import { Metadata, parsedMetadata, tableOf } from './table-metadata.ts'
import { vendedKeys } from './vended-keys.ts'
import type { LoadedTable } from './loaded-tables.ts'

/** Keys that a server gives for a table are renewed after this time, or before they expire. */
const KEYS_MS = 5 * 60_000

const BEFORE_END_MS = 30_000

const LONGEST_TABLE = 1024 * 1024

const Loaded = z.object({
  metadata: Metadata,
  config: z.nullish(z.record(z.string(), z.string())),
  'storage-credentials': z.nullish(
    z.array(z.object({ prefix: z.string(), config: z.record(z.string(), z.string()) })),
  ),
})

const BUCKET = /^[a-z0-9](?!.*\.\.)[a-z0-9.-]{1,61}[a-z0-9]$/

/** Reads what a server answers about a table: its metadata, and the keys to its files. */
export function createReadTable(
  place: IcebergPlace,
  { now, broken }: { now: () => number; broken: (content: string) => LoadedTable },
) {
  function bucketPlace(content: IcebergTable, answer: z.infer<typeof Loaded>) {
    const { endpoint, region } = place
    const keys = place.keys
      ? { ...place.keys, sessionToken: '', until: Number.POSITIVE_INFINITY }
      : vendedKeys(answer, { location: answer.metadata.location, endpoint })
    if (typeof keys === 'string') return keys
    const { until, ...pair } = keys
    return { place: { endpoint, region, bucket: content.bucket, prefix: '', ...pair }, until }
  }

  return function read(text: string): LoadedTable {
    let answer: z.infer<typeof Loaded>
    try {
      answer = Loaded.parse(parsedMetadata(text))
    } catch (error) {
      if (error instanceof OutsideRefused) throw error
      throw nonsense('no metadata of a table', error)
    }
    const content = tableOf(answer.metadata)
    if (typeof content === 'string') return broken(content)
    if (!BUCKET.test(content.bucket)) return broken('its bucket has a name that no bucket has')
    const { length } = JSON.stringify(content)
    if (length > LONGEST_TABLE) return broken('it has far too many columns')
    const reached = bucketPlace(content, answer)
    if (typeof reached === 'string') return broken(reached)
    const keysUntil = Math.min(reached.until - BEFORE_END_MS, now() + KEYS_MS)
    return {
      at: now(),
      content,
      place: reached.place,
      keysUntil,
      length: length + reached.place.sessionToken.length,
    }
  }
}

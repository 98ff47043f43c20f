import type { IcebergTable } from '../../kernel/iceberg.ts'
import type { BucketPlace } from '../bucket/bucket.ts'
import type { Memory } from './memory.ts'
import type { TableName } from './names.ts'

/** Of what is remembered of all tables of a catalog. */
const LONGEST_CATALOG_MB = 32

export interface LoadedTable {
  readonly at: number
  readonly content: IcebergTable | string
  readonly place: BucketPlace | null
  readonly keysUntil: number
  /** Of what is remembered, as text. */
  readonly length: number
}

/** Of a table among those of its catalog: no part of a namespace has a dot in it. */
export const keyOf = ({ database, name }: Pick<TableName, 'database' | 'name'>): string =>
  JSON.stringify([database.split('.'), name])

/** What is cached of the tables of a catalog, within what the memory allows. */
export function createLoadedTables(memory: Memory, now: () => number) {
  const loaded = new Map<string, LoadedTable>()

  function forget(key: string): void {
    const table = loaded.get(key)
    loaded.delete(key)
    if (table) memory.release(table)
  }

  /** Only if there is room for it beside the others. */
  function remember(key: string, table: LoadedTable): LoadedTable {
    forget(key)
    let length = table.length
    for (const other of loaded.values()) length += other.length
    const isTooMuch = length > LONGEST_CATALOG_MB * 1024 * 1024
    const kept = isTooMuch
      ? broken(
          `what there is to know of it and of the tables before it is more than ${LONGEST_CATALOG_MB} MB`,
        )
      : table
    loaded.set(key, kept)
    memory.keep(kept, kept.length, () => loaded.get(key) === kept && loaded.delete(key))
    return kept
  }

  function broken(content: string): LoadedTable {
    return { at: now(), content, place: null, keysUntil: Number.POSITIVE_INFINITY, length: content.length }
  }

  function knownOf(key: string): LoadedTable | undefined {
    const table = loaded.get(key)
    if (table) memory.use(table)
    return table
  }

  return { forget, remember, broken, knownOf, keys: () => loaded.keys() }
}
